//! The library's nodes, built from a tree as data. Each child is erased; the composites and decorators around it are the real ones.

use bt_core::argument::{ArgumentIn, IntoArgument};
use bt_core::composite::{Cases, Join, List, ScoreTable, Uniform, Weighted};
use bt_core::decorator::decorate;
use bt_core::keywords;
use bt_core::prelude::*;
use bt_words::Word;

use crate::spec::{Args, How, Spec};
use bt_tests::world::{World, act, check, entered, share, span, times, told};

/// Builds a tree.
///
/// # Panics
///
/// For machines and own nodes.
pub fn build(spec: &Spec) -> BoxNode<World> {
    build_with(spec, |leaf| match leaf {
        Spec::Leaf(number) => boxed(tree! { for World: told(*number) }),
        Spec::Action(number) => boxed(act(*number)),
        Spec::Condition(number) => boxed(check(*number)),
        Spec::Word(..) | Spec::Machine { .. } | Spec::Own(..) => panic!("it is no leaf"),
    })
}

/// The function that makes a leaf.
pub type Leaves = fn(&Spec) -> BoxNode<World>;

/// Builds a tree of other leaves.
///
/// # Panics
///
/// For machines and own nodes.
pub fn build_with(spec: &Spec, leaves: Leaves) -> BoxNode<World> {
    match spec {
        Spec::Leaf(_) | Spec::Action(_) | Spec::Condition(_) => leaves(spec),
        Spec::Word(word, args, children) => word_of(*word, args, children, leaves),
        Spec::Machine { .. } => panic!("the transitions of a machine are types: there is none whose states are erased"),
        Spec::Own(..) => panic!("only loaded trees have it"),
    }
}

fn word_of(word: Word, args: &Args, children: &[Spec], leaves: Leaves) -> BoxNode<World> {
    let ((fewest, most), (shortest, longest)) = (args.times_range(), args.span_range());
    match args.how {
        How::Fixed => with(word, args, (children, leaves), args.times, millis(args.millis), args.share()),
        How::Computed => with(word, args, (children, leaves), times(args.times), span(args.millis), share(args.times)),
        How::Ranged => with(word, args, (children, leaves), fewest..=most, shortest..=longest, args.share()..=1.0),
    }
}

/// Builds a word with these numbers and times.
fn with<A, B, C, MA, MB, MC>(
    word: Word,
    args: &Args,
    children: (&[Spec], Leaves),
    times: A,
    time: B,
    share: C,
) -> BoxNode<World>
where
    A: IntoArgument<u32, MA, Argument: ArgumentIn<World, u32> + Send + Sync + 'static>,
    B: IntoArgument<Duration, MB, Argument: ArgumentIn<World, Duration> + Send + Sync + 'static>,
    C: IntoArgument<f64, MC, Argument: ArgumentIn<World, f64> + Send + Sync + 'static>,
{
    match word {
        Word::Selector
        | Word::Sequence
        | Word::MemSelector
        | Word::MemSequence
        | Word::KeptSequence
        | Word::RandomSelector
        | Word::RandomSequence
        | Word::UtilitySelector
        | Word::MemUtilitySelector
        | Word::Match
        | Word::MemMatch
        | Word::If
        | Word::MemIf
        | Word::Parallel
        | Word::MemParallel => with_list(children, Composing { word, args }),
        Word::Finally => {
            let [body, cleanup] = [0, 1].map(|child| build_with(&children.0[child], children.1));
            boxed(keywords::finally((body, cleanup)))
        }
        Word::Machine | Word::State => panic!("machines are not built of words"),
        Word::Invert => under(keywords::invert(), children),
        Word::ForceSuccess => under(keywords::force_success(), children),
        Word::ForceFailure => under(keywords::force_failure(), children),
        Word::Repeat => under(keywords::repeat(), children),
        Word::RepeatTimes => under(keywords::repeat_times(times), children),
        Word::Retry => under(keywords::retry(times), children),
        Word::RepeatWhileSuccess => under(keywords::repeat_while_success(times), children),
        Word::UntilFailure => under(keywords::until_failure(), children),
        Word::UntilSuccess => under(keywords::until_success(), children),
        Word::WaitUntil => under(keywords::wait_until(), children),
        Word::Limit => under(keywords::limit(times), children),
        Word::RunOnce => under(keywords::run_once(), children),
        Word::SucceedOnce => under(keywords::succeed_once(), children),
        Word::Fresh => under(keywords::fresh(), children),
        Word::ByEvent => under(keywords::by_event(), children),
        Word::Timeout => under(keywords::timeout(time), children),
        Word::Delay => under(keywords::delay(time), children),
        Word::Cooldown => under(keywords::cooldown(time), children),
        Word::Chance => under(keywords::chance(share), children),
        Word::Service => {
            boxed(keywords::service(time, entered(args.action), "entered", build_with(&children.0[0], children.1)))
        }
        Word::Wait => boxed(wait(time)),
        Word::Succeed => boxed(succeed()),
        Word::Fail => boxed(fail()),
        Word::Run => boxed(run()),
        Word::Error => boxed(error()),
    }
}

