//! Random trees as a user writes them: the text of `tree!`.

use std::fmt::Write;

use bt_conformance::spec::{Args, How, On, Own, Spec, StateSpec, TransitionSpec};
use bt_words::{Arity, Bound, ParamType, Word};

use crate::loaded::with_words;

/// The number and the label of each node in pre-order, as those of files.
pub(crate) type Ids = Vec<(u32, u32)>;

/// The same tree with other words where `tree!` has no such tree: own composites of one child are decorators, and `if` needs a condition. The number of nodes
/// is the same.
pub(crate) fn writable(spec: &Spec) -> Spec {
    let all = |children: &[Spec]| children.iter().map(writable).collect::<Vec<_>>();
    match spec {
        Spec::Word(word, args, children) => {
            let is_branch = word.row().arity() == Arity::Branches;
            let word = if is_branch && !is_condition(&children[0]) { Word::Sequence } else { *word };
            Spec::Word(word, *args, all(children))
        }
        Spec::Own(own, number, children) => {
            Spec::Own(if children.len() == 1 { Own::Patience } else { *own }, *number, all(children))
        }
        Spec::Machine { states, any } => {
            let state = |(index, state): (usize, &StateSpec)| StateSpec {
                node: writable(&state.node),
                number: state.number,
                transitions: different(&state.transitions, Some(index)),
            };
            Spec::Machine { states: states.iter().enumerate().map(state).collect(), any: different(any, None) }
        }
        Spec::Leaf(_) | Spec::Action(_) | Spec::Condition(_) => spec.clone(),
    }
}

/// Transitions without those from a state to itself, and without those that another one precedes.
fn different(transitions: &[TransitionSpec], of: Option<usize>) -> Vec<TransitionSpec> {
    let mut found: Vec<TransitionSpec> = Vec::new();
    for transition in transitions {
        let is_known = found.iter().any(|other| other.on == transition.on);
        if !is_known && of.is_none_or(|of| transition.to != Ok(of)) {
            found.push(transition.clone());
        }
    }
    found
}

/// Parentheses contain a condition, or Rust that begins with one of these words.
fn is_condition(spec: &Spec) -> bool {
    let is_rust = |word: &Word| {
        word.row().arity() == Arity::Branches || word.row().params.iter().any(|param| param.ty == ParamType::Cases)
    };
    !matches!(spec, Spec::Machine { .. }) && !matches!(spec, Spec::Word(word, ..) if is_rust(word))
}

/// The same with ranges in place of functions: in `tree!`, a word with a function is a part of the program, and no word that an edit can give a number.
pub(crate) fn without_parts(spec: &Spec) -> Spec {
    crate::loaded::without_functions(spec)
}

/// The same with ranges in place of the functions of services, which only the compiler can make.
pub(crate) fn without_islands(spec: &Spec) -> Spec {
    with_words(spec, &|word, args, _| {
        let is_service = word.row().params.iter().any(|param| matches!(param.ty, ParamType::Leaf(_)));
        let how = if is_service && args.how == How::Computed { How::Ranged } else { args.how };
        (word, Args { how, ..args })
    })
}

/// Labels of which no two siblings have the same, and states none.
pub(crate) fn labels(spec: &Spec, ids: Ids) -> Ids {
    let mut ids: Ids = if ids.is_empty() { vec![(0, 0); 1000] } else { ids };
    ids.iter_mut().zip(0..).for_each(|((id, _), index)| *id = index);
    ids[0].1 = 0;
    keep_labels(spec, &mut ids, 0);
    ids
}

/// Returns the index after the last node.
fn keep_labels(spec: &Spec, ids: &mut Ids, at: usize) -> usize {
    let (mut next, mut seen) = (at + 1, Vec::new());
    if let Spec::Machine { states, .. } = spec {
        ids[at].1 = 0;
        for state in states {
            ids[next].1 = 0;
            next = keep_labels(&state.node, ids, next + 1);
        }
        return next;
    }
    for child in spec.children() {
        let label = ids[next].1;
        if seen.contains(&label) {
            ids[next].1 = 0;
        }
        seen.push(label);
        next = keep_labels(child, ids, next);
    }
    next
}

/// Writes a tree. The attributes stand before each node.
pub(crate) fn source(spec: &Spec, ids: &Ids, attributes: &str) -> String {
    Writer { labels: ids.iter().map(|(_, label)| *label), attributes }.node(spec, "")
}

struct Writer<'a, L> {
    labels: L,
    attributes: &'a str,
}

