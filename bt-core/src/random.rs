//! Randomness. The context provides the random number generator, so that a seed determines a run.

pub use rand_core;

/// A context that provides a random number generator. Required by `random_selector`, `random_sequence`, `chance`, and times
/// and counts that are ranges ([`IntoArgument`](crate::argument::IntoArgument)).
///
/// The generator can be any that implements the traits of [`rand_core`]. With a seeded generator, runs are repeatable.
///
/// ```
/// use bt_core::prelude::*;
/// use bt_core::rand_core::SeedableRng;
/// use rand_pcg::Pcg32;
///
/// struct Npc { chance: Pcg32, says: Vec<&'static str> }
///
/// impl Random for Npc {
///     type Rng = Pcg32;
///     fn rng(&mut self) -> &mut Pcg32 { &mut self.chance }
/// }
///
/// #[action]
/// fn say(npc: &mut Npc, what: &'static str) { npc.says.push(what) }
///
/// let tree = tree! { for Npc: random_selector { 3 => say("hello"), 1 => say("good day") } };
/// let greetings = |seed| {
///     let (mut npc, mut memory) = (Npc { chance: Pcg32::seed_from_u64(seed), says: vec![] }, tree.memory());
///     for _ in 0..10 {
///         tree.tick(&mut npc, &mut memory);
///     }
///     npc.says
/// };
/// assert_eq!(greetings(1), greetings(1));
/// assert_ne!(greetings(1), greetings(2));
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no random number generator",
    label = "the context must implement `Random`",
    note = "add `impl Random for {Self} {{ type Rng = …; fn rng(&mut self) -> &mut Self::Rng {{ … }} }}`; the context owns the generator, so that a seed reproduces a run"
)]
pub trait Random {
    /// The type of the generator.
    type Rng: rand_core::Rng + ?Sized;
    /// Returns the generator.
    fn rng(&mut self) -> &mut Self::Rng;
}
