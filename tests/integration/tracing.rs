//! What the events of `tracing` say.

use std::io::{self, Write};
use std::process::Command;
use std::sync::{Arc, Mutex};

use bt_core::observe::{ChangeLog, Tracer};
use bt_core::prelude::*;
use tracing_subscriber::filter::LevelFilter;
use tracing_subscriber::util::SubscriberInitExt;

/// What was written for people.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().expect("nobody panics").write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Returns the text of the events up to this level while this runs.
fn events(level: LevelFilter, run: impl FnOnce()) -> String {
    let log = Log::default();
    let writer = log.clone();
    let subscriber = tracing_subscriber::fmt()
        .with_max_level(level)
        .without_time()
        .with_ansi(false)
        .with_writer(move || writer.clone())
        .finish();
    let guard = subscriber.set_default();
    run();
    drop(guard);
    String::from_utf8(log.0.lock().expect("nobody panics").clone()).expect("it is text")
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the context is a bool")]
fn near(near: &bool) -> bool {
    *near
}

#[test]
fn a_tracer_reports_visits_by_name() {
    let tree = tree! { selector "guard" { sequence "fight" { near, run } mem_sequence "patrol" { succeed, run } } };
    let (mut memory, mut traced) = (tree.memory(), Tracer::new(&tree));
    let log = events(LevelFilter::TRACE, || {
        tree.tick_with(&mut false, &mut memory, &mut traced.for_agent(7, secs(1)));
        tree.tick_with(&mut true, &mut memory, &mut traced.for_agent(7, secs(2)));
    });
    let lines: Vec<_> = log.lines().map(str::trim_start).collect();
    assert_eq!(lines[0], "TRACE tick{agent=7 now=1s}: bt: near: Failure node=2");
    assert_eq!(lines[6], "DEBUG tick{agent=7 now=1s}: bt: Running");
    assert!(lines.contains(&"DEBUG tick{agent=7 now=2s}: bt: patrol: halted: another child took over node=4"), "{log}");
}

#[test]
fn a_log_of_transitions_reports_changes() {
    let tree = tree! { for (): run };
    let mut transitions = ChangeLog::to_tracing(&tree);
    let log = events(LevelFilter::INFO, || {
        tree.tick_with(&mut (), &mut tree.memory(), &mut transitions.for_agent(7, secs(1)));
    });
    assert_eq!(log, " INFO bt: run: Idle -> Running agent=7 now=1s node=0\n");
}

/// Only a process of its own shows what is written to stderr.
#[test]
fn an_error_that_nothing_receives_is_an_event_and_not_written_to_stderr() {
    let program = std::env::current_exe().expect("the test runs");
    let arguments = ["tracing::silent_error", "--exact", "--ignored", "--nocapture"];
    let output = Command::new(program).args(arguments).output().expect("it runs");
    let (error, log) = (String::from_utf8_lossy(&output.stderr), String::from_utf8_lossy(&output.stdout));
    assert!(output.status.success() && log.contains("1 passed"), "{error}\n{log}");
    assert!(!error.contains("bt-core: "), "{error}");
}

#[test]
#[ignore = "run by another test"]
fn silent_error() {
    let tree = tree! { for (): sequence { error } };
    let log = events(LevelFilter::INFO, || {
        for _ in 0..3 {
            tree.tick(&mut (), &mut tree.memory());
        }
    });
    assert_eq!(log.matches(" WARN bt: #1 error at ").count(), usize::from(cfg!(debug_assertions)), "{log}");
}
