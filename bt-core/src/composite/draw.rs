//! Draws one of several children at random.

use crate::chance::unit;
use crate::composite::rule::Children;
use crate::composite::weights::Weights;

/// Draws one of the children that are not marked; returns `None` if all are. An observer may choose it; otherwise, the
/// probability of each is proportional to its weight.
#[inline(always)]
pub(super) fn draw<C: ?Sized>(
    weights: &impl Weights<C>,
    children: &mut impl Children<C>,
    ctx: &mut C,
) -> Option<usize> {
    let len = children.len();
    let number = (0..len).filter(|child| !children.is_marked(*child)).count();
    if number == 0 {
        return None;
    }
    let chosen = children.choose(number);
    let mut left = (0..len).filter(|child| !children.is_marked(*child));
    if let Some(index) = chosen {
        return left.nth(index);
    }
    let bits = weights.bits(ctx);
    let Some(weight) = weights.weight() else { return left.nth(index(bits, number)) };
    let all: f64 = left.clone().map(&weight).sum();
    let mut point = unit(bits) * all;
    let hit = left.find(|child| {
        point -= weight(*child);
        point < 0.0
    });
    // Rounding can put the point at the very end.
    hit.or_else(|| (0..len).rfind(|child| !children.is_marked(*child)))
}

/// Returns an index below `number`, from 64 random bits.
#[expect(clippy::cast_possible_truncation, reason = "the product of a fraction and a number is below the number")]
const fn index(bits: u64, number: usize) -> usize {
    ((bits as u128 * number as u128) >> u64::BITS) as usize
}
