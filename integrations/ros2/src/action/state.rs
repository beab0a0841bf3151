//! The goals of a client, and what its thread does with each of them.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, Weak};

use futures::future::{Either, select};
use ros2_client::action::{
    FeedbackMessage, GetResultRequest, GetResultResponse, GoalId, GoalStatusEnum, SendGoalRequest, SendGoalResponse,
};

use super::outcome::Outcome;
use super::wire::{CancelRequest, CancelResponse};
use crate::call::Caller;
use crate::error::Ros2Error;
use crate::message::Message;
use crate::reactor::Source;
use crate::session::Session;
use crate::take::take_all;
use crate::waiters::{Waiters, lock};

/// What a client shares with its goals.
pub(super) struct Shared<G: Message, R: Message, F: Message> {
    pub(super) name: String,
    pub(super) send: Caller<SendGoalRequest<G>, SendGoalResponse>,
    pub(super) result: Caller<GetResultRequest, GetResultResponse<R>>,
    pub(super) cancel: Caller<CancelRequest, CancelResponse>,
    pub(super) goals: Mutex<BTreeMap<GoalId, State<R, F>>>,
    pub(super) waiters: Arc<Waiters>,
}

/// A goal that has a handle or is being canceled.
pub(super) struct State<R, F> {
    /// The last feedback, until it is read.
    pub(super) feedback: Option<F>,
    /// Whether it has to be canceled.
    pub(super) is_canceled: bool,
    /// Whether the handle was dropped.
    pub(super) is_abandoned: bool,
    /// What the server has said to that.
    pub(super) acknowledged: Option<Result<(), Ros2Error>>,
    pub(super) outcome: Option<Result<Outcome<R>, Ros2Error>>,
    pub(super) has_ended: bool,
}

impl<R, F> Default for State<R, F> {
    fn default() -> Self {
        Self {
            feedback: None,
            is_canceled: false,
            is_abandoned: false,
            acknowledged: None,
            outcome: None,
            has_ended: false,
        }
    }
}

impl<G: Message, R: Message, F: Message> Shared<G, R, F> {
    /// Follows a goal to its end.
    pub(super) async fn run(self: Arc<Self>, id: GoalId, goal: G) {
        let outcome = self.attempt(id, goal).await;
        // The server may still execute a goal whose end is unknown here.
        let is_lost = outcome.is_err();
        self.end(id, outcome);
        self.waiters.wake();
        if is_lost {
            // The outcome is the error already.
            _ = self.cancel.call(CancelRequest::of(id)).await;
        }
    }

    /// Notes how a goal has ended.
    fn end(&self, id: GoalId, outcome: Result<Outcome<R>, Ros2Error>) {
        let mut goals = lock(&self.goals);
        if let Some(state) = goals.get_mut(&id) {
            state.has_ended = true;
            if outcome.is_err() && state.is_canceled && state.acknowledged.is_none() {
                state.acknowledged = Some(Err(Ros2Error::ServerLost { name: self.name.clone() }));
            }
            state.outcome = Some(outcome);
            if state.is_abandoned {
                goals.remove(&id);
            }
        }
    }

    async fn attempt(&self, id: GoalId, goal: G) -> Result<Outcome<R>, Ros2Error> {
        // Without a server, there is nothing to cancel.
        let servers = async {
            self.send.server().await;
            self.result.server().await;
            self.cancel.server().await;
        };
        if let Either::Right(_) = select(std::pin::pin!(servers), std::pin::pin!(self.canceled(id))).await {
            return Ok(Outcome::Canceled(None));
        }
        // A goal can be canceled only after the server has accepted it.
        let response = self.send.call(SendGoalRequest { goal_id: id, goal }).await?;
        if !response.accepted {
            return Ok(Outcome::Rejected);
        }
        let result = self.result.call(GetResultRequest { goal_id: id });
        match select(std::pin::pin!(result), std::pin::pin!(self.cancel(id))).await {
            Either::Left((result, _)) => {
                let GetResultResponse { status, result } = result?;
                Ok(match status {
                    GoalStatusEnum::Succeeded => Outcome::Succeeded(result),
                    GoalStatusEnum::Canceled => Outcome::Canceled(Some(result)),
                    _ => Outcome::Aborted(result),
                })
            }
            Either::Right(((), _)) => Ok(Outcome::Canceled(None)),
        }
    }

    /// Waits until a goal is to be canceled.
    fn canceled(&self, id: GoalId) -> impl Future<Output = ()> {
        self.waiters.until(move || lock(&self.goals).get(&id).is_none_or(|state| state.is_canceled).then_some(()))
    }

    /// Cancels a goal when it is to be canceled. Ends when the server has acknowledged that and nobody waits for the result.
    async fn cancel(&self, id: GoalId) {
        loop {
            self.canceled(id).await;
            let response = self.cancel.call(CancelRequest::of(id)).await;
            let acknowledged = response.and_then(|response| {
                let refused = || Ros2Error::CancelRejected { name: self.name.clone() };
                response.is_acknowledged().then_some(()).ok_or_else(refused)
            });
            let is_acknowledged = acknowledged.is_ok();
            let mut goals = lock(&self.goals);
            if let Some(state) = goals.get_mut(&id) {
                state.acknowledged = Some(acknowledged);
                // After a refusal, it can be asked again.
                state.is_canceled = is_acknowledged;
                if is_acknowledged && state.is_abandoned {
                    goals.remove(&id);
                }
            }
            drop(goals);
            self.waiters.wake();
            if is_acknowledged {
                break;
            }
        }
        let is_abandoned = || lock(&self.goals).get(&id).is_none_or(|state| state.is_abandoned);
        self.waiters.until(|| is_abandoned().then_some(())).await;
    }

    /// Lets the thread cancel a goal.
    pub(super) fn cancel_goal(&self, id: GoalId) {
        if let Some(state) = lock(&self.goals).get_mut(&id)
            && !state.is_canceled
        {
            state.is_canceled = true;
            state.acknowledged = None;
        }
        self.waiters.wake();
    }

    /// Waits until the server has acknowledged that a goal is canceled, or the goal has ended.
    pub(super) fn acknowledged(
        self: &Arc<Self>,
        id: GoalId,
    ) -> impl Future<Output = Result<(), Ros2Error>> + Send + use<G, R, F> {
        let shared = self.clone();
        self.waiters.until(move || {
            let mut goals = lock(&shared.goals);
            let Some(state) = goals.get_mut(&id) else { return Some(Ok(())) };
            match state.acknowledged {
                Some(Ok(())) => Some(Ok(())),
                Some(Err(_)) => state.acknowledged.take(),
                None => state.has_ended.then_some(Ok(())),
            }
        })
    }
}

/// The receiving end of feedback.
pub(super) struct Feedback<G: Message, R: Message, F: Message> {
    pub(super) subscription: ros2_client::Subscription<FeedbackMessage<F>>,
    pub(super) shared: Arc<Shared<G, R, F>>,
    pub(super) session: Weak<Session>,
}

impl<G: Message, R: Message, F: Message> Source for Feedback<G, R, F> {
    fn receive(&self) {
        let mut has_changed = false;
        // Feedback decides nothing: the next one may be readable.
        take_all(&self.subscription, |taken| {
            // The topic also has the feedback to the goals of others.
            if let Ok((message, _)) = taken
                && let Some(state) = lock(&self.shared.goals).get_mut(&message.goal_id)
            {
                state.feedback = Some(message.feedback);
                has_changed = true;
            }
        });
        if has_changed {
            self.shared.waiters.wake();
            if let Some(session) = self.session.upgrade() {
                session.arrived();
            }
        }
    }
}
