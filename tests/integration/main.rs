//! Trees with other crates and tools, the guide, and what holds for every file.

mod archives;
mod budget;
mod drawings;
mod formats;
mod guide;
mod paused_time;
mod rooms;
mod tracing;
mod unsafe_code;
