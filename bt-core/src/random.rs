//! Chance belongs to the context, so that a seed makes a run.

pub use rand_core;

/// A context that lends a random number generator: needed by `random_selector` and `random_sequence`.
///
/// Any generator of [`rand_core`] will do; one that starts from a seed makes runs repeatable.
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
    /// The generator.
    type Rng: rand_core::Rng + ?Sized;
    /// Lends it.
    fn rng(&mut self) -> &mut Self::Rng;
}
