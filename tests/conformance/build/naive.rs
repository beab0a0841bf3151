//! What a tree can ever give and what can never happen in it, found as naively as possible: by trying everything.

use std::collections::BTreeSet;

use bt_words::{ParamType, Word};

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

/// A decorator: what it can give with this child and number of times, and what is wrong with it.
type Decorator = fn(&Cans, u64) -> (Cans, Option<&'static str>);

/// What a word does.
enum Rule {
    /// A ready leaf gives one of these.
    Leaf(&'static [Can]),
    /// One child after the other, as long as they give this.
    InOrder(Can),
    /// The children in any order, as long as they give this.
    AnyOrder(Can),
    /// Any child, or one of these without one.
    AnyOf(&'static [Can]),
    /// All children; those that have ended may be remembered.
    Parallel {
        remembers: bool,
    },
    /// A condition and what it selects.
    Branches,
    /// A body and its cleanup.
    BodyAndCleanup,
    Decorator(Decorator),
    /// A machine or a state, which are no random words.
    Machine,
}

/// What each word does.
fn rule(word: Word) -> Rule {
    match word {
        Word::Wait => Rule::Leaf(&[Success, Running]),
        Word::Succeed => Rule::Leaf(&[Success]),
        Word::Fail => Rule::Leaf(&[Failure]),
        Word::Run => Rule::Leaf(&[Running]),
        Word::Error => Rule::Leaf(&[Error]),
        Word::Selector | Word::MemSelector => Rule::InOrder(Failure),
        Word::Sequence | Word::MemSequence | Word::KeptSequence => Rule::InOrder(Success),
        Word::RandomSelector => Rule::AnyOrder(Failure),
        Word::RandomSequence => Rule::AnyOrder(Success),
        Word::UtilitySelector | Word::MemUtilitySelector => Rule::AnyOf(&[Failure]),
        Word::Match | Word::MemMatch => Rule::AnyOf(&[]),
        Word::Parallel => Rule::Parallel { remembers: false },
        Word::MemParallel => Rule::Parallel { remembers: true },
        Word::If | Word::MemIf => Rule::Branches,
        Word::Finally => Rule::BodyAndCleanup,
        Word::Machine | Word::State => Rule::Machine,
        Word::Invert => Rule::Decorator(|child, _| (map(child, Failure, Success, &[Running], &[]), ends(child))),
        Word::ForceSuccess => Rule::Decorator(|child, _| (map(child, Success, Success, &[Running], &[]), ends(child))),
        Word::ForceFailure => Rule::Decorator(|child, _| (map(child, Failure, Failure, &[Running], &[]), ends(child))),
        Word::Repeat => Rule::Decorator(|child, _| (map(child, Running, Running, &[Running], &[]), ends(child))),
        // Without a run the child does not matter.
        Word::RepeatTimes => Rule::Decorator(|child, times| {
            let can = map(child, Success, Success, &[Running], if times == 0 { &[Success] } else { &[] });
            (can, ends(child).filter(|_| times > 0))
        }),
        Word::Retry => Rule::Decorator(|child, times| {
            let can = same(child, if times == 0 { &[Failure] } else { &[] });
            (can, idle(times == 0 || child.contains(&Failure)))
        }),
        Word::RepeatWhileSuccess => Rule::Decorator(|child, times| {
            let can = same(child, if times == 0 { &[Success] } else { &[] });
            (can, idle(times == 0 || child.contains(&Success)))
        }),
        Word::SucceedOnce => Rule::Decorator(|child, _| (same(child, &[]), idle(child.contains(&Success)))),
        Word::UntilFailure => {
            Rule::Decorator(|child, _| (map(child, Running, Success, &[Running], &[]), loops(child, Failure)))
        }
        Word::UntilSuccess | Word::WaitUntil => {
            Rule::Decorator(|child, _| (map(child, Success, Running, &[Running], &[]), loops(child, Success)))
        }
        Word::Limit | Word::Cooldown | Word::Chance => Rule::Decorator(|child, _| (same(child, &[Failure]), None)),
        Word::RunOnce => Rule::Decorator(|child, _| (same(child, &[]), ends(child))),
        Word::Fresh | Word::ByEvent | Word::Service => Rule::Decorator(|child, _| (same(child, &[]), None)),
        Word::Timeout => Rule::Decorator(|child, _| {
            (map(child, Success, Failure, &[Running, Failure], &[]), idle(child.contains(&Running)))
        }),
        Word::Delay => Rule::Decorator(|child, _| (same(child, &[Running]), None)),
    }
}

/// What a ready leaf can give.
pub(crate) fn leaf(word: Word) -> Cans {
    let Rule::Leaf(can) = rule(word) else { panic!("{word:?} is no leaf") };
    can.iter().copied().collect()
}

/// What a composite can give, and for each child whether it is ever ticked.
pub(crate) fn composite(word: Word, children: &[Cans], success: u64, failure: u64) -> (Cans, Vec<bool>) {
    match rule(word) {
        Rule::InOrder(goes_on) => sequential(children, goes_on),
        Rule::AnyOrder(goes_on) => any_order(children, goes_on),
        Rule::AnyOf(always) => any_of(children, always),
        Rule::Parallel { remembers } => parallel(children, success, failure, remembers),
        Rule::BodyAndCleanup => body_and_cleanup(children),
        Rule::Leaf(_) | Rule::Branches | Rule::Decorator(_) | Rule::Machine => panic!("{word:?} is no such composite"),
    }
}

/// A body with each end, and a cleanup with each. No child is never ticked, since a halt also starts the cleanup.
fn body_and_cleanup(children: &[Cans]) -> (Cans, Vec<bool>) {
    let [body, cleanup] = children else { panic!("a body and a cleanup") };
    let mut can = Cans::new();
    for end in body {
        match end {
            Running => _ = can.insert(Running),
            Success | Failure | Error => can.extend(cleanup.iter().map(|cleaned| match cleaned {
                Success | Failure => *end,
                Running | Error => *cleaned,
            })),
        }
    }
    (can, vec![true; 2])
}

/// What a decorator can give, and what is wrong with it.
pub(crate) fn decorator(word: Word, child: &Cans, times: u64) -> (Cans, Option<&'static str>) {
    let Rule::Decorator(of) = rule(word) else { panic!("{word:?} is no decorator") };
    of(child, times)
}

/// What becomes of the child's success, failure and running, and what comes without them.
fn map(child: &Cans, success: Can, failure: Can, running: &[Can], always: &[Can]) -> Cans {
    let becomes = |status: &Can| match status {
        Success => vec![success],
        Failure => vec![failure],
        Running => running.to_vec(),
        Error => vec![Error],
    };
    child.iter().flat_map(becomes).chain(always.iter().copied()).collect()
}

fn same(child: &Cans, always: &[Can]) -> Cans {
    map(child, Success, Failure, &[Running], always)
}

fn idle(useful: bool) -> Option<&'static str> {
    if useful { None } else { Some("pointless") }
}

/// What is wrong with a decorator whose child has to end.
fn ends(child: &Cans) -> Option<&'static str> {
    idle(child.contains(&Success) || child.contains(&Failure))
}

/// What is wrong with a loop that this ends.
fn loops(child: &Cans, last: Can) -> Option<&'static str> {
    let is_idle = child.iter().all(|status| *status == last || *status == Error);
    if child.contains(&last) { idle(!is_idle) } else { Some("endless") }
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

/// Whether a decorator with this number of runs never starts its child, or never starts it again.
pub(crate) fn is_idle(word: Word, times: u64) -> bool {
    let has = |ty| matches!(rule(word), Rule::Decorator(_)) && word.row().params.iter().any(|param| param.ty == ty);
    has(ParamType::Times) && times < 2 || has(ParamType::Runs) && times < 1
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
