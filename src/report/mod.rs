//! Everything that writes results: CSV, figures, manifests.

pub mod atomic;
pub mod figures;
pub mod live;
pub mod manifest;
pub mod markdown;
pub mod records;
pub mod scene;
pub mod table;
