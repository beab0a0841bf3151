//! What a server serves: a program, or several programs as one.

use std::sync::Arc;
use std::time::Duration;

/// What has pages: see [`Server::start`](super::Server::start).
pub trait Served: Send + Sync + 'static {
    /// A connected page.
    type Page: ServedPage;

    /// Connects a page, which has or has not come with the token.
    fn open(self: Arc<Self>, has_token: bool) -> Self::Page;

    /// Called about once per second, also without pages. `now` is the time since any fixed moment.
    fn maintain(&self, now: Duration);

    /// Called when the server has ended.
    fn close(&self);
}

/// A connected page. Dropping it disconnects the page.
pub trait ServedPage: Send + 'static {
    /// Returns the first update.
    fn hello(&self) -> String;

    /// Parses and handles a request. Errors are added to `updates`.
    fn receive(&mut self, message: &str, updates: &mut Vec<String>);

    /// Adds everything that has changed since the last update. `now` is the time since any fixed moment.
    fn push_updates(&mut self, now: Duration, updates: &mut Vec<String>);

    /// Returns whether no more pages are served.
    fn is_closed(&self) -> bool;
}
