//! What a tree can ever give and what can never happen in it, found as naively as possible: by trying everything.

use std::collections::BTreeSet;

use bt_words::{Param, ParamType, Word};

/// A status that a node can give.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Can {
    Success,
    Failure,
    Running,
    Error,
}

use Can::{Error, Failure, Running, Success};

/// What a node can give.
pub(crate) type Cans = BTreeSet<Can>;

pub(crate) fn any() -> Cans {
    Cans::from([Success, Failure, Running, Error])
}

/// What a ready leaf can give.
pub(crate) fn leaf(word: Word) -> Cans {
    match word {
        Word::Wait => Cans::from([Success, Running]),
        Word::Succeed => Cans::from([Success]),
        Word::Fail => Cans::from([Failure]),
        Word::Run => Cans::from([Running]),
        Word::Error => Cans::from([Error]),
        _ => panic!("{word:?} is no leaf"),
    }
}

/// What a composite can give, and for each child whether it is ever ticked.
pub(crate) fn composite(word: Word, children: &[Cans], success: u64, failure: u64) -> (Cans, Vec<bool>) {
    match word {
        Word::Selector | Word::MemSelector => sequential(children, Failure),
        Word::Sequence | Word::MemSequence | Word::KeptSequence => sequential(children, Success),
        Word::RandomSelector => any_order(children, Failure),
        Word::RandomSequence => any_order(children, Success),
        Word::UtilitySelector | Word::MemUtilitySelector => any_of(children, &[Failure]),
        Word::Match | Word::MemMatch => any_of(children, &[]),
        Word::Parallel => parallel(children, success, failure, false),
        Word::MemParallel => parallel(children, success, failure, true),
        _ => panic!("{word:?} is no composite"),
    }
}

/// Any child may come, and what comes without them.
fn any_of(children: &[Cans], always: &[Can]) -> (Cans, Vec<bool>) {
    (children.iter().flatten().chain(always).copied().collect(), vec![true; children.len()])
}

/// What a condition and the nodes for its success and its failure can give, and for each node whether it is ever ticked.
pub(crate) fn branches(condition: &Cans, branches: &[Cans]) -> (Cans, Vec<bool>) {
    let mut can: Cans = condition.iter().filter(|status| **status == Error).copied().collect();
    let mut reached = Vec::new();
    for (outcome, branch) in [Success, Failure].into_iter().zip([branches.first(), branches.get(1)]) {
        reached.push(condition.contains(&outcome));
        if condition.contains(&outcome) {
            can.extend(branch.unwrap_or(&Cans::from([Failure])));
        }
    }
    (can, reached)
}

/// Any child may come first, and the last goes on only if all do.
fn any_order(children: &[Cans], goes_on: Can) -> (Cans, Vec<bool>) {
    let mut can: Cans = children.iter().flatten().copied().filter(|status| *status != goes_on).collect();
    if children.iter().all(|can| can.contains(&goes_on)) {
        can.insert(goes_on);
    }
    (can, vec![true; children.len()])
}

