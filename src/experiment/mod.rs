//! Experiments: blocks of games, kept on disk as they finish.
