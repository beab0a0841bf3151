//! Runs a tree again with the choices that were found, and collects what happens.

use std::collections::BTreeMap;
use std::hash::Hash;
use std::time::Duration;

use bt_core::describe::Description;
use bt_core::observe::RecordFile;
use bt_core::testing::{EventLog, Scripts};
use bt_core::{Node, Observer as _, Save};

use crate::choices::{FREE, Script};
use crate::free::is_leaf;
use crate::live::Live;
use crate::run::{Run, RunTick};
use crate::subject::Subject;
use crate::watch::{Moment, Watch};

/// Repeats a run.
pub(crate) fn replay<N: Node<C> + Save, C: Clone + Hash>(
    subject: &Subject<'_, N, C>,
    path: &[Vec<u16>],
    is_future: bool,
) -> Run {
    let Subject { tree, setup, names, .. } = subject;
    let description = &names.description;
    let mut watch = Watch::new(description);
    watch.free = subject.watch.free.clone();
    let mut log = EventLog::new(description);
    // A vector takes all that is written.
    let mut file = RecordFile::new(Vec::new(), name_of(description), &tree).ok();
    let mut live = Live::first(subject);
    let (mut scripts, mut ticks, mut now) = (Scripts::default(), Vec::new(), Duration::ZERO);
    for choices in path {
        let mut script = Script::of(choices);
        watch.begin_tick(&live.open, &live.machines);
        // How long the tick takes is known only after it.
        let observer = &mut (&mut watch, &mut log, file.as_mut().map(|file| file.for_agent(1, now)));
        let tick = live.tick(tree, setup, &mut script, observer);
        // Without a clock, the recording has a tick per second, so that it can be played.
        now += if setup.clock.is_some() { tick.passed } else { Duration::from_secs(1) };
        if let (Some(file), Some(show)) = (&mut file, &setup.show) {
            file.show(1, &BTreeMap::from([("context", show(&live.ctx))]));
        }
        let panic = tick.status.as_ref().err().map(|message| format!("panic: {message}"));
        ticks.push(RunTick {
            status: tick.status.ok(),
            passed: tick.passed,
            choices: script.made.iter().filter(|choice| choice.label != FREE).copied().collect(),
            log: log.take().into_iter().chain(panic).collect(),
            context: setup.show.as_ref().map(|show| show(&live.ctx)),
        });
        add(&mut scripts, &watch, description);
        live.settle(tree, setup, &watch);
    }
    let recording = file.and_then(|file| file.finish().ok()).unwrap_or_default();
    Run { ticks, recording: String::from_utf8(recording).unwrap_or_default(), script: scripts, is_future }
}

/// Adds what happened in a tick.
fn add(scripts: &mut Scripts, watch: &Watch, description: &Description) {
    for event in &watch.events {
        if let Moment::Ticked(id, status) = event
            && description.node(*id).is_some_and(is_leaf)
        {
            scripts.add_status(description, *id, *status);
        }
    }
    for (node, child) in &watch.chosen {
        scripts.add_choice(description, *node, *child);
    }
}

/// Returns the name of a tree: that of its root.
fn name_of(description: &Description) -> &str {
    description.nodes().first().map_or("", |root| root.label.as_deref().unwrap_or(&root.name))
}
