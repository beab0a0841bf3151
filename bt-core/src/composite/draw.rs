//! Draws one of several children at random.

use crate::chance::unit;

/// Draws one of the children that have not been drawn yet. `forced` returns the index among those that an observer takes;
/// otherwise, the probability of each is proportional to its weight.
#[inline(always)]
pub fn draw(
    len: usize,
    is_drawn: impl Fn(usize) -> bool,
    weight: impl Fn(usize) -> f64,
    forced: impl FnOnce(usize) -> Option<usize>,
    bits: impl FnOnce() -> u64,
) -> Option<usize> {
    let left = || (0..len).filter(|child| !is_drawn(*child));
    // Rounding can put the point at the very end.
    let last = left().last()?;
    if let Some(child) = forced(left().count()).and_then(|index| left().nth(index)) {
        return Some(child);
    }
    let all: f64 = left().map(&weight).sum();
    let mut point = unit(bits()) * all;
    let hit = left().find(|child| {
        point -= weight(*child);
        point < 0.0
    });
    Some(hit.unwrap_or(last))
}
