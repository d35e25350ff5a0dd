//! Everything that writes results: CSV, figures, manifests.

pub mod atomic;
pub mod figures;
pub mod scene;
