//! One game, one record.
