//! The library's nodes, built from a tree as data. Each child is erased; the composites and decorators around it are the real ones.

use bt_core::composite::{Join, List, Uniform, Weighted, Weights};
use bt_core::keywords;
use bt_core::prelude::*;

use crate::spec::Spec;
use crate::world::{World, act, check, entered, told};

/// Builds a tree.
///
/// # Panics
///
/// For machines.
pub fn build(spec: &Spec) -> BoxNode<World> {
    match spec {
        Spec::Leaf(number) => boxed(tree! { for World: told(*number) }),
        Spec::Action(number) => boxed(act(*number)),
        Spec::Condition(number) => boxed(check(*number)),
        Spec::Just(Status::Success) => boxed(succeed()),
        Spec::Just(Status::Failure) => boxed(fail()),
        Spec::Just(Status::Running) => boxed(run()),
        Spec::Just(Status::Error) => boxed(error()),
        Spec::Selector { remembers, children } => with_list(children, Selecting { remembers: *remembers }),
        Spec::Sequence { remembers, children } => with_list(children, Sequencing { remembers: *remembers }),
        Spec::Parallel { remembers, success, failure, children } => {
            with_list(children, Paralleling { remembers: *remembers, success: *success, failure: *failure })
        }
        Spec::Machine { .. } => panic!("the transitions of a machine are types: there is none whose states are erased"),
        Spec::Random { selects, weighted, children } => {
            with_list(children, Drawing { selects: *selects, weighted: *weighted })
        }
        Spec::Invert(child) => under(keywords::invert(), child),
        Spec::ForceSuccess(child) => under(keywords::force_success(), child),
        Spec::ForceFailure(child) => under(keywords::force_failure(), child),
        Spec::Repeat(child) => under(keywords::repeat(), child),
        Spec::RepeatTimes(times, child) => under(keywords::repeat_times(*times), child),
        Spec::Retry(times, child) => under(keywords::retry(*times), child),
        Spec::UntilFailure(child) => under(keywords::until_failure(), child),
        Spec::UntilSuccess(child) => under(keywords::until_success(), child),
        Spec::WaitUntil(child) => under(keywords::wait_until(), child),
        Spec::Limit(runs, child) => under(keywords::limit(*runs), child),
        Spec::RunOnce(child) => under(keywords::run_once(), child),
        Spec::Timeout(time, child) => under(keywords::timeout(millis(*time)), child),
        Spec::Delay(time, child) => under(keywords::delay(millis(*time)), child),
        Spec::Cooldown(time, child) => under(keywords::cooldown(millis(*time)), child),
        Spec::Service(time, number, child) => {
            boxed(keywords::service(millis(*time), entered(*number), "entered", build(child)))
        }
    }
}

fn under<P: Decorator<World> + Send + Sync + 'static>(policy: P, child: &Spec) -> BoxNode<World> {
    boxed(decorate(policy, build(child)))
}

/// Makes a composite of a list whose type is not known.
trait Compose {
    fn compose<L: List<World> + Send + Sync + 'static>(self, children: L) -> BoxNode<World>;
}

struct Selecting {
    remembers: bool,
}

struct Sequencing {
    remembers: bool,
}

struct Paralleling {
    remembers: bool,
    success: usize,
    failure: usize,
}

struct Drawing {
    selects: bool,
    weighted: bool,
}

impl Drawing {
    fn weighing<W: Weights, L: List<World> + Send + Sync + 'static>(&self, weights: W, children: L) -> BoxNode<World> {
        if self.selects {
            boxed(keywords::random_selector(weights, children))
        } else {
            boxed(keywords::random_sequence(weights, children))
        }
    }
}

impl Compose for Drawing {
    fn compose<L: List<World> + Send + Sync + 'static>(self, children: L) -> BoxNode<World> {
        if !self.weighted {
            return self.weighing(Uniform, children);
        }
        let weights: [f64; 8] = std::array::from_fn(|child| Spec::weight(true, child).into());
        self.weighing(Weighted::new(weights), children)
    }
}

impl Compose for Selecting {
    fn compose<L: List<World> + Send + Sync + 'static>(self, children: L) -> BoxNode<World> {
        if self.remembers { boxed(keywords::mem_selector(children)) } else { boxed(keywords::selector(children)) }
    }
}

impl Compose for Sequencing {
    fn compose<L: List<World> + Send + Sync + 'static>(self, children: L) -> BoxNode<World> {
        if self.remembers { boxed(keywords::mem_sequence(children)) } else { boxed(keywords::sequence(children)) }
    }
}

impl Compose for Paralleling {
    fn compose<L: List<World> + Send + Sync + 'static>(self, children: L) -> BoxNode<World> {
        let (success, failure) = (keywords::at_least(self.success), keywords::at_least(self.failure));
        if self.remembers {
            boxed(keywords::mem_parallel(success, failure, children))
        } else {
            boxed(keywords::parallel(success, failure, children))
        }
    }
}

/// A list of up to four children as a tuple, of up to eight as two of them joined.
fn with_list(children: &[Spec], composite: impl Compose) -> BoxNode<World> {
    let mut nodes = children.iter().map(build);
    let mut next = || nodes.next().expect("there are as many nodes as children");
    macro_rules! list {
        ($list:expr) => {
            composite.compose($list)
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
