//! Empty: this package exists for its benchmarks. Run them with `cargo bench -p lab2048-benches`.
