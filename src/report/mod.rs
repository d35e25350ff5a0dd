//! Everything that writes results: CSV, figures, manifests.
