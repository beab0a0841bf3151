//! The search: breadth first, so that the first run that is found is a shortest one.

use std::collections::VecDeque;
use std::hash::Hash;

use bt_behavior3::Word;
use bt_core::describe::{Described, Kind};
use bt_core::{Node, Save, Status};

use crate::choices::{Script, refuse_nesting, set_errors};
use crate::coverage::Unseen;
use crate::exploration::{Exploration, Finding, Limit, Verdict};
use crate::key::Keys;
use crate::live::{Live, settle};
use crate::progress::Progress;
use crate::property::{Judgment, Property, Rule};
use crate::replay::replay;
use crate::samples::{Sample, Samples};
use crate::states::{Edge, States, can_reach};
use crate::subject::Subject;
use crate::ticked::Ticked;

/// A run that was found: to a state, and with these choices one tick further.
struct Found {
    state: u32,
    choices: Option<Vec<u16>>,
}

/// The number of ticks that are all repeated. After them, the first tick of each state is, and every 16th tick.
const REPEATED: u64 = 1000;
const REPEATED_EVERY: u64 = 16;

struct Search<'e, 'p, N: Save, C> {
    subject: &'e mut Subject<'p, N, C>,
    states: States,
    frontier: VecDeque<Live<N, C>>,
    edges: Vec<Edge>,
    /// For each property, the first run that violates it or is what it looks for.
    found: Vec<Option<Found>>,
    panic: Option<(Found, String)>,
    /// The states in which something is due, as a bit for each property about the future.
    due: Vec<u64>,
    transitions: u64,
    depth: u32,
    stuck: Option<Found>,
    stuck_states: usize,
    /// The states that were not explored, because of the limit on ticks.
    cut: Vec<u32>,
    keys: Keys,
    samples: Samples,
    progress: Progress,
}

/// Prepares a search. Returns a node that needs a clock if there is none.
///
/// # Panics
///
/// Panics if the tree cannot be explored as it is configured.
#[track_caller]
pub(crate) fn begin<N, C>(subject: &Subject<'_, N, C>) -> Option<String> {
    refuse_nesting();
    set_errors(subject.setup.has_errors);
    let timed = if subject.setup.clock.is_none() { timed_node(subject) } else { None };
    if let (Some(node), None) = (&timed, &subject.setup.environment) {
        panic!(
            "no time passes: `{node}` needs a clock\nhelp: call `.clock([millis(100)], |ctx| &mut ctx.now)`, where `now` is the field with the time that the context's `Clock` returns; or advance the time in `.environment(…)`"
        );
    }
    if let Some(leaf) = future(subject) {
        panic!(
            "`{leaf}` is asynchronous: states are copied, and a future cannot be copied\nhelp: call `.free({leaf:?})`, so that it returns any status; or explore a model of the tree: `model_tree`"
        );
    }
    timed
}

/// Explores all runs.
///
/// # Errors
///
/// Returns why the result cannot be trusted.
pub(crate) fn search<N: Node<C> + Save, C: Clone + Hash>(
    subject: &mut Subject<'_, N, C>,
) -> Result<Exploration, &'static str> {
    let found = subject.properties.iter().map(|_| None).collect();
    let mut search = Search {
        subject,
        states: States::default(),
        frontier: VecDeque::new(),
        edges: Vec::new(),
        found,
        panic: None,
        due: Vec::new(),
        transitions: 0,
        depth: 0,
        stuck: None,
        stuck_states: 0,
        cut: Vec::new(),
        keys: Keys::default(),
        samples: Samples::default(),
        progress: Progress::on_terminal(),
    };
    let limit = search.explore();
    search.progress.end();
    search.samples.confirm(search.subject, &search.states, &mut search.keys, search.transitions)?;
    search.judge_the_future();
    Ok(search.finish(limit))
}

/// Returns the path of an asynchronous leaf that is called, if there is one.
fn future<N, C>(subject: &Subject<'_, N, C>) -> Option<String> {
    let mut called = subject.futures.iter().filter(|leaf| !subject.watch.free.is_free(**leaf));
    called.next().map(|leaf| subject.names.description.path_of(*leaf))
}

/// Returns a node that needs a clock, if there is one.
fn timed_node<N, C>(subject: &Subject<'_, N, C>) -> Option<String> {
    let needs_clock = |node: &&Described| {
        let mut words = Word::named(&node.name);
        words.any(|word| Kind::of(word.row().family) == node.kind && word.row().needs_clock())
    };
    let mut nodes = subject.names.description.nodes().iter();
    nodes.find(|node| needs_clock(node) && !subject.watch.free.is_free(node.id)).map(Described::call)
}

