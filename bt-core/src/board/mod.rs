//! The blackboard: variables that nodes share without a common struct.
//!
//! Most state belongs into the context, a typed struct. A [`Board`] serves what cannot be one: reusable subtrees, scripts and JSON trees,
//! tools that list values. Its variables have typed [`Key`]s and one of three scopes: global, of a tree, or of a node of a tree.
//! [`#[derive(Blackboard)]`](derive@crate::Blackboard) gives the fields of a plain struct the same keys, with no lookup at all.
//!
//! ```
//! use bt_core::prelude::*;
//!
//! const HUNGER: Key<u32> = Key::new("hunger");
//!
//! #[derive(Default)]
//! struct Npc { board: Board }
//! impl HasBoard for Npc {
//!     fn board(&self) -> &Board { &self.board }
//!     fn board_mut(&mut self) -> &mut Board { &mut self.board }
//! }
//!
//! let tree = tree! {
//!     for Npc: selector {
//!         sequence { compare(HUNGER, |hunger| *hunger > 2), set(HUNGER, 0) }
//!         !is_set(HUNGER)
//!     }
//! };
//! let mut npc = Npc::default();
//! npc.board.set(&HUNGER, 3);
//! assert_eq!(tree.tick(&mut npc, &mut tree.memory()), Status::Success);
//! assert_eq!(npc.board.get(&HUNGER), Some(&0));
//! ```

#[cfg(feature = "alloc")]
mod changes;
#[cfg(feature = "alloc")]
mod dynamic;
#[cfg(feature = "alloc")]
mod entry;
mod field;
#[cfg(feature = "alloc")]
mod input;
#[cfg(feature = "alloc")]
mod key;
mod leaves;
#[cfg(feature = "serde")]
mod save;

pub use crate::observe::VariableView;
#[cfg(feature = "alloc")]
pub use changes::Changes;
#[cfg(feature = "alloc")]
pub use dynamic::{Board, WrongType};
pub use field::{Field, FieldOf};
#[cfg(feature = "alloc")]
pub use input::ValueOrKey;
#[cfg(feature = "alloc")]
pub use key::{Key, Scope, Text};
pub use leaves::{Compare, Copied, IsSet, Set, Unset, compare, copy, is_set, set, unset};

/// Whatever has variables: a [`Board`], or a struct under [`#[derive(Blackboard)]`](derive@crate::Blackboard).
pub trait Blackboard {
    /// Resets every variable to its default, or unsets it if it has none.
    fn reset(&mut self);
    /// Shows every variable, for tools.
    fn show(&self, see: &mut dyn FnMut(VariableView<'_>));
}

/// Names one variable of one kind of board.
pub trait Variable {
    /// The board.
    type Board: ?Sized;
    /// What the variable holds.
    type Value;
    /// Its name.
    fn name(&self) -> &str;
    /// Its value; `None` if it is not set.
    fn get<'b>(&self, board: &'b Self::Board) -> Option<&'b Self::Value>;
    /// Sets it. Returns `false` if the variable holds another type.
    fn set(&self, board: &mut Self::Board, value: Self::Value) -> bool;
    /// Arity its value away.
    fn unset(&self, board: &mut Self::Board);
}

/// A context that has a board of type `B`, perhaps over a shared one.
///
/// What its own board does not have set is looked up in the shared one. Writes go to the own board; to write to the shared one, name it.
///
/// ```
/// use bt_core::prelude::*;
///
/// const SEASON: Key<&str> = Key::new("season");
///
/// struct Villager<'v> { own: Board, village: &'v Board }
/// impl HasBoard for Villager<'_> {
///     fn board(&self) -> &Board { &self.own }
///     fn board_mut(&mut self) -> &mut Board { &mut self.own }
///     fn shared_board(&self) -> Option<&Board> { Some(self.village) }
/// }
///
/// let mut village = Board::new();
/// village.set(&SEASON, "spring");
/// let mut ann = Villager { own: Board::new(), village: &village };
/// let spring = tree! { for Villager<'_>: compare(SEASON, |season| *season == "spring") };
/// assert_eq!(spring.tick(&mut ann, &mut spring.memory()), Status::Success);
/// ann.own.set(&SEASON, "my own autumn");
/// assert_eq!(spring.tick(&mut ann, &mut spring.memory()), Status::Failure);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no board of type `{B}`",
    label = "the context must implement `HasBoard`",
    note = "add `impl HasBoard<{B}> for {Self} {{ fn board(&self) -> &{B} {{ … }} fn board_mut(&mut self) -> &mut {B} {{ … }} }}`"
)]
pub trait HasBoard<#[cfg(feature = "alloc")] B: ?Sized = Board, #[cfg(not(feature = "alloc"))] B: ?Sized> {
    /// The context's own board.
    fn board(&self) -> &B;
    /// The context's own board, to be changed.
    fn board_mut(&mut self) -> &mut B;
    /// The board below it, if there is one.
    fn shared_board(&self) -> Option<&B> {
        None
    }
}

/// A board is its own context.
impl<B: Blackboard> HasBoard<B> for B {
    fn board(&self) -> &B {
        self
    }

    fn board_mut(&mut self) -> &mut B {
        self
    }
}

/// A variable's value in a context: on its own board, else on the shared one.
#[inline]
pub fn look_up<'c, V: Variable, C: HasBoard<V::Board> + ?Sized>(variable: &V, ctx: &'c C) -> Option<&'c V::Value>
where
    V::Board: 'c,
{
    variable.get(ctx.board()).or_else(|| ctx.shared_board().and_then(|board| variable.get(board)))
}
