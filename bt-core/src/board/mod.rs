//! The blackboard: variables that nodes share without a common struct.
//!
//! Most state belongs in the context, a typed struct. A [`Board`] is for state that cannot be in a struct: the
//! variables of reusable subtrees, of scripts, of trees from files, and of tools that list values. Its variables have
//! typed [`Key`]s. The scope of a variable is the whole board, a tree, or a node of a tree.
//!
//! [`#[derive(Blackboard)]`](derive@crate::Blackboard) generates the same kind of keys for the fields of a plain
//! struct, without any lookup.
//!
//! ```
//! use bt_core::board::{compare, is_set, set};
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

mod argument;
#[cfg(feature = "alloc")]
mod assign;
#[cfg(feature = "alloc")]
mod changes;
#[cfg(feature = "alloc")]
mod dynamic;
#[cfg(feature = "alloc")]
mod entry;
#[cfg(feature = "alloc")]
mod fault;
mod field;
#[cfg(feature = "alloc")]
mod input;
#[cfg(feature = "alloc")]
mod key;
mod leaves;
#[cfg(feature = "alloc")]
mod number;
#[cfg(feature = "serde")]
mod save;
#[cfg(feature = "alloc")]
mod untyped;
mod variable;

pub use crate::observer::VariableView;
#[doc(hidden)]
pub use argument::{ByVariable, FromVariable};
#[cfg(feature = "alloc")]
pub use changes::Changes;
#[cfg(feature = "alloc")]
pub use dynamic::Board;
#[cfg(feature = "json")]
pub(crate) use entry::Value as BoardType;
#[cfg(feature = "alloc")]
pub use fault::{ParameterError, VariableError, WrongType};
#[doc(hidden)]
pub use field::{Field, FieldOf};
#[cfg(feature = "alloc")]
pub use input::{OptionalInput, OutputKey, ValueOrKey};
#[cfg(feature = "alloc")]
pub use key::{Key, Scope, Text};
#[doc(hidden)]
pub use leaves::{Compare, Copied, IsSet, Set, Unset};
pub use leaves::{compare, copy, is_set, set, unset};
#[doc(hidden)]
#[cfg(feature = "alloc")]
pub use untyped::{BoardValue, Convert, Untyped};
pub use variable::{Blackboard, Variable};

use crate::status::Outcome;

/// A context that has a board of type `B`, and optionally a shared board.
///
/// A variable that is not set on the context's own board is looked up on the shared board. Writes go to the context's own board.
/// To write to the shared board, access it directly.
///
/// ```
/// use bt_core::board::compare;
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
    /// Returns the context's own board.
    fn board(&self) -> &B;
    /// Returns the context's own board for mutation.
    fn board_mut(&mut self) -> &mut B;
    /// Returns the shared board, if there is one.
    fn shared_board(&self) -> Option<&B> {
        None
    }
}

/// A board is a context that consists of itself.
impl<B: Blackboard> HasBoard<B> for B {
    fn board(&self) -> &B {
        self
    }

    fn board_mut(&mut self) -> &mut B {
        self
    }
}

/// Returns the value of a variable in a context: from its own board, or else from the shared one. Returns `Failure` if it
/// is not set, and `Error` if it has another type where it is set.
#[inline]
pub(crate) fn read<'c, V: Variable, C: HasBoard<V::Board> + ?Sized>(
    variable: &V,
    ctx: &'c C,
) -> Result<&'c V::Value, Outcome>
where
    V::Board: 'c,
{
    for board in [Some(ctx.board()), ctx.shared_board()].into_iter().flatten() {
        if let Some(value) = variable.get(board) {
            return Ok(value);
        }
        if variable.is_mistyped(board) {
            return Err(Outcome::Error);
        }
    }
    Err(Outcome::Failure)
}

/// Returns the value of a variable in a context: from its own board, or else from the shared one.
#[inline]
pub fn look_up<'c, V: Variable, C: HasBoard<V::Board> + ?Sized>(variable: &V, ctx: &'c C) -> Option<&'c V::Value>
where
    V::Board: 'c,
{
    variable.get(ctx.board()).or_else(|| ctx.shared_board().and_then(|board| variable.get(board)))
}
