//! Intervals, bootstrap and tests: pure functions of numbers.
