//! The names of requests and updates.

/// The names of all requests, except those about documents: see [`access`](super::access).
pub const REQUESTS: &[&str] = &[
    "select",
    "follow",
    "list",
    "pause",
    "resume",
    "step",
    "walk",
    "break",
    "watch",
    "check",
    "past",
    "rewind",
    "rewindall",
    "test",
    "overview",
    "edit",
];

/// The names of all updates.
pub const UPDATES: &[&str] = &[
    "hello",
    "loading",
    "trees",
    "agents",
    "ticks",
    "pause",
    "present",
    "breakpoints",
    "watches",
    "checked",
    "test",
    "overview",
    "edited",
    "lost",
    "error",
    "documents",
    "palette",
    "document",
    "changed",
    "tried",
    "copied",
    "source",
    "refused",
    "text",
    "adopted",
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::message::{Request, Update};

    #[test]
    fn each_request_has_its_name() {
        // serde names all of them in its error.
        let error = Request::parse("{\"dance\":1}").expect_err("there is no such request");
        let names: Vec<_> = error.split('`').skip(3).step_by(2).collect();
        assert_eq!(names, REQUESTS);
    }

    /// The name of each update: an update without one does not compile.
    fn name(update: &Update<'_>) -> &'static str {
        match update {
            Update::Hello { .. } => "hello",
            Update::Loading(_) => "loading",
            Update::Trees(_) => "trees",
            Update::Agents { .. } => "agents",
            Update::Ticks { .. } => "ticks",
            Update::Pause { .. } => "pause",
            Update::Present { .. } => "present",
            Update::Breakpoints(_) => "breakpoints",
            Update::Watches(_) => "watches",
            Update::Checked { .. } => "checked",
            Update::Test(_) => "test",
            Update::Overview { .. } => "overview",
            Update::Edited { .. } => "edited",
            Update::Lost(_) => "lost",
            Update::Error(_) => "error",
        }
    }

    #[test]
    fn each_update_has_its_name() {
        let path = Vec::new();
        let updates = [
            Update::Hello { recording: false, session: 3 },
            Update::Loading(None),
            Update::Trees(Vec::new()),
            Update::Ticks { agent: 1, list: Vec::new() },
            Update::Pause { agent: 1, paused: true, stop: None, holds: 0 },
            Update::Present { agent: 1, values: None },
            Update::Breakpoints(Vec::new()),
            Update::Watches(Vec::new()),
            Update::Checked { expression: "", error: None, warning: None, value: None },
            Update::Test(String::new()),
            Update::Overview { tree: 1, agents: 0, ticks: 0, nodes: Vec::new() },
            Update::Edited { agent: 1, path: &path, error: None },
            Update::Lost(1),
            Update::Error(""),
        ];
        for update in updates {
            let (name, text) = (name(&update), update.text());
            assert!(UPDATES.contains(&name) && text.starts_with(&format!("{{\"{name}\":")), "{text}");
        }
    }
}