fn under<P: Decorator<World> + Send + Sync + 'static>(
    policy: P,
    (children, leaves): (&[Spec], Leaves),
) -> BoxNode<World> {
    boxed(decorate(policy, build_with(&children[0], leaves)))
}

/// A composite of a list whose type is not known.
struct Composing<'a> {
    word: Word,
    args: &'a Args,
}

impl Composing<'_> {
    fn of<L: List<World> + Send + Sync + 'static>(self, children: L) -> BoxNode<World> {
        let [success, failure] = [self.args.success, self.args.failure].map(keywords::at_least);
        match self.word {
            Word::Selector => boxed(keywords::selector(children)),
            Word::Sequence => boxed(keywords::sequence(children)),
            Word::MemSelector => boxed(keywords::mem_selector(children)),
            Word::MemSequence => boxed(keywords::mem_sequence(children)),
            Word::KeptSequence => boxed(keywords::kept_sequence(children)),
            Word::UtilitySelector => boxed(keywords::utility_selector(self.args.keep(), self.scores(), children)),
            Word::MemUtilitySelector => boxed(keywords::mem_utility_selector(self.scores(), children)),
            Word::Match => boxed(keywords::match_else(self.cases(children.len()), children)),
            Word::MemMatch => boxed(keywords::mem_match_else(self.cases(children.len()), children)),
            Word::If => boxed(keywords::if_else(children)),
            Word::MemIf => boxed(keywords::mem_if_else(children)),
            Word::Parallel => boxed(keywords::parallel(success, failure, children)),
            Word::MemParallel => boxed(keywords::mem_parallel(success, failure, children)),
            Word::RandomSelector if self.args.weighted => boxed(keywords::random_selector(self.weights(), children)),
            Word::RandomSelector => boxed(keywords::random_selector(Uniform, children)),
            Word::RandomSequence if self.args.weighted => boxed(keywords::random_sequence(self.weights(), children)),
            Word::RandomSequence => boxed(keywords::random_sequence(Uniform, children)),
            Word::Finally
            | Word::Machine
            | Word::State
            | Word::Invert
            | Word::ForceSuccess
            | Word::ForceFailure
            | Word::Repeat
            | Word::RepeatTimes
            | Word::Retry
            | Word::RepeatWhileSuccess
            | Word::UntilFailure
            | Word::UntilSuccess
            | Word::WaitUntil
            | Word::Limit
            | Word::RunOnce
            | Word::SucceedOnce
            | Word::Fresh
            | Word::ByEvent
            | Word::Timeout
            | Word::Delay
            | Word::Cooldown
            | Word::Chance
            | Word::Service
            | Word::Wait
            | Word::Succeed
            | Word::Fail
            | Word::Run
            | Word::Error => panic!("`{}` is not a composite", self.word.name()),
        }
    }

    fn weights(&self) -> Weighted<8> {
        Weighted::new(std::array::from_fn(|child| self.args.weight(child).into()))
    }

    /// The scores of eight children; there may be fewer.
    fn scores(&self) -> ScoreTable<impl Fn(&World, usize) -> f32 + Copy + Send + Sync + 'static, 8> {
        let args = *self.args;
        ScoreTable::new([""; 8], move |world: &World, child| world.score(args.score(child)))
    }

    fn cases(&self, len: usize) -> Cases<impl Fn(&World) -> usize + Copy + Send + Sync + 'static> {
        let number = self.args.times;
        Cases::new("", &[], move |world: &World| world.pick(number).min(len - 1))
    }
}

/// A list of up to four children as a tuple, of up to eight as two of them joined.
fn with_list((children, leaves): (&[Spec], Leaves), composite: Composing<'_>) -> BoxNode<World> {
    let mut nodes = children.iter().map(|child| build_with(child, leaves));
    let mut next = || nodes.next().expect("there are as many nodes as children");
    macro_rules! list {
        ($list:expr) => {
            composite.of($list)
        };
    }
    match children.len() {
        1 => list!((next(),)),
        2 => list!((next(), next())),
        3 => list!((next(), next(), next())),
        4 => list!((next(), next(), next(), next())),
        5 => list!(Join((next(), next()), (next(), next(), next()))),
        6 => list!(Join((next(), next(), next()), Join((next(),), (next(), next())))),
        7 => list!(Join(Join((next(), next()), (next(), next())), (next(), next(), next()))),
        8 => list!((next(), next(), next(), next(), next(), next(), next(), next())),
        len => panic!("the tests make no composites of {len} children"),
    }
}
