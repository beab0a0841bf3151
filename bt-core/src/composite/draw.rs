//! Drawing one of several children.

use crate::chance::unit;

/// Draws one of the children that were not drawn yet, each as likely as its weight is part of all of theirs.
#[inline(always)]
pub fn draw(
    len: usize,
    is_drawn: impl Fn(usize) -> bool,
    weight: impl Fn(usize) -> f64,
    bits: impl FnOnce() -> u64,
) -> Option<usize> {
    let left = || (0..len).filter(|child| !is_drawn(*child));
    // Rounding may put the point at the very end.
    let last = left().last()?;
    let all: f64 = left().map(&weight).sum();
    let mut point = unit(bits()) * all;
    let hit = left().find(|child| {
        point -= weight(*child);
        point < 0.0
    });
    Some(hit.unwrap_or(last))
}