impl<N: Node<C> + Save, C: Clone + Hash> Search<'_, '_, N, C> {
    fn explore(&mut self) -> Option<Limit> {
        let first = Live::first(self.subject);
        let hash = self.hash(&first.ctx, &first.memory, &first.due);
        self.states.add(hash, 0, &[]);
        self.note_due(&first.due, false);
        self.frontier.push_back(first);
        while let Some(live) = self.frontier.pop_front() {
            if live.depth >= self.subject.setup.max_ticks {
                self.cut.push(live.state);
                continue;
            }
            self.depth = self.depth.max(live.depth + 1);
            let limit = self.expand(&live);
            if limit.is_some() {
                self.cut.push(live.state);
                return limit;
            }
        }
        (!self.cut.is_empty()).then_some(Limit::Ticks)
    }

    /// Finds all transitions of a state. Returns the limit that was reached, if one was.
    fn expand(&mut self, live: &Live<N, C>) -> Option<Limit> {
        let (mut script, first_edge) = (Script::default(), self.edges.len());
        let mut stays = true;
        loop {
            let is_first = script.made.is_empty();
            let next = self.transition(live, &mut script);
            if is_first || self.transitions < REPEATED || self.transitions.is_multiple_of(REPEATED_EVERY) {
                self.repeat(live, &script);
            }
            stays &= next == Some(live.state);
            let setup = &self.subject.setup;
            if self.states.len() > setup.max_states {
                return Some(Limit::States);
            }
            if self.transitions >= setup.max_transitions {
                return Some(Limit::Transitions);
            }
            if setup.stops_at_violation && self.is_violated() {
                return Some(Limit::Violation);
            }
            if !script.advance() {
                break;
            }
        }
        let mut added = self.edges.split_off(first_edge);
        added.sort_unstable();
        added.dedup();
        self.edges.append(&mut added);
        if stays {
            self.stuck_states += 1;
            self.stuck.get_or_insert(Found { state: live.state, choices: None });
        }
        None
    }

    /// Ticks an agent with these choices. Returns the next state, if the run continues and the tree is running.
    fn transition(&mut self, live: &Live<N, C>, script: &mut Script) -> Option<u32> {
        let subject = &mut *self.subject;
        subject.watch.begin_tick(&live.open, &live.machines);
        let (tick, mut ctx, mut memory) = live.tick_copy(&subject.tree, &subject.setup, script, &mut subject.watch);
        self.transitions += 1;
        let states = &self.states;
        self.progress.show(self.transitions, || (states.len(), self.frontier.len(), states.bytes()));
        let status = match tick.status {
            Ok(status) => status,
            Err(message) => {
                let found = || Found { state: live.state, choices: Some(script.taken()) };
                self.panic.get_or_insert_with(|| (found(), message));
                return None;
            }
        };
        let (mut due, mut goals) = (live.due.clone(), 0);
        let tick = Ticked {
            before: &live.ctx,
            ctx: &ctx,
            status,
            open_before: &live.open,
            watch: &subject.watch,
            names: &subject.names,
        };
        let is_last = status != Status::Running && subject.setup.is_single_run;
        for (property, found) in subject.properties.iter().zip(&mut self.found) {
            let mut none = 0;
            let number = property.slot.map_or(&mut none, |slot| &mut due[slot]);
            let judgment = property.rule.judge(number, &tick, is_last);
            if judgment != Judgment::Nothing {
                found.get_or_insert_with(|| Found { state: live.state, choices: Some(script.taken()) });
            }
            goals |= if judgment == Judgment::Goal { property.bit } else { 0 };
        }
        settle(&subject.tree, &subject.setup, &mut ctx, &mut memory);
        // A state in which a run has ended is none in which it begins.
        let hash = self.hash(&ctx, &memory, &due) ^ u128::from(is_last);
        let (state, is_new) = self.states.add(hash, live.state, &script.made);
        // Without properties about the future, transitions need not be stored.
        if self.has_future() {
            self.edges.push(Edge { from: live.state, to: state, goals });
        }
        if is_new {
            let watch = &self.subject.watch;
            let (open, machines) = (watch.open.clone(), watch.states.clone());
            self.note_due(&due, is_last);
            if is_last {
                return None;
            }
            self.frontier.push_back(Live { state, depth: live.depth + 1, ctx, memory, open, machines, due });
        }
        (status == Status::Running).then_some(state)
    }

