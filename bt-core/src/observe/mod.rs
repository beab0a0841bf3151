//! Observation of ticks: the events of each node, at the time when they occur.

#[cfg(feature = "alloc")]
mod change_log;
#[cfg(feature = "alloc")]
mod statistics;
#[cfg(feature = "alloc")]
mod statuses;
#[cfg(feature = "tracing")]
mod tracer;
#[cfg(feature = "alloc")]
mod why;

#[doc(hidden)]
#[cfg(feature = "alloc")]
pub use crate::observer::{DynObserver, IfAny, WithDyn, as_dyn};
pub use crate::observer::{ForAgent, Tick};
#[cfg(feature = "alloc")]
pub use crate::recording::{Event, EventKind, InvalidEvents, Recorder, Recording, ShortFloat, TickRecord};
#[cfg(feature = "record")]
pub use crate::recording::{ReadError, RecordFile, Recorded, VariableRecord, VersionRecord};
#[cfg(feature = "tracing")]
pub use change_log::ToTracing;
#[cfg(feature = "record")]
pub use change_log::ToWriter;
#[cfg(feature = "alloc")]
pub use change_log::{ChangeLog, ChangeSink, StatusChange};
#[cfg(feature = "alloc")]
pub use statistics::{Coverage, NodeCounts, Statistics};
#[cfg(feature = "alloc")]
pub use statuses::{Last, Statuses};
#[cfg(feature = "tracing")]
pub use tracer::Tracer;
#[cfg(feature = "alloc")]
pub use why::{Why, WhyLink, WhyPart};
