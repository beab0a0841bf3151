//! The protocol: replies to requests, without input and output.

use std::collections::VecDeque;
use std::time::Duration;

use serde_json::Value;

use crate::boards::{self, Boards};
use crate::hooks::{Hooks, Mode, Place, Refusal};
use crate::log;
use crate::message::{Header, Kind, tree_id};
use crate::model::Model;
use crate::status::NodeStatus;
use crate::tracker::Change;

/// The parts of a message.
pub(crate) type Message = Vec<Vec<u8>>;

/// The number of changes that a recording keeps, as in BehaviorTree.CPP.
const MAX_TRANSITIONS: usize = 1000;

/// What clients ask for.
#[derive(Debug)]
pub(crate) struct Monitor {
    model: Model,
    tree_id: [u8; 16],
    /// The number and the status of each node.
    statuses: Vec<u8>,
    /// The place of each node's status.
    places: Vec<usize>,
    pub(crate) hooks: Hooks,
    boards: Boards,
    /// When the recording began.
    recording: Option<Duration>,
    transitions: VecDeque<[u8; log::CHANGE]>,
    last_request: Option<Duration>,
    last_board: Option<Duration>,
    /// After this time without a request, no client is connected.
    pub(crate) patience: Duration,
}

/// The time of a request.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Now {
    /// Since the monitor began.
    pub(crate) since: Duration,
    /// Since 1970.
    pub(crate) epoch: Duration,
}

/// What becomes of a node with a hook.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Held {
    /// It waits for a client.
    Waits,
    /// It goes on, with another status if there is one.
    Goes(Option<NodeStatus>),
}

impl Monitor {
    pub(crate) fn new(model: Model) -> Self {
        let order = model.tree_order();
        let (mut statuses, mut places) = (Vec::with_capacity(3 * order.len()), vec![0; order.len()]);
        for row in order {
            statuses.extend(crate::row::uid_of(row).to_le_bytes());
            places[row] = statuses.len();
            statuses.push(0);
        }
        Self {
            model,
            tree_id: tree_id(),
            statuses,
            places,
            hooks: Hooks::default(),
            boards: Boards::new(),
            recording: None,
            transitions: VecDeque::new(),
            last_request: None,
            last_board: None,
            patience: Duration::from_secs(3),
        }
    }

    /// Returns `true` if a client has sent a request lately.
    pub(crate) fn is_connected(&self, now: Duration) -> bool {
        self.is_recent(self.last_request, now)
    }

    /// Returns `true` if a client has asked for variables lately, or is new.
    pub(crate) fn wants_boards(&self, now: Duration) -> bool {
        self.is_recent(self.last_board, now) || self.boards.is_empty() && self.is_connected(now)
    }

    fn is_recent(&self, time: Option<Duration>, now: Duration) -> bool {
        time.is_some_and(|time| now < time.saturating_add(self.patience))
    }

    pub(crate) fn set_boards(&mut self, boards: Boards) {
        self.boards = boards;
    }

    pub(crate) const fn is_recording(&self) -> bool {
        self.recording.is_some()
    }

    /// Takes a change of a status, at a time since the monitor began.
    pub(crate) fn change(&mut self, change: Change, now: Duration) {
        let place = usize::from(change.uid).checked_sub(1).and_then(|row| self.places.get(row));
        if let Some(status) = place.and_then(|place| self.statuses.get_mut(*place)) {
            // What a node that is idle now was before.
            *status = if change.to == NodeStatus::Idle { 10 + change.from.number() } else { change.to.number() };
        }
        if let Some(began) = self.recording {
            if self.transitions.len() == MAX_TRANSITIONS {
                self.transitions.pop_front();
            }
            self.transitions.push_back(log::bytes(now.saturating_sub(began), change));
        }
    }

    /// Returns `true` if a hook applies: then a client is notified.
    pub(crate) fn is_hooked(&self, place: Place, now: Duration) -> bool {
        self.is_connected(now) && self.hooks.get(place).is_some_and(|hook| hook.is_enabled)
    }

    /// Returns what becomes of a node whose hook applies. Removes a hook that applies once.
    pub(crate) fn pass(&mut self, place: Place, now: Duration) -> Held {
        if !self.is_hooked(place, now) {
            return Held::Goes(None);
        }
        let Some(hook) = self.hooks.get_mut(place) else { return Held::Goes(None) };
        if hook.mode == Mode::Breakpoint && !hook.is_ready {
            return Held::Waits;
        }
        hook.is_ready = false;
        let (status, is_once) = (hook.status, hook.is_once);
        if is_once {
            self.hooks.take(place);
        }
        Held::Goes(Some(status).filter(|status| status.is_completed()))
    }

    /// Returns the reply to a request.
    pub(crate) fn reply(&mut self, request: &[Vec<u8>], now: Now) -> Message {
        self.last_request = Some(now.since);
        match self.answer(request, now) {
            Ok(reply) => reply,
            Err(reason) => vec![b"error".to_vec(), reason.into_bytes()],
        }
    }

    fn answer(&mut self, request: &[Vec<u8>], now: Now) -> Result<Message, Refusal> {
        let header = request.first().and_then(|bytes| Header::read(bytes)).ok_or("wrong request header")?;
        let kind = header.kind().ok_or("Request not recognized")?;
        let body = match request {
            [_, body] => Ok(body.as_slice()),
            _ => Err("must be 2 parts message".to_owned()),
        };
        let json = || serde_json::from_slice::<Value>(body.clone()?).map_err(|error| error.to_string());
        let mut reply = vec![header.reply(self.tree_id)];
        match kind {
            Kind::FullTree => reply.push(self.model.xml().as_bytes().to_vec()),
            Kind::Status => reply.push(self.statuses.clone()),
            Kind::Blackboard => {
                let names = String::from_utf8_lossy(body?).into_owned();
                self.last_board = Some(now.since);
                reply.push(boards::dump(&self.boards, self.model.id(), &names)?);
            }
            Kind::HookInsert => self.hooks.insert(&json()?, self.model.rows().len())?,
            Kind::BreakpointUnlock => self.hooks.unlock(&json()?)?,
            Kind::HookRemove => self.hooks.remove(&json()?)?,
            Kind::RemoveAllHooks => self.hooks.remove_all(),
            Kind::DisableAllHooks => self.hooks.disable_all(),
            Kind::HooksDump => reply.push(self.hooks.dump().into_bytes()),
            Kind::ToggleRecording => match body? {
                b"start" => {
                    self.recording = Some(now.since);
                    self.transitions.clear();
                    reply.push(now.epoch.as_micros().to_string().into_bytes());
                }
                b"stop" => self.recording = None,
                _ => {}
            },
            Kind::GetTransitions => reply.push(self.transitions.drain(..).flatten().collect()),
        }
        Ok(reply)
    }
}

#[cfg(test)]
mod tests;
