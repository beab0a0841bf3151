//! Nodes over real sockets. They run only in a network namespace: `tests/namespace.sh cargo test`.

mod actions;
mod clock;
mod common;
mod cyclone;
mod navigate;
mod parameters;
mod server;
mod services;
mod topics;