impl<L: Iterator<Item = u32>> Writer<'_, L> {
    /// Returns a node with what stands before it.
    fn node(&mut self, spec: &Spec, before: &str) -> String {
        let label = self.labels.next().filter(|label| *label > 0);
        let label = label.map(|label| format!(" \"t{label}\"")).unwrap_or_default();
        let before = format!("{before}{}", self.attributes);
        match spec {
            Spec::Leaf(number) => format!("{before}told({number}){label}"),
            Spec::Action(number) => format!("{before}act({number}){label}"),
            Spec::Condition(number) => format!("{before}check({number}){label}"),
            Spec::Own(own, number, children) => {
                let children = self.list(children, |_| String::new());
                format!("{before}{}({number}){label} {children}", path(*own))
            }
            Spec::Machine { states, any } => before + &self.machine(states, any),
            Spec::Word(word, args, children) if word.row().arity() == Arity::Branches => {
                let mut text = format!("{before}{} ({}){label}", word.name(), self.node(&children[0], ""));
                for (index, branch) in children[1..].iter().enumerate() {
                    let _ = write!(text, "{} {{ {} }}", if index == 0 { "" } else { " else" }, self.node(branch, ""));
                }
                let _ = args;
                text
            }
            Spec::Word(word, args, children) => {
                let head = format!("{before}{}{label}", head(*word, args));
                if children.is_empty() {
                    return head;
                }
                head + " " + &self.list(children, |child| before_child(*word, args, child, children.len()))
            }
        }
    }

    fn list(&mut self, children: &[Spec], before: impl Fn(usize) -> String) -> String {
        let children = children.iter().enumerate().map(|(index, child)| self.node(child, &before(index)));
        format!("{{ {} }}", children.collect::<Vec<_>>().join(", "))
    }

    fn machine(&mut self, states: &[StateSpec], any: &[TransitionSpec]) -> String {
        let mut text = "machine {".to_owned();
        for (index, state) in states.iter().enumerate() {
            self.labels.next();
            let (node, number) = (self.node(&state.node, ""), state.number);
            let transitions = self.transitions(&state.transitions);
            let parts = [node, format!("enter: entered({number})"), format!("exit: left({number})")];
            let parts = parts.into_iter().chain(transitions).collect::<Vec<_>>().join(", ");
            let _ = write!(text, " {}state s{index} {{ {parts} }}", self.attributes);
        }
        if !any.is_empty() {
            let _ = write!(text, " any {{ {} }}", self.transitions(any).join(", "));
        }
        text + " }"
    }

    fn transitions(&self, transitions: &[TransitionSpec]) -> Vec<String> {
        let transition = |TransitionSpec { on, to }: &TransitionSpec| {
            let to = match to {
                Ok(state) => format!("s{state}"),
                Err(status) => format!("{status:?}").to_lowercase(),
            };
            let on = match on {
                On::Success => "success".to_owned(),
                On::Failure => "failure".to_owned(),
                On::Condition(number) => format!("check({number})"),
                On::Not(number) => format!("!check({number})"),
                On::Just(bt_core::Status::Success) => "succeed".to_owned(),
                On::Just(_) => "fail".to_owned(),
            };
            format!("{}{on} -> {to}", self.attributes)
        };
        transitions.iter().map(transition).collect()
    }
}

/// The function of a node of the user.
pub(crate) fn path(own: Own) -> &'static str {
    match own {
        Own::Patience => "own::patience",
        Own::Backwards => "own::backwards",
        Own::Crowd => "own::crowd",
        Own::RoundRobin => "own::round_robin",
        Own::Shift => "own::shift",
    }
}

/// What stands before a child.
fn before_child(word: Word, args: &Args, child: usize, len: usize) -> String {
    let has = |ty| word.row().params.iter().any(|param| param.ty == ty);
    if has(ParamType::Weights) && args.weighted {
        format!("{} => ", args.weight(child))
    } else if has(ParamType::Scores) {
        format!("score({}) => ", args.score(child))
    } else if has(ParamType::Cases) {
        if child + 1 == len { "_ => ".to_owned() } else { format!("{child} => ") }
    } else {
        String::new()
    }
}

/// A word with its arguments.
fn head(word: Word, args: &Args) -> String {
    let argument = |ty, name| argument(ty, name, args);
    let params = word.row().params.iter();
    if params.clone().any(|param| param.ty == ParamType::Cases) {
        return format!("{} pick({})", word.name(), args.times);
    }
    let written: Vec<_> = params.filter_map(|param| argument(param.ty, param.name)).collect();
    if written.is_empty() { word.name().to_owned() } else { format!("{}({})", word.name(), written.join(", ")) }
}

fn argument(ty: ParamType, name: &str, args: &Args) -> Option<String> {
    let (times, millis, share) = (args.times, args.millis, args.share());
    Some(match ty {
        ParamType::Times | ParamType::Runs => match args.how {
            How::Fixed => times.to_string(),
            How::Computed => format!("times({times})"),
            How::Ranged => format!("{times}..={}", args.times_range().1),
        },
        ParamType::Time => match args.how {
            How::Fixed => format!("millis({millis})"),
            How::Computed => format!("span({millis})"),
            How::Ranged => format!("millis({millis})..=millis({})", 2 * millis),
        },
        ParamType::Probability => match args.how {
            How::Fixed => format!("{share:?}"),
            How::Computed => format!("share({times})"),
            How::Ranged => format!("{share:?}..=1.0"),
        },
        ParamType::Threshold(Bound::All) => format!("{name} = {}", args.success),
        ParamType::Threshold(Bound::One) => format!("{name} = {}", args.failure),
        ParamType::Leaf(_) => format!("entered({})", args.action),
        ParamType::Bonus => format!("{name} = {:?}", args.keep()),
        ParamType::Weights
        | ParamType::Scores
        | ParamType::Value
        | ParamType::Cases
        | ParamType::Transitions
        | ParamType::Name => return None,
    })
}
