//! The handling of errors and of failures of leaves by the context.

use crate::id::NodeId;

/// A context that receives the errors of its leaves. Required if a leaf returns `Result<_, E>`.
///
/// The leaf returns [`Status::Error`](crate::Status::Error), which ends the tree and halts its running nodes. A context
/// can implement this trait for several error types. `at` is the id of the leaf; the tree's
/// [`Description`](crate::describe::Description) contains its name, file and line.
///
/// Other errors have no value: a leaf returns `Error`, or a variable is not set. Debug builds with the feature `std` report the
/// first error of a tree that neither an observer nor the context receives, with its node and the reason. Each tree is
/// reported once, to standard error or, if a subscriber is set, to `tracing`.
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
    /// Receives an error, before the leaf at `at` returns `Error`.
    fn on_error(&mut self, at: NodeId, error: E);
}

/// A context that receives the reasons of failures. Required if a leaf returns [`Fails<_, E>`](crate::leaf::Fails), as an
/// `#[action(fails)]` does.
///
/// Conditions of the tree can read what the context has stored. A context that needs no reasons, because only observers do, has
/// an empty impl:
///
/// ```
/// use bt_core::prelude::*;
/// use bt_core::OnFailure;
///
/// struct Robot;
/// impl OnFailure<&'static str> for Robot {}
///
/// #[action(fails)]
/// fn open_door(_: &mut Robot) -> Result<(), &'static str> { Err("locked") }
///
/// #[derive(Default)]
/// struct Reasons(Vec<String>);
/// impl Observer for Reasons {
///     fn failure(&mut self, at: NodeId, reason: &dyn std::fmt::Display) { self.0.push(format!("{at}: {reason}")) }
/// }
///
/// let (tree, mut reasons) = (tree! { sequence { open_door } }, Reasons::default());
/// assert_eq!(tree.tick_with(&mut Robot, &mut tree.memory(), &mut reasons), Status::Failure);
/// assert_eq!(reasons.0, ["#1: locked"]);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not receive failures with a reason of type `{E}`",
    label = "this leaf fails with a reason of type `{E}`, so the context must implement `OnFailure<{E}>`",
    note = "add `impl OnFailure<{E}> for {Self} {{}}`, with `fn on_failure(&mut self, at: NodeId, reason: {E})` to store the reason"
)]
#[expect(unused_variables, reason = "the default ignores its arguments")]
pub trait OnFailure<E> {
    /// Receives the reason, before the leaf at `at` returns `Failure`.
    fn on_failure(&mut self, at: NodeId, reason: E) {}
}
