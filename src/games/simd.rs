//! Proof that the processor has the vector instructions that the fast paths are compiled for.

/// Exists only where the processor has AVX2 and the bit instructions of the same generation. A function that is
/// compiled for them takes this value, so that safe code cannot call it elsewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Avx2(());

impl Avx2 {
    /// Asks the processor.
    #[cfg(target_arch = "x86_64")]
    pub fn detect() -> Option<Self> {
        let has_all = is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("popcnt")
            && is_x86_feature_detected!("lzcnt");
        has_all.then_some(Avx2(()))
    }

    /// Other processors have none of this.
    #[cfg(not(target_arch = "x86_64"))]
    pub fn detect() -> Option<Self> {
        None
    }
}
