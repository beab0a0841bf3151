//! The ticks of a recorded run, as source of a test.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::Write as _;
use core::time::Duration;

use crate::describe::Description;
use crate::id::NodeId;
use crate::recording::{Event, EventKind, TickRecord};
use crate::status::Status;
use crate::testing::event_log::EventLog;
use crate::testing::scripts::lines;

/// A tick, or if it has no status a halt or a visit of cleanups, and the lines of its log.
#[derive(PartialEq)]
struct Step {
    status: Option<Status>,
    log: Vec<String>,
}

/// Writes the calls and assertions. Those before tick `first` are not asserted. `clock` is a statement that sets the clock.
pub(super) fn write(out: &mut String, tree: &Description, ticks: &[&TickRecord], first: usize, clock: Option<&str>) {
    let mut events = EventLog::new(tree);
    let steps: Vec<_> = ticks
        .iter()
        .map(|tick| {
            tick.replay(tree, &mut events);
            Step { status: tick.status, log: events.take() }
        })
        .collect();
    let number = |step: usize| ticks[step].number;
    let mut at = 0;
    while at < first {
        let is_tick = steps[at].status.is_some();
        let same = steps[at..first].iter().take_while(|step| is_tick && step.status.is_some()).count().max(1);
        let (from, to) = (number(at), number(at + same - 1));
        let _ = match (is_tick, same) {
            (false, _) => halt(out, ticks[at], clock),
            (true, 1) => writeln!(out, "    test.tick(); // tick {from}"),
            (true, _) => writeln!(out, "    for _tick in {from}..={to} {{\n        test.tick();\n    }}"),
        };
        at += same;
    }
    if first > 0 {
        out.push_str("    test.log();\n");
    }
    while at < steps.len() {
        let step = &steps[at];
        let same = match step.status {
            Some(_) => steps[at..].iter().take_while(|next| *next == step).count(),
            None => 1,
        };
        let (from, to) = (number(at), number(at + same - 1));
        let _ = match (step.status, same) {
            (None, _) => {
                let _ = writeln!(out, "    // Tick {from}");
                let _ = halt(out, ticks[at], clock);
                writeln!(out, "    {}", log(&step.log, "    ", ""))
            }
            (Some(given), 1) => {
                let _ = writeln!(out, "    // Tick {from}\n    assert_eq!(test.tick(), {});", status(given));
                writeln!(out, "    {}", log(&step.log, "    ", ""))
            }
            (Some(given), _) => {
                let _ = writeln!(out, "    for tick in {from}..={to} {{");
                let _ = writeln!(out, "        assert_eq!(test.tick(), {}, \"tick {{tick}}\");", status(given));
                writeln!(out, "        {}\n    }}", log(&step.log, "        ", ", \"tick {tick}\""))
            }
        };
        at += same;
    }
}

/// Writes the halt of the tree, or the visit of its cleanups.
fn halt(out: &mut String, tick: &TickRecord, clock: Option<&str>) -> core::fmt::Result {
    if let Some(clock) = clock {
        let now = duration(tick.now);
        writeln!(out, "    {{\n        let (ctx, now) = (&mut test.ctx, {now});\n        {clock};\n    }}")?;
    }
    let is_halt = |event: &Event| event.node == NodeId::ROOT && matches!(event.what, EventKind::Halted(_));
    let call = if tick.events.iter().any(is_halt) { "halt" } else { "clean_up" };
    writeln!(out, "    test.{call}();")
}

/// The maximum width of a line.
const WIDTH: usize = 100;

/// Returns the assertion of a log.
fn log(log: &[String], indent: &str, message: &str) -> String {
    if log.is_empty() {
        return format!("assert_eq!(test.log(), [\"\"; 0]{message});");
    }
    let line = format!("assert_eq!(test.log(), {log:?}{message});");
    if indent.len() + line.len() <= WIDTH {
        return line;
    }
    let each = |indent: &str| log.iter().fold(String::new(), |each, line| each + indent + &format!("{line:?},\n"));
    if message.is_empty() {
        return format!("assert_eq!(test.log(), [\n{}{indent}]);", each(&format!("{indent}    ")));
    }
    let (each, message) = (each(&format!("{indent}        ")), message.trim_start_matches(", "));
    format!(
        "assert_eq!(\n{indent}    test.log(),\n{indent}    [\n{each}{indent}    ],\n{indent}    {message}\n{indent});"
    )
}

/// Returns the variable `times`: the times of the ticks.
pub(super) fn times(ticks: &[&TickRecord]) -> String {
    // The clock is set before a halt where it is.
    let times: Vec<_> = ticks.iter().filter(|tick| tick.status.is_some()).map(|tick| tick.now).collect();
    if let [first, second, .., _] = *times.as_slice()
        && let Some(step) = second.checked_sub(first)
        && times.windows(2).all(|pair| pair[1].checked_sub(pair[0]) == Some(step))
    {
        let (first, step) = (duration(first), duration(step));
        return format!("    let mut times = (0..).map(|tick| {first} + {step} * tick);\n");
    }
    let each: Vec<_> = times.iter().copied().map(duration).collect();
    format!("    let mut times = [{}].into_iter();\n", lines(&each, 8))
}

/// Returns a time as source.
fn duration(time: Duration) -> String {
    match (time.subsec_nanos(), u64::try_from(time.as_millis())) {
        (0, _) => format!("Duration::from_secs({})", time.as_secs()),
        (nanos, Ok(millis)) if nanos % 1_000_000 == 0 => format!("Duration::from_millis({millis})"),
        (nanos, _) => format!("Duration::new({}, {nanos})", time.as_secs()),
    }
}

/// Returns a status as source.
fn status(status: Status) -> String {
    format!("Status::{status:?}")
}
