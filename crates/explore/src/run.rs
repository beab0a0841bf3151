//! A run that was found, tick by tick.

use std::fmt::{self, Write as _};
use std::io;
use std::path::Path;
use std::time::Duration;

use bt_core::Status;
use bt_core::testing::Scripts;
use bt_files::Before;

use crate::choices::{Choice, TIME};

/// A run that an exploration has found. `Display` writes a table of its ticks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Run {
    /// The ticks.
    pub ticks: Vec<RunTick>,
    /// The ticks as a file for the inspector.
    pub(crate) recording: String,
    /// What the leaves returned, and which children were chosen, for a test.
    pub(crate) script: Scripts,
    /// Whether it leads to a state from which something cannot happen any more.
    pub(crate) is_future: bool,
}

/// One tick of a [`Run`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RunTick {
    /// The status of the tree; `None` if a leaf panicked.
    pub status: Option<Status>,
    /// The time that passed before the tick.
    pub passed: Duration,
    /// What was chosen, in order. Statuses of free leaves are not among them: they are in the log.
    pub choices: Vec<Choice>,
    /// The log of the tick: see [`EventLog`](bt_core::testing::EventLog).
    pub log: Vec<String>,
    /// The context after the tick, if the exploration [shows](crate::Explorer::show) it.
    pub context: Option<String>,
}

impl Run {
    /// Writes a file that the inspector shows: `bt-inspector run.jsonl`. Its format is that of [`RecordFile`](bt_core::observe::RecordFile).
    /// An existing file is replaced.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be written.
    pub fn record(&self, path: impl AsRef<Path>) -> io::Result<()> {
        Ok(bt_files::write(path, Before::Anything, &self.recording)?)
    }

    /// Returns the content of the file that [`record`](Self::record) writes.
    pub fn recording(&self) -> &str {
        &self.recording
    }

    /// Returns the source of a unit test that repeats this run with [`TreeTest`](bt_core::testing::TreeTest), without the model: all leaves are replaced by what they returned. The
    /// test fails as long as the last tick is as it was, so it fails until the tree is corrected.
    ///
    /// After a run that violates `eventually`, `leads_to` or `always_possible`, no tick is a violation: the test ends with a
    /// panic, to be replaced with an assertion of what must be possible then. Nodes whose path is not unique are named by their
    /// id in the explored tree: a [`model_tree`](crate::model_tree) has other ids than the tree from which it was made.
    ///
    /// `tree` and `context` are Rust expressions, such as `robot()` and `Robot::default()`. If time passes in the run, add a call to
    /// [`before_each_tick`](bt_core::testing::TreeTest::before_each_tick), which advances the clock of the context.
    ///
    /// ```
    /// use bt_core::prelude::*;
    /// use bt_explore::explore;
    ///
    /// fn grasp(_: &mut ()) -> Status { Status::Running }
    /// fn release(_: &mut ()) -> Status { Status::Success }
    ///
    /// let exploration = explore(tree! { for (): sequence { grasp, release } }, ())
    ///     .free("*")
    ///     .without_errors()
    ///     .before_end("what is grasped is released", |tick| tick.returned("grasp", Status::Success), |tick| {
    ///         tick.returned("release", Status::Success)
    ///     })
    ///     .run();
    /// let run = exploration.violations().next().unwrap().run().unwrap();
    /// assert_eq!(run.to_test("what_is_grasped_is_released", "tree()", "()"), r#"##[test]
    /// fn what_is_grasped_is_released() {
    ///     let mut test = TreeTest::new(tree(), ());
    ///     test.replace("grasp", [Status::Success]);
    ///     test.replace("release", [Status::Failure]);
    ///     test.tick();
    ///     assert_ne!(test.log(), [
    ///         "grasp: success",
    ///         "release: failure",
    ///     ]);
    /// }
    /// "#.replace("##", "#"));
    /// ```
    pub fn to_test(&self, name: &str, tree: &str, context: &str) -> String {
        let mut test = format!("#[test]\nfn {name}() {{\n    let mut test = TreeTest::new({tree}, {context});\n");
        if self.ticks.iter().any(|tick| !tick.passed.is_zero()) {
            let passed: Vec<_> = self.ticks.iter().map(|tick| format!("{:?}", tick.passed)).collect();
            let _ = writeln!(test, "    // The clock advances before each tick: {}.", passed.join(", "));
        }
        test += &self.script.source();
        if self.is_future {
            let _ = writeln!(test, "    for _ in 0..{} {{\n        test.tick();\n    }}", self.ticks.len());
            test.push_str("    panic!(\"replace this with what must be possible after this run\");\n}\n");
            return test;
        }
        match self.ticks.len() {
            0 | 1 => {}
            2 => test.push_str("    test.tick();\n    test.log();\n"),
            ticks => {
                let _ =
                    writeln!(test, "    for _ in 0..{} {{\n        test.tick();\n    }}\n    test.log();", ticks - 1);
            }
        }
        if let Some(last) = self.ticks.last() {
            test.push_str("    test.tick();\n    assert_ne!(test.log(), [\n");
            for line in &last.log {
                let _ = writeln!(test, "        {line:?},");
            }
            test.push_str("    ]);\n");
        }
        test.push_str("}\n");
        test
    }
}

impl fmt::Display for Run {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(out, "tick  status   leaves")?;
        let has_time = self.ticks.iter().any(|tick| !tick.passed.is_zero());
        let mut now = Duration::ZERO;
        for (tick, number) in self.ticks.iter().zip(1..) {
            let status = tick.status.map_or_else(|| "panic".to_owned(), |status| format!("{status:?}").to_lowercase());
            writeln!(out, "{number:4}  {status:8} {}", tick.log.join(", "))?;
            now += tick.passed;
            if has_time {
                writeln!(out, "               time: {now:?}")?;
            }
            let choices = tick.choices.iter().filter(|choice| choice.label != TIME);
            let choices: Vec<_> = choices.map(ToString::to_string).collect();
            if !choices.is_empty() {
                writeln!(out, "               chosen: {}", choices.join(", "))?;
            }
            if let Some(context) = &tick.context {
                writeln!(out, "               context: {context}")?;
            }
        }
        Ok(())
    }
}

impl fmt::Display for Choice {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { taken, options, label } = self;
        if !label.is_empty() {
            write!(out, "{label}: ")?;
        }
        write!(out, "{taken} of {options}")
    }
}
