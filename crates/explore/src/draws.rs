//! Random numbers as choices.

use core::convert::Infallible;

use rand_core::TryRng;

use crate::choices::choose_labeled;

/// A generator whose numbers are [choices](crate::choose): for a model that implements [`Random`](bt_core::Random).
///
/// Each number is one of `RESOLUTION` numbers, from the least to the greatest. With 2, the default, `chance` has both outcomes, and a range of times or
/// counts has its least and its greatest value. Random composites do not depend on the generator: an exploration continues with each of their children,
/// regardless of the weights.
///
/// ```
/// use bt_core::prelude::*;
/// use bt_explore::{Draws, explore};
///
/// #[derive(Clone, Default, Hash)]
/// struct Npc { taunts: u8, rng: Draws }
/// impl Random for Npc { type Rng = Draws; fn rng(&mut self) -> &mut Draws { &mut self.rng } }
///
/// fn taunt(npc: &mut Npc) { npc.taunts = (npc.taunts + 1).min(3) }
///
/// explore(tree! { for Npc: chance(0.01) { taunt } }, Npc::default())
///     .sometimes("taunts", |tick| tick.ctx.taunts > 0)
///     .sometimes("does not taunt", |tick| tick.status == Status::Failure)
///     .check();
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Draws<const RESOLUTION: u16 = 2>;

impl<const RESOLUTION: u16> Draws<RESOLUTION> {
    fn draw() -> u64 {
        const { assert!(RESOLUTION > 1, "`RESOLUTION` must be at least 2") };
        let taken = choose_labeled("a random number", RESOLUTION.into()) as u64;
        let last = u64::from(RESOLUTION - 1);
        if taken == last { u64::MAX } else { u64::MAX / last * taken }
    }
}

impl<const RESOLUTION: u16> TryRng for Draws<RESOLUTION> {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok((Self::draw() >> 32) as u32)
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        Ok(Self::draw())
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        for chunk in bytes.chunks_mut(8) {
            chunk.copy_from_slice(&Self::draw().to_le_bytes()[..chunk.len()]);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use rand_core::Rng;

    use super::*;
    use crate::choices::with_choices;

    #[test]
    fn numbers_are_from_the_least_to_the_greatest() {
        let draw = |taken| with_choices([taken], || Draws::<3>.next_u64());
        assert_eq!([0, 1, 2].map(draw), [0, u64::MAX / 2, u64::MAX]);
        assert_eq!(with_choices([1], || Draws::<2>.next_u32()), u32::MAX);
        let mut bytes = [0; 9];
        with_choices([1, 0], || Draws::<2>.fill_bytes(&mut bytes));
        assert_eq!(bytes, [255, 255, 255, 255, 255, 255, 255, 255, 0]);
    }
}
