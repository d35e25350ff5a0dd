//! The terminal interface: play, ask, watch, replay.
