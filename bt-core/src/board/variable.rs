//! What a board is, and what names a variable of it.

use crate::board::VariableView;

/// A set of variables: a [`Board`](crate::board::Board), or a struct with [`#[derive(Blackboard)]`](derive@crate::Blackboard).
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a board, and has none",
    label = "the context must implement `HasBoard`",
    note = "add `impl HasBoard<Board> for {Self} {{ fn board(&self) -> &Board {{ … }} fn board_mut(&mut self) -> &mut Board {{ … }} }}`"
)]
pub trait Blackboard {
    /// Resets every variable to its default, or unsets it if it has none.
    fn reset(&mut self);
    /// Calls `see` with every variable, for tools.
    fn show(&self, see: &mut dyn FnMut(VariableView<'_>));
}

/// A typed reference to one variable of a type of board, such as a [`Key`](crate::board::Key).
pub trait Variable {
    /// The type of board.
    type Board: ?Sized;
    /// The type of the variable.
    type Value;
    /// Returns the name of the variable.
    #[doc(hidden)]
    fn name(&self) -> &str;
    /// Returns the value of the variable; `None` if it is not set, or if it has another type.
    #[doc(hidden)]
    fn get<'b>(&self, board: &'b Self::Board) -> Option<&'b Self::Value>;
    /// Returns `true` if the variable has another type on this board.
    #[doc(hidden)]
    fn is_mistyped(&self, board: &Self::Board) -> bool {
        let _ = board;
        false
    }
    /// Sets the variable. Returns `false` if the variable has another type.
    #[doc(hidden)]
    fn set(&self, board: &mut Self::Board, value: Self::Value) -> bool;
    /// Removes the value of the variable.
    #[doc(hidden)]
    fn unset(&self, board: &mut Self::Board);
}
