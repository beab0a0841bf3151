//! What a context does with the errors of its leaves.

use crate::id::NodeId;

/// A context that takes the errors of its leaves: needed where a leaf returns `Result<_, E>`.
///
/// The tree answers [`Status::Error`](crate::Status::Error) and halts whatever is open. A context can implement this for several
/// error types. `at` names the leaf: the tree's [`Description`](crate::describe::Description) knows its name, file and line.
///
/// ```
/// use bt_core::prelude::*;
///
/// struct Robot { faults: Vec<(NodeId, String)> }
///
/// impl OnError<std::num::ParseIntError> for Robot {
///     fn on_error(&mut self, at: NodeId, error: std::num::ParseIntError) {
///         self.faults.push((at, error.to_string()));
///     }
/// }
/// fn read_sensor(_: &mut Robot) -> Result<bool, std::num::ParseIntError> {
///     Ok("12 cm".parse::<u32>()? < 20)
/// }
///
/// let tree = tree! { for Robot: selector { read_sensor, succeed } };
/// let mut robot = Robot { faults: Vec::new() };
/// assert_eq!(tree.tick(&mut robot, &mut tree.memory()), Status::Error);
///
/// let (at, error) = &robot.faults[0];
/// let leaf = tree.description().node(*at).unwrap().to_string();
/// assert!(leaf.starts_with("#1 read_sensor at ") && leaf.contains(".rs:"));
/// assert_eq!(error, "invalid digit found in string");
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not handle errors of type `{E}`",
    label = "this leaf returns `Result<_, {E}>`, so the context must implement `OnError<{E}>`",
    note = "add `impl OnError<{E}> for {Self} {{ fn on_error(&mut self, at: NodeId, error: {E}) {{ … }} }}`"
)]
pub trait OnError<E> {
    /// Called before the leaf at `at` answers `Error`.
    fn on_error(&mut self, at: NodeId, error: E);
}
