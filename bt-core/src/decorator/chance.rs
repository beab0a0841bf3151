//! A decorator that runs its child with a probability.

use core::fmt;

use bt_words::Word;
use rand_core::Rng;

use crate::argument::{Argument, ArgumentIn, IntoArgument, fault};
use crate::chance::unit;
use crate::decorator::policy::{Decorator, DecoratorShape, Gate, given};
use crate::describe::Param;
use crate::facts::Given;
use crate::random::Random;
use crate::status::{Never, Outcome};

/// Starts its child with the given probability and otherwise fails, as in `chance(0.3)`.
///
/// One number is drawn each time a run would start; a probability that is a range draws its value first. A running child
/// is not affected. A probability of 0 or less, or NaN, never starts the child; 1 or more always starts it. A literal other than a
/// float from 0.0 to 1.0 is a compile error. The probability can be a function of the context or a variable
/// ([`IntoArgument`]). Requires the feature `random` and a context that implements [`Random`].
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
pub fn chance<A: IntoArgument<f64, M>, M>(probability: A) -> Chance<A::Argument> {
    Chance { probability: probability.into_argument() }
}

/// The policy of [`chance`](crate::keywords::chance).
#[derive(Clone, Copy, Debug)]
pub struct Chance<A> {
    probability: A,
}

impl<A: Argument<f64>> DecoratorShape for Chance<A> {
    type Open = ();
    type Kept = ();
    type Pause = Never;
    const WORD: Option<Word> = Some(Word::Chance);
    const GIVEN: Given = given::<f64, A>();

    fn params(&self, show: &mut dyn FnMut(&[Param<'_>])) {
        show(&[Param::new(Word::Chance.row().params[0].name, &self.probability)]);
    }
}

impl<C: ?Sized + Random, A: ArgumentIn<C, f64>> Decorator<C> for Chance<A> {
    #[inline(always)]
    fn open(&self, (): &mut (), (): &mut (), ctx: &mut C) -> Gate<Never> {
        let Some(drawn) = self.probability.draw(ctx) else { return Gate::End(Outcome::Error) };
        let probability = self.probability.value(&drawn);
        if unit(ctx.rng().next_u64()) < probability { Gate::Go } else { Gate::End(Outcome::Failure) }
    }

    fn adopt(&self, (): &mut (), (): &mut (), _: &mut C) -> bool {
        true
    }

    fn reason(&self, ctx: &C, show: &mut dyn FnMut(&dyn fmt::Display)) {
        fault(&self.probability, Word::Chance.row().params[0].name, ctx, show);
    }
}
