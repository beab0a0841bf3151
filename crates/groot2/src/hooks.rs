//! Hooks: breakpoints, and replaced statuses.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::status::NodeStatus;

/// When a hook applies.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Position {
    /// Before the node is ticked.
    Pre,
    /// After it was ticked.
    Post,
}

/// What a hook does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Mode {
    /// It holds the tree until it is unlocked.
    Breakpoint,
    /// It replaces the status of the node.
    Replace,
}

/// Whose hook it is.
pub(crate) type Place = (Position, u16);

#[derive(Clone, Copy, Debug)]
pub(crate) struct Hook {
    pub(crate) is_enabled: bool,
    pub(crate) mode: Mode,
    pub(crate) is_once: bool,
    pub(crate) status: NodeStatus,
    /// Whether a breakpoint is unlocked.
    pub(crate) is_ready: bool,
}

/// All hooks: at most two for each node.
#[derive(Clone, Debug, Default)]
pub(crate) struct Hooks(BTreeMap<Place, Hook>);

/// The reason why a request is refused.
pub(crate) type Refusal = String;

const NO_HOOK: &str = "Node ID not found";
const NO_REPLACEMENT: &str = "a status cannot be replaced after the tick";

impl Hooks {
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn get(&self, place: Place) -> Option<&Hook> {
        self.0.get(&place)
    }

    pub(crate) fn get_mut(&mut self, place: Place) -> Option<&mut Hook> {
        self.0.get_mut(&place)
    }

    /// Adds or changes a hook, or each of a list. Hooks of unknown nodes are ignored. If one is invalid, none is added.
    pub(crate) fn insert(&mut self, request: &Value, nodes: usize) -> Result<(), Refusal> {
        let list = request.as_array().map_or(std::slice::from_ref(request), Vec::as_slice);
        let hooks = list.iter().map(read).collect::<Result<Vec<_>, _>>()?;
        for (place, hook) in hooks {
            if place.1 == 0 || usize::from(place.1) > nodes {
                continue;
            }
            let before = self.0.insert(place, hook);
            let was_breakpoint = before.is_some_and(|before| before.mode == Mode::Breakpoint);
            if let Some(hook) = self.0.get_mut(&place) {
                // What is held goes on with the status that replaces it.
                hook.is_ready =
                    before.is_some_and(|before| before.is_ready) || was_breakpoint && hook.mode == Mode::Replace;
            }
        }
        Ok(())
    }

    pub(crate) fn unlock(&mut self, request: &Value) -> Result<(), Refusal> {
        let uid = number(request, "uid")?;
        let status = match text(request, "desired_status")? {
            "SUCCESS" => NodeStatus::Success,
            "FAILURE" => NodeStatus::Failure,
            _ => NodeStatus::Skipped,
        };
        let position = position(request)?;
        let is_once = flag(request, "remove_when_done")?;
        let hook = self.0.get_mut(&(position, uid)).ok_or(NO_HOOK)?;
        if position == Position::Post && status != NodeStatus::Skipped {
            return Err(NO_REPLACEMENT.to_owned());
        }
        hook.status = status;
        hook.is_once |= is_once;
        hook.is_ready |= hook.mode == Mode::Breakpoint;
        Ok(())
    }

    pub(crate) fn remove(&mut self, request: &Value) -> Result<(), Refusal> {
        let uid = number(request, "uid")?;
        self.take((position(request)?, uid)).then_some(()).ok_or_else(|| NO_HOOK.to_owned())
    }

    /// Removes a hook. Returns `true` if there was one.
    pub(crate) fn take(&mut self, place: Place) -> bool {
        self.0.remove(&place).is_some()
    }

    pub(crate) fn remove_all(&mut self) {
        self.0.clear();
    }

    pub(crate) fn disable_all(&mut self) {
        self.0.values_mut().for_each(|hook| hook.is_enabled = false);
    }

    /// Returns all hooks as JSON.
    pub(crate) fn dump(&self) -> String {
        let one = |((position, uid), hook): (&Place, &Hook)| {
            json!({
                "desired_status": hook.status.to_string(),
                "enabled": hook.is_enabled,
                "mode": i32::from(hook.mode == Mode::Replace),
                "once": hook.is_once,
                "position": i32::from(*position == Position::Post),
                "uid": uid,
            })
        };
        Value::Array(self.0.iter().map(one).collect()).to_string()
    }
}

fn read(request: &Value) -> Result<(Place, Hook), Refusal> {
    let is_enabled = flag(request, "enabled")?;
    let uid = number(request, "uid")?;
    let is_once = flag(request, "once")?;
    let mode = if number::<i64>(request, "mode")? == 0 { Mode::Breakpoint } else { Mode::Replace };
    let position = position(request)?;
    let status = text(request, "desired_status")?;
    let all = [NodeStatus::Idle, NodeStatus::Running, NodeStatus::Success, NodeStatus::Failure, NodeStatus::Skipped];
    let known = all.into_iter().find(|known| known.to_string() == status);
    let status = known.ok_or_else(|| format!("unknown status `{}`", status.chars().take(40).collect::<String>()))?;
    if position == Position::Post && mode == Mode::Replace {
        return Err(NO_REPLACEMENT.to_owned());
    }
    Ok(((position, uid), Hook { is_enabled, mode, is_once, status, is_ready: false }))
}

fn field<'v>(request: &'v Value, name: &str) -> Result<&'v Value, Refusal> {
    request.get(name).ok_or_else(|| format!("missing field `{name}`"))
}

fn flag(request: &Value, name: &str) -> Result<bool, Refusal> {
    field(request, name)?.as_bool().ok_or_else(|| format!("field `{name}` is not a boolean"))
}

fn text<'v>(request: &'v Value, name: &str) -> Result<&'v str, Refusal> {
    field(request, name)?.as_str().ok_or_else(|| format!("field `{name}` is not a string"))
}

fn number<T: TryFrom<i64>>(request: &Value, name: &str) -> Result<T, Refusal> {
    let number = field(request, name)?.as_i64().and_then(|number| T::try_from(number).ok());
    number.ok_or_else(|| format!("field `{name}` is not a number in range"))
}

fn position(request: &Value) -> Result<Position, Refusal> {
    Ok(if number::<i64>(request, "position")? == 0 { Position::Pre } else { Position::Post })
}
