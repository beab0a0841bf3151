//! A decorator that runs its child with a probability.

use bt_words::Word;
use rand_core::Rng;

use crate::chance::unit;
use crate::decorator::policy::{Decorator, DecoratorShape, Gate, StatusMap, statuses};
use crate::describe::Param;
use crate::random::Random;
use crate::status::{Never, Outcome};

/// Starts its child with the given probability and otherwise fails, as in `chance(0.3)`.
///
/// One number is drawn each time a run would start. A running child is not affected. A probability of 0 or less, or NaN,
/// never starts the child; 1 or more always starts it. A literal other than a float from 0.0 to 1.0 is a compile
/// error. Requires the feature `random` and a context that implements [`Random`].
///
/// ```
/// # use bt_core::prelude::*;
/// # use bt_core::rand_core::SeedableRng;
/// # use rand_pcg::Pcg32;
/// struct Npc { random: Pcg32, taunts: u32 }
///
/// impl Random for Npc {
///     type Rng = Pcg32;
///     fn rng(&mut self) -> &mut Pcg32 { &mut self.random }
/// }
///
/// let tree = tree! { for Npc: chance(0.3) { |npc: &mut Npc| npc.taunts += 1 } };
/// let (mut npc, mut memory) = (Npc { random: Pcg32::seed_from_u64(1), taunts: 0 }, tree.memory());
/// for _ in 0..1000 {
///     tree.tick(&mut npc, &mut memory);
/// }
/// assert!((250..350).contains(&npc.taunts));
/// ```
pub const fn chance(probability: f64) -> Chance {
    Chance { probability }
}

/// The policy of [`chance`](crate::keywords::chance).
#[derive(Clone, Copy, Debug)]
pub struct Chance {
    probability: f64,
}

impl DecoratorShape for Chance {
    type Open = ();
    type Kept = ();
    type Pause = Never;
    const STATUSES: StatusMap = statuses(Word::Chance);

    fn name(&self) -> &'static str {
        Word::Chance.name()
    }

    fn params(&self, show: &mut dyn FnMut(&[Param<'_>])) {
        show(&[Param::new(Word::Chance.row().params[0].name, &self.probability)]);
    }
}

impl<C: ?Sized + Random> Decorator<C> for Chance {
    #[inline]
    fn open(&self, (): &mut (), (): &mut (), ctx: &mut C) -> Gate<Never> {
        if unit(ctx.rng().next_u64()) < self.probability { Gate::Go } else { Gate::End(Outcome::Failure) }
    }
}
