//! A goal that was sent.

use std::fmt;
use std::future::IntoFuture;
use std::sync::Arc;

use futures::future::{BoxFuture, FutureExt};
use ros2_client::action::GoalId;

use super::outcome::Outcome;
use super::state::{Feedback, Shared};
use crate::error::Ros2Error;
use crate::message::Message;
use crate::waiters::lock;

/// A goal that was sent. As a future, it is the [`Outcome`].
///
/// If it is dropped before the goal has ended, the goal is canceled in the background: so halting an action cancels its goal.
///
/// Returned by [`ActionClient::send`](crate::ActionClient::send).
#[must_use = "dropping a goal cancels it"]
pub struct Goal<G: Message, R: Message, F: Message> {
    pub(super) id: GoalId,
    pub(super) shared: Arc<Shared<G, R, F>>,
    /// Feedback arrives also after the client was dropped.
    pub(super) _feedback: Arc<Feedback<G, R, F>>,
}

impl<G: Message, R: Message, F: Message> Goal<G, R, F> {
    /// Waits for feedback that was not read yet, or for the end of the goal, which is `None`. Of several messages, it is the last one.
    pub async fn feedback(&mut self) -> Option<F> {
        let until = self.shared.waiters.until(|| {
            let mut goals = lock(&self.shared.goals);
            let Some(state) = goals.get_mut(&self.id) else { return Some(None) };
            state.feedback.take().map(Some).or(state.has_ended.then_some(None))
        });
        until.await
    }

    /// Waits for the end of the goal.
    ///
    /// # Errors
    ///
    /// Fails if the goal cannot be sent, if a response cannot be decoded, and if the server is gone.
    pub async fn outcome(self) -> Result<Outcome<R>, Ros2Error> {
        let until = self.shared.waiters.until(|| lock(&self.shared.goals).get_mut(&self.id)?.outcome.take());
        until.await
    }

    /// Cancels the goal. The future is ready when the server has acknowledged that, or the goal has ended.
    ///
    /// # Errors
    ///
    /// Fails if the server refuses, or is gone.
    pub async fn cancel(&mut self) -> Result<(), Ros2Error> {
        self.shared.cancel_goal(self.id);
        self.shared.acknowledged(self.id).await
    }
}

impl<G: Message, R: Message, F: Message> IntoFuture for Goal<G, R, F> {
    type Output = Result<Outcome<R>, Ros2Error>;
    type IntoFuture = BoxFuture<'static, Self::Output>;

    fn into_future(self) -> Self::IntoFuture {
        self.outcome().boxed()
    }
}

impl<G: Message, R: Message, F: Message> Drop for Goal<G, R, F> {
    fn drop(&mut self) {
        let mut goals = lock(&self.shared.goals);
        if let Some(state) = goals.get_mut(&self.id) {
            state.is_abandoned = true;
            if state.has_ended {
                goals.remove(&self.id);
            }
        }
        drop(goals);
        self.shared.cancel_goal(self.id);
    }
}

impl<G: Message, R: Message, F: Message> fmt::Debug for Goal<G, R, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Goal").field("action", &self.shared.name).field("id", &self.id).finish_non_exhaustive()
    }
}
