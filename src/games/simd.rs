//! A token that proves that the processor has AVX2.

/// A value of this type exists only if the processor has AVX2 and the bit instructions of the same generation. A
/// function compiled for them takes this value as an argument, so that safe code cannot call it on another processor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Avx2(());

impl Avx2 {
    /// The token, if the processor has these instructions.
    #[cfg(target_arch = "x86_64")]
    pub fn detect() -> Option<Self> {
        let has_all = is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("popcnt")
            && is_x86_feature_detected!("lzcnt");
        has_all.then_some(Avx2(()))
    }

    /// Other processor architectures do not have these instructions.
    #[cfg(not(target_arch = "x86_64"))]
    pub fn detect() -> Option<Self> {
        None
    }
}
