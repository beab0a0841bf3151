//! Converts random bits to a number.

/// Returns a number in the range `0.0..1.0`, from 53 random bits.
pub(crate) fn unit(bits: u64) -> f64 {
    const BITS: u32 = 53;
    #[expect(clippy::cast_precision_loss, reason = "53 bits fit exactly")]
    let (number, one) = ((bits >> (u64::BITS - BITS)) as f64, (1_u64 << BITS) as f64);
    number / one
}
