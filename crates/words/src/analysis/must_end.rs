//! Nodes that must never be running, and the errors for nodes that can be running.

use crate::role::Role;

/// The condition of an `if`.
pub const IF: &str = "the condition of an `if` must never return `Running`\nhelp: use a `fn(&Context) -> bool`; a decorator of your own declares its statuses with `const RETURNS`";
/// The condition of a transition.
pub const TRANSITION: &str = "the condition of a transition must never return `Running`\nhelp: use a `fn(&Context) -> bool`; a decorator of your own declares its statuses with `const RETURNS`";
/// An action on entering or leaving a state.
pub const HOOK: &str = "an `enter:` or `exit:` action must never return `Running`\nhelp: use a `fn(&mut Context)`; a decorator of your own declares its statuses with `const RETURNS`";
/// The action of a service.
pub const SERVICE: &str = "the action of a `service` must never return `Running`\nhelp: use a `fn(&mut Context)`";

/// Returns the error for a leaf with this role that can be running; `None` for a child, which is allowed to run.
pub const fn of(role: Role) -> Option<&'static str> {
    match role {
        Role::Child => None,
        Role::Guard => Some(TRANSITION),
        Role::Enter | Role::Exit => Some(HOOK),
        Role::Service => Some(SERVICE),
    }
}