    /// Repeats a tick of a state, also at another time. It must be the same tick, or the exploration would miss runs.
    #[track_caller]
    fn repeat(&mut self, live: &Live<N, C>, script: &Script) {
        let subject = &mut *self.subject;
        let seen = std::mem::take(&mut subject.watch.events);
        let mut after = Vec::with_capacity(2);
        for other in [None, Some(live.at_another_time(&subject.tree, &subject.setup))] {
            let live = other.as_ref().unwrap_or(live);
            subject.watch.begin_tick(&live.open, &live.machines);
            let (tick, mut ctx, mut memory) =
                live.tick_copy(&subject.tree, &subject.setup, &mut script.clone(), &mut subject.watch);
            settle(&subject.tree, &subject.setup, &mut ctx, &mut memory);
            let hash = tick.status.ok().and_then(|_| self.keys.hash::<C, N>(&ctx, &memory, &[]).ok());
            after.push((std::mem::take(&mut subject.watch.events), hash));
        }
        let [again, later] = &*after else { return };
        // A tick that panics is found already.
        let Some(next) = again.1 else { return };
        assert!(
            again.0 == seen,
            "a tick must depend only on the context, the memory and its choices: the same tick differed the second time"
        );
        assert!(
            again == later,
            "a tick must not depend on the time itself, only on differences of times: at another time, the same tick differed\nhelp: a leaf that stores a moment implements `LeafShape::shift` or `Timed`; moments of the context are converted by `Explorer::shift`"
        );
        if self.samples.takes_next() {
            let before = self.hash(&live.ctx, &live.memory, &[]);
            self.samples.add(Sample { state: live.state, before, choices: script.taken(), events: seen, next });
        }
    }

    fn hash(&mut self, ctx: &C, memory: &bt_core::Memory<N>, due: &[u32]) -> u128 {
        match self.keys.hash::<C, N>(ctx, memory, due) {
            Ok(hash) => hash,
            Err(error) => panic!("the state of a node cannot be serialized: {error}"),
        }
    }

    /// Notes what is due in a state that was just added. After the end of a run, nothing is possible, and need not be.
    fn note_due(&mut self, due: &[u32], has_ended: bool) {
        if !self.has_future() {
            return;
        }
        let is_due = |property: &&Property<'_, C>| {
            let is_always = matches!(property.rule, Rule::AlwaysPossible(_)) && !has_ended;
            is_always || property.slot.is_some_and(|slot| due[slot] > 0)
        };
        let bits = self.subject.properties.iter().filter(is_due).fold(0, |bits, property| bits | property.bit);
        self.due.push(bits);
    }

    /// Returns `true` if there are properties about the future.
    fn has_future(&self) -> bool {
        self.subject.properties.iter().any(|property| property.bit != 0)
    }

    fn is_violated(&self) -> bool {
        let is_safety = |rule: &Rule<'_, C>| matches!(rule, Rule::Always(_) | Rule::Responds(..) | Rule::BeforeEnd(..));
        let mut pairs = self.subject.properties.iter().zip(&self.found);
        self.panic.is_some() || pairs.any(|(property, found)| found.is_some() && is_safety(&property.rule))
    }

    /// Decides the properties about the future: whether each state in which something is due can still reach it.
    fn judge_the_future(&mut self) {
        let properties = self.subject.properties.iter().zip(&mut self.found);
        for (property, found) in properties.filter(|(property, _)| property.bit != 0) {
            let open = self.cut.iter().copied().chain(self.frontier.iter().map(|live| live.state));
            let reaches = can_reach(self.states.len(), &self.edges, property.bit, open);
            let mut trapped = self.due.iter().zip(reaches).zip(0..);
            let trapped = trapped.find(|((due, reaches), _)| **due & property.bit != 0 && !reaches);
            *found = trapped.map(|(_, state)| Found { state, choices: None });
        }
    }

    fn finish(self, limit: Option<Limit>) -> Exploration {
        let Self { subject, states, found, panic, stuck, .. } = self;
        let run = |found: &Found| {
            let mut path = states.path(found.state);
            path.extend(found.choices.clone());
            replay(subject, &path, found.choices.is_none())
        };
        let is_complete = limit.is_none();
        let mut verdicts: Vec<_> = subject
            .properties
            .iter()
            .zip(&found)
            .map(|(property, found)| {
                let is_search = matches!(property.rule, Rule::Sometimes(_));
                let result = match found {
                    Some(found) if is_search => Finding::Reached(run(found)),
                    Some(found) => Finding::Violated(run(found)),
                    None if !is_complete => Finding::Unknown,
                    None if is_search => Finding::NotReached,
                    None => Finding::Holds,
                };
                Verdict { name: property.name.clone(), result, is_future: property.rule.is_about_the_future() }
            })
            .collect();
        if let Some((found, message)) = panic {
            let name = format!("no panic: {message}");
            verdicts.insert(0, Verdict { name, result: Finding::Violated(run(&found)), is_future: false });
        }
        Exploration {
            states: states.len(),
            transitions: self.transitions,
            depth: self.depth,
            limit,
            verdicts,
            stuck: stuck.as_ref().map(run),
            stuck_states: self.stuck_states,
            bytes: states.bytes(),
            timed: None,
            unseen: Unseen::of(&subject.names.description, &subject.watch.seen),
        }
    }
}
