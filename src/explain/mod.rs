//! The search tree of a position, for people who want to follow it.