/// What a decorator can give, and what is wrong with it.
pub(crate) fn decorator(word: Word, child: &Cans, times: u64) -> (Cans, Option<&'static str>) {
    // What becomes of the child's success, failure and running, and what comes without them.
    let map = |success: Can, failure: Can, running: &[Can], always: &[Can]| -> Cans {
        let becomes = |status: &Can| match status {
            Success => vec![success],
            Failure => vec![failure],
            Running => running.to_vec(),
            Error => vec![Error],
        };
        child.iter().flat_map(becomes).chain(always.iter().copied()).collect()
    };
    let zero = |outcome: Can| if times == 0 { vec![outcome] } else { Vec::new() };
    let idle = |useful: bool| if useful { None } else { Some("pointless") };
    let ends = idle(child.contains(&Success) || child.contains(&Failure));
    let loops = |last: Can| {
        let is_idle = child.iter().all(|status| *status == last || *status == Error);
        if child.contains(&last) { idle(!is_idle) } else { Some("endless") }
    };
    let same = |always: &[Can]| map(Success, Failure, &[Running], always);
    match word {
        Word::Invert => (map(Failure, Success, &[Running], &[]), ends),
        Word::ForceSuccess => (map(Success, Success, &[Running], &[]), ends),
        Word::ForceFailure => (map(Failure, Failure, &[Running], &[]), ends),
        Word::Repeat => (map(Running, Running, &[Running], &[]), ends),
        // Without a run the child does not matter.
        Word::RepeatTimes => (map(Success, Success, &[Running], &zero(Success)), ends.filter(|_| times > 0)),
        Word::Retry => (same(&zero(Failure)), idle(times == 0 || child.contains(&Failure))),
        Word::RepeatWhileSuccess => (same(&zero(Success)), idle(times == 0 || child.contains(&Success))),
        Word::SucceedOnce => (same(&[]), idle(child.contains(&Success))),
        Word::UntilFailure => (map(Running, Success, &[Running], &[]), loops(Failure)),
        Word::UntilSuccess | Word::WaitUntil => (map(Success, Running, &[Running], &[]), loops(Success)),
        Word::Limit | Word::Cooldown | Word::Chance => (same(&[Failure]), None),
        Word::RunOnce => (same(&[]), ends),
        Word::Fresh | Word::ByEvent => (same(&[]), None),
        Word::Timeout => (map(Success, Failure, &[Running, Failure], &[]), idle(child.contains(&Running))),
        Word::Delay => (same(&[Running]), None),
        Word::Service => (same(&[]), None),
        _ => panic!("{word:?} is no decorator"),
    }
}

/// Whether a decorator with this number of runs never starts its child, or never starts it again.
pub(crate) fn is_idle(word: Word, times: u64) -> bool {
    match word.row().params {
        [Param { ty: ParamType::Times, .. }] => times < 2,
        [Param { ty: ParamType::Runs, .. }] => times < 1,
        _ => false,
    }
}

/// What children one after the other can give, and for each whether it is ever asked.
fn sequential(children: &[Cans], goes_on: Can) -> (Cans, Vec<bool>) {
    let (mut gives, mut asked, mut reached) = (Cans::new(), true, Vec::new());
    for child in children {
        reached.push(asked);
        if asked {
            gives.extend(child.iter().filter(|status| **status != goes_on));
            asked = child.contains(&goes_on);
        }
    }
    if asked {
        gives.insert(goes_on);
    }
    (gives, reached)
}

/// What a parallel can give, and for each child whether it is ever ticked: all that can become of the children, tick after tick.
fn parallel(children: &[Cans], success: u64, failure: u64, remembers: bool) -> (Cans, Vec<bool>) {
    let mut race =
        Race { children, success, failure, remembers, gives: Cans::new(), reached: vec![false; children.len()] };
    let mut known = BTreeSet::new();
    let mut open = vec![vec![None; children.len()]];
    while let Some(ended) = open.pop() {
        if known.insert(ended.clone()) {
            let mut after = BTreeSet::new();
            let counted = |outcome| ended.iter().filter(|ended| **ended == Some(outcome)).count() as u64;
            race.tick(0, ended.clone(), (counted(Success), counted(Failure)), &mut after);
            open.extend(after);
        }
    }
    (race.gives, race.reached)
}

struct Race<'a> {
    children: &'a [Cans],
    success: u64,
    failure: u64,
    remembers: bool,
    gives: Cans,
    reached: Vec<bool>,
}

/// How the children of a parallel that remembers have ended.
type Ended = Vec<Option<Can>>;

impl Race<'_> {
    /// Ticks the children from this one on in every way there is.
    fn tick(&mut self, child: usize, ended: Ended, counts: (u64, u64), after: &mut BTreeSet<Ended>) {
        if child == self.children.len() {
            self.gives.insert(Running);
            after.insert(ended);
            return;
        }
        if ended[child].is_some() {
            return self.tick(child + 1, ended, counts, after);
        }
        self.reached[child] = true;
        for status in &self.children[child] {
            let (mut ended, (mut successes, mut failures)) = (ended.clone(), counts);
            match status {
                Running => {}
                Error => {
                    self.gives.insert(Error);
                    continue;
                }
                Success => successes += 1,
                Failure => failures += 1,
            }
            if *status != Running && self.remembers {
                ended[child] = Some(*status);
            }
            let hopeless = *status != Running && self.remembers && self.children.len() as u64 - failures < self.success;
            if successes >= self.success {
                self.gives.insert(Success);
            } else if failures >= self.failure || hopeless {
                self.gives.insert(Failure);
            } else {
                self.tick(child + 1, ended, (successes, failures), after);
            }
        }
    }
}

