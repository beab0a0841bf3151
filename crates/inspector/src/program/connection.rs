//! A page whose messages the program carries.

use std::sync::Arc;
use std::time::Duration;

use crate::protocol::Page;
use crate::state::Shared;

/// A connected page whose messages the program carries, returned by [`Inspector::connect`](crate::Inspector::connect). Dropping it disconnects the page.
///
/// The messages are texts, the same as those of a server's WebSocket. The page must be that of [`FILES`](crate::FILES) in the same version.
pub struct Connection {
    page: Page,
    updates: Vec<String>,
}

impl Connection {
    pub(super) fn new(shared: Arc<Shared>) -> Self {
        let page = Page::new(shared, true);
        let updates = vec![page.hello()];
        Self { page, updates }
    }

    /// Handles a message of the page. [`updates`](Self::updates) returns its errors, too.
    pub fn receive(&mut self, message: &str) {
        self.page.receive(message, &mut self.updates);
    }

    /// Returns the messages for the page: what has changed since the last call. Call it about 30 times per second. `now` is the time since any fixed moment.
    pub fn updates(&mut self, now: Duration) -> Vec<String> {
        self.page.push_updates(now, &mut self.updates);
        std::mem::take(&mut self.updates)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::{Arc, Mutex};

    use bt_core::prelude::*;

    use super::Connection;
    use crate::lock::lock;
    use crate::program::Inspector;

    /// A breakpoint at every visit of the leaf.
    const BREAKPOINT: &str = r#"{"break":{"tree":0,"breakpoint":{"node":1,"on":["Visit"]}}}"#;

    /// Sends requests and returns the updates as one text.
    fn send(page: &mut Connection, requests: &[&str]) -> String {
        for request in requests {
            page.receive(request);
        }
        page.updates(secs(0)).join("\n")
    }

    #[test]
    fn the_first_update_greets_and_errors_are_updates() {
        let inspector = Inspector::without_server();
        let mut page = inspector.connect();
        assert_eq!(inspector.pages(), 1);
        assert!(send(&mut page, &[]).starts_with("{\"hello\":"));
        assert!(send(&mut page, &["{\"select\":7}"]).contains("unknown agent 7"));
        drop(page);
        assert_eq!(inspector.pages(), 0);
    }

    #[test]
    fn without_a_thread_a_breakpoint_holds_the_agent_before_its_next_tick() {
        let tree = tree! { for u32: sequence { |n: &u32| *n > 0, |n: &mut u32| *n += 1 } };
        let inspector = Inspector::without_server();
        let mut ann = inspector.agent(inspector.tree("counter", &tree), "Ann");
        let mut page = inspector.connect();
        let (mut n, mut memory) = (1, tree.memory());
        send(&mut page, &["{\"select\":0}", BREAKPOINT]);
        assert!(!ann.is_held());
        tree.tick_with(&mut n, &mut memory, &mut ann);
        assert_eq!((n, ann.is_held()), (2, true), "the tick was not interrupted");
        let stopped = send(&mut page, &[]);
        assert!(stopped.contains(r#""at":[1,"Visit"]"#) && stopped.contains(r#""paused":true"#), "{stopped}");
        send(&mut page, &["{\"resume\":0}"]);
        assert!(!ann.is_held());
    }

    #[test]
    fn a_program_can_receive_what_pages_send_while_a_tick_waits() {
        let tree = tree! { for u32: sequence { |n: &u32| *n > 0, |n: &mut u32| *n += 1 } };
        let page = Arc::new(Mutex::new(None::<Connection>));
        let waits = Arc::new(AtomicUsize::new(0));
        let (pages, count) = (Arc::clone(&page), Arc::clone(&waits));
        let inspector = Inspector::without_server();
        inspector.waits_by(move || {
            count.fetch_add(1, Ordering::Relaxed);
            let mut page = lock(&pages);
            let page = page.as_mut().expect("it is connected");
            let stopped = send(page, &[]);
            assert!(stopped.contains(r#""at":[1,"Visit"]"#), "{stopped}");
            page.receive("{\"resume\":0}");
        });
        let mut ann = inspector.agent(inspector.tree("counter", &tree), "Ann");
        *lock(&page) = Some(inspector.connect());
        send(lock(&page).as_mut().expect("it is connected"), &["{\"select\":0}", BREAKPOINT]);
        let mut n = 1;
        tree.tick_with(&mut n, &mut tree.memory(), &mut ann);
        assert_eq!((n, ann.is_held(), waits.load(Ordering::Relaxed)), (2, false, 1));
    }
}
