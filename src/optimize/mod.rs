//! Optimizers for noisy objectives, one file each, as argmin solvers.