/// When a transition is followed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum On {
    /// The state's node has ended so.
    End(Can),
    /// A condition holds, which may be or not.
    Condition,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// A transition: when, and to which state or with which outcome out of the machine.
pub(crate) type Transition = (On, Result<usize, Can>);

/// A machine: what the node of each state can give, and its transitions; the transitions of any state.
pub(crate) struct Machine {
    pub(crate) states: Vec<(Cans, Vec<Transition>)>,
    pub(crate) any: Vec<Transition>,
}

/// What was seen to happen in a machine.
#[derive(Default)]
pub(crate) struct Seen {
    pub(crate) gives: Cans,
    pub(crate) entered: BTreeSet<usize>,
    /// States whose node was ticked.
    pub(crate) ticked: BTreeSet<usize>,
    /// Transitions that were followed, by state (none for those of any) and place.
    pub(crate) followed: BTreeSet<(Option<usize>, usize)>,
    known: BTreeSet<(usize, Option<Can>)>,
    open: Vec<(usize, Option<Can>)>,
}

impl Machine {
    /// Runs the machine in every way there is.
    pub(crate) fn run(&self) -> Seen {
        let mut seen = Seen { open: vec![(0, None)], ..Seen::default() };
        while let Some((state, ended)) = seen.open.pop() {
            seen.entered.insert(state);
            if !seen.known.insert((state, ended)) {
                continue;
            }
            if self.ask(state, ended, false, &mut seen) {
                self.tick(state, false, &mut seen);
            }
        }
        seen
    }

    /// The transitions that a state has, in the order they are asked, without those of any that lead back.
    fn transitions(&self, state: usize) -> Vec<((Option<usize>, usize), Transition)> {
        let own =
            self.states[state].1.iter().enumerate().map(|(place, transition)| ((Some(state), place), *transition));
        let any = self.any.iter().enumerate().map(|(place, transition)| ((None, place), *transition));
        own.chain(any.filter(|(_, (_, to))| *to != Ok(state))).collect()
    }

    /// Asks the transitions. Returns whether it may be that none is followed. `after` says that the node has just ended: only transitions that
    /// wait for that are asked then.
    fn ask(&self, state: usize, ended: Option<Can>, after: bool, seen: &mut Seen) -> bool {
        for (place, (on, to)) in self.transitions(state) {
            let surely = match on {
                On::End(outcome) if ended == Some(outcome) => true,
                On::Condition if !after => false,
                On::Always if !after => true,
                _ => continue,
            };
            seen.followed.insert(place);
            match to {
                Err(outcome) => {
                    seen.gives.insert(outcome);
                }
                // What is entered after an end starts in the next tick.
                Ok(to) if after => {
                    seen.gives.insert(Running);
                    seen.open.push((to, None));
                }
                Ok(to) => {
                    seen.entered.insert(to);
                    self.tick(to, true, seen);
                }
            }
            if surely {
                return false;
            }
        }
        true
    }

    /// Ticks a state's node in every way there is. Only one transition is followed per tick.
    fn tick(&self, state: usize, followed: bool, seen: &mut Seen) {
        seen.ticked.insert(state);
        for status in &self.states[state].0 {
            match status {
                Error => {
                    seen.gives.insert(Error);
                }
                Running => {
                    seen.gives.insert(Running);
                    seen.open.push((state, None));
                }
                outcome => {
                    if followed || self.ask(state, Some(*outcome), true, seen) {
                        seen.gives.insert(Running);
                        seen.open.push((state, Some(*outcome)));
                    }
                }
            }
        }
    }
}
