//! The words of other libraries and their counterparts, as the chapter "Coming from other libraries" lists them: each
//! original is written out by hand, after the documentation of the library, and compared with its counterpart.

mod behaviortree_cpp;
mod bonsai;
mod py_trees;
mod time;

use bt_core::Status::{self, Error, Failure, Running, Success};
use bt_core::prelude::*;

/// What the leaves `a`, `b` and `c` return in each tick, and what was ticked and halted.
#[derive(Default)]
struct World {
    script: [Option<Status>; 3],
    log: String,
    now: Duration,
}

impl Clock for World {
    fn now(&self) -> Duration {
        self.now
    }
}

#[derive(Clone, Copy)]
struct Scripted(usize);

#[leaf]
impl Leaf<World> for Scripted {
    type Open = ();
    fn open(&self, _: &mut World) {}
    fn tick(&self, (): &mut (), world: &mut World) -> Status {
        world.log.push(char::from(b'a' + u8::try_from(self.0).expect("three leaves")));
        world.script[self.0].unwrap_or(Success)
    }
    fn close(&self, (): &mut (), world: &mut World, end: End) {
        if matches!(end, End::Halted(_)) {
            world.log.push(char::from(b'A' + u8::try_from(self.0).expect("three leaves")));
        }
    }
}

/// A condition with a scripted outcome.
#[condition]
fn holds(world: &World, index: usize) -> bool {
    world.script[index] != Some(Failure)
}

/// A leaf of the other library, as a state machine of its own.
#[derive(Default)]
struct Child {
    is_open: bool,
}

/// The children of an original, and their scripted statuses.
struct Children<'w> {
    children: &'w mut [Child; 3],
    world: &'w mut World,
}

impl Children<'_> {
    fn tick(&mut self, index: usize) -> Status {
        self.world.log.push(char::from(b'a' + u8::try_from(index).expect("three leaves")));
        let status = self.world.script[index].unwrap_or(Success);
        self.children[index].is_open = status == Running;
        status
    }

    fn halt(&mut self, index: usize) {
        if std::mem::take(&mut self.children[index].is_open) {
            self.world.log.push(char::from(b'A' + u8::try_from(index).expect("three leaves")));
        }
    }

    /// The time that has passed.
    fn since(&self, then: Duration) -> Duration {
        self.world.now.saturating_sub(then)
    }

    fn holds(&self, index: usize) -> bool {
        self.world.script[index] != Some(Failure)
    }
}

/// Runs an original and its counterpart with everything that up to `ticks` ticks can bring, and compares them.
fn same<N: Node<World>, S: Default + Clone>(
    tree: &N,
    used: usize,
    ticks: u32,
    original: impl Fn(&mut S, &mut Children<'_>) -> Status,
) {
    compare(tree, used, ticks, original, |log| log);
}

/// Compares only the statuses of a tree with those of the original.
fn same_statuses<N: Node<World>, S: Default + Clone>(
    tree: &N,
    used: usize,
    ticks: u32,
    original: impl Fn(&mut S, &mut Children<'_>) -> Status,
) {
    compare(tree, used, ticks, original, |_| "");
}

/// Compares statuses, and the part of the visits that `seen` returns.
fn compare<N: Node<World>, S: Default + Clone>(
    tree: &N,
    used: usize,
    ticks: u32,
    original: impl Fn(&mut S, &mut Children<'_>) -> Status,
    seen: fn(&str) -> &str,
) {
    let statuses = [Success, Failure, Running];
    let kinds = statuses.len().pow(u32::try_from(used).expect("three leaves"));
    for number in 0..kinds.pow(ticks) {
        let (mut left, mut state) = (number, S::default());
        let (mut memory, mut children) = (tree.memory(), <[Child; 3]>::default());
        for tick in 0..ticks {
            let mut script = [None; 3];
            for one in script.iter_mut().take(used) {
                *one = Some(statuses[left % 3]);
                left /= 3;
            }
            let (mut ours, mut theirs) = (World { script, ..World::default() }, World { script, ..World::default() });
            let found = tree.tick(&mut ours, &mut memory);
            let expected = original(&mut state, &mut Children { children: &mut children, world: &mut theirs });
            assert_eq!((found, seen(&ours.log)), (expected, seen(&theirs.log)), "case {number}, tick {tick}");
        }
    }
}

#[test]
fn repeat_of_behaviortree_cpp_is_repeat_while_success() {
    // RepeatNode::tick, version 4: halts nothing, counts successes, and ends at a failure.
    same(&tree! { repeat_while_success(3) { Scripted(0) } }, 1, 5, |done: &mut u32, children| {
        while *done < 3 {
            match children.tick(0) {
                Success => *done += 1,
                Failure => {
                    *done = 0;
                    return Failure;
                }
                other => return other,
            }
        }
        *done = 0;
        Success
    });
}

#[test]
fn retry_until_successful_is_retry() {
    same(&tree! { retry(3) { Scripted(0) } }, 1, 5, |done: &mut u32, children| {
        while *done < 3 {
            match children.tick(0) {
                Failure => *done += 1,
                Success => {
                    *done = 0;
                    return Success;
                }
                other => return other,
            }
        }
        *done = 0;
        Failure
    });
}

#[test]
fn keep_running_until_failure_is_until_failure_below_force_failure() {
    same(&tree! { force_failure { until_failure { Scripted(0) } } }, 1, 6, |(): &mut (), children| {
        match children.tick(0) {
            Failure => Failure,
            _ => Running,
        }
    });
}

#[test]
fn sequence_is_mem_sequence_and_fallback_is_mem_selector() {
    fn in_order(at: &mut usize, children: &mut Children<'_>, pass: Status) -> Status {
        while *at < 3 {
            let status = children.tick(*at);
            if status == Running {
                return Running;
            }
            if status != pass {
                *at = 0;
                return status;
            }
            *at += 1;
        }
        *at = 0;
        pass
    }
    same(&tree! { mem_sequence { Scripted(0), Scripted(1), Scripted(2) } }, 3, 3, |at: &mut usize, children| {
        in_order(at, children, Success)
    });
    same(&tree! { mem_selector { Scripted(0), Scripted(1), Scripted(2) } }, 3, 3, |at: &mut usize, children| {
        in_order(at, children, Failure)
    });
}

#[test]
fn reactive_sequence_and_fallback_are_sequence_and_selector() {
    // BehaviorTree.CPP halts the other children when one runs, and all of them when the node ends.
    fn reactive(children: &mut Children<'_>, pass: Status) -> Status {
        for index in 0..3 {
            let status = children.tick(index);
            if status != pass {
                (0..3).filter(|other| *other != index).for_each(|other| children.halt(other));
                return status;
            }
        }
        pass
    }
    same(&tree! { sequence { Scripted(0), Scripted(1), Scripted(2) } }, 3, 3, |(): &mut (), children| {
        reactive(children, Success)
    });
    same(&tree! { selector { Scripted(0), Scripted(1), Scripted(2) } }, 3, 3, |(): &mut (), children| {
        reactive(children, Failure)
    });
}

#[test]
fn while_do_else_is_if() {
    let tree = tree! { if holds(0) { Scripted(1) } else { Scripted(2) } };
    same(&tree, 3, 3, |(): &mut (), children| {
        let (chosen, other) = if children.holds(0) { (1, 2) } else { (2, 1) };
        children.halt(other);
        children.tick(chosen)
    });
}

#[test]
fn if_then_else_is_mem_if() {
    let tree = tree! { mem_if holds(0) { Scripted(1) } else { Scripted(2) } };
    same(&tree, 3, 3, |chosen: &mut Option<usize>, children| {
        let branch = *chosen.get_or_insert_with(|| if children.holds(0) { 1 } else { 2 });
        let status = children.tick(branch);
        if status != Running {
            *chosen = None;
        }
        status
    });
}

#[test]
fn switch_is_match() {
    // SwitchNode halts the running child when the value selects another.
    let value = |world: &World| world.script[0].map_or(3, |status| status as u8);
    let tree = tree! { for World: match value { 0 => Scripted(1), _ => Scripted(2) } };
    same(&tree, 3, 3, |running: &mut Option<usize>, children| {
        let chosen = if children.world.script[0].map_or(3, |status| status as u8) == 0 { 1 } else { 2 };
        if let Some(other) = running.take().filter(|other| *other != chosen) {
            children.halt(other);
        }
        let status = children.tick(chosen);
        *running = (status == Running).then_some(chosen);
        status
    });
}

#[test]
fn one_shot_of_py_trees_is_run_once_or_succeed_once() {
    same(&tree! { run_once { Scripted(0) } }, 1, 5, |done: &mut Option<Status>, children| {
        if let Some(done) = done {
            return *done;
        }
        let status = children.tick(0);
        *done = (status != Running).then_some(status);
        status
    });
    same(&tree! { succeed_once { Scripted(0) } }, 1, 5, |done: &mut bool, children| {
        if *done {
            return Success;
        }
        let status = children.tick(0);
        *done = status == Success;
        status
    });
}

#[test]
fn an_eternal_guard_is_a_condition_before_the_node() {
    same(&tree! { sequence { holds(0), Scripted(1) } }, 2, 4, |(): &mut (), children| {
        if children.holds(0) {
            return children.tick(1);
        }
        children.halt(1);
        Failure
    });
}

#[test]
fn failure_is_success_and_its_like_are_force_success_and_its_like() {
    let end = |children: &mut Children<'_>, end: Status| match children.tick(0) {
        Running => Running,
        _ => end,
    };
    same(&tree! { force_success { Scripted(0) } }, 1, 4, |(): &mut (), children| end(children, Success));
    same(&tree! { force_failure { Scripted(0) } }, 1, 4, |(): &mut (), children| end(children, Failure));
    same(&tree! { invert { Scripted(0) } }, 1, 4, |(): &mut (), children| match children.tick(0) {
        Success => Failure,
        Failure => Success,
        other => other,
    });
}

#[test]
fn failure_is_running_is_wait_until() {
    same(&tree! { wait_until { Scripted(0) } }, 1, 5, |(): &mut (), children| match children.tick(0) {
        Failure => Running,
        other => other,
    });
}

#[test]
fn an_observer_that_aborts_lower_priorities_is_a_condition_in_a_selector() {
    // Unreal: the branch with the decorator is entered as soon as the condition holds, and left as soon as it does not.
    let tree = tree! { selector { sequence { holds(0), Scripted(1) } Scripted(2) } };
    same(&tree, 3, 3, |(): &mut (), children| {
        if children.holds(0) {
            let status = children.tick(1);
            if status != Failure {
                children.halt(2);
                return status;
            }
        }
        children.halt(1);
        children.tick(2)
    });
}

#[test]
fn parallel_of_behaviortree_cpp_is_mem_parallel() {
    /// `ParallelNode::tick`: a child that has ended is not ticked again; the thresholds are compared after each child.
    fn parallel(
        success: usize,
        failure: usize,
        ended: &mut [Option<Status>; 3],
        children: &mut Children<'_>,
    ) -> Status {
        let mut end = None;
        for index in 0..3 {
            if ended[index].is_none() {
                let status = children.tick(index);
                ended[index] = (status != Running).then_some(status);
            }
            let count = |status| ended.iter().filter(|ended| **ended == Some(status)).count();
            if count(Success) >= success {
                end = Some(Success);
            } else if 3 - count(Failure) < success || count(Failure) == failure {
                end = Some(Failure);
            }
            if end.is_some() {
                break;
            }
        }
        let Some(end) = end else { return Running };
        *ended = [None; 3];
        (0..3).for_each(|index| children.halt(index));
        end
    }
    macro_rules! compare {
        ($($success:literal $failure:literal),+) => {$(
            let tree = tree! {
                mem_parallel(success = $success, failure = $failure) { Scripted(0), Scripted(1), Scripted(2) }
            };
            same(&tree, 3, 3, |ended, children| parallel($success, $failure, ended, children));
        )+};
    }
    compare!(3 1, 2 2, 1 3, 1 1);
}

#[test]
fn parallel_of_py_trees_has_the_statuses_of_parallel_or_mem_parallel() {
    /// `Parallel.tick` with `SuccessOnAll`: ticks all children, except those that have succeeded if they are synchronized.
    fn parallel(synchronise: bool, last: &mut [Option<Status>; 3], children: &mut Children<'_>) -> Status {
        for (index, last) in last.iter_mut().enumerate() {
            if !(synchronise && *last == Some(Success)) {
                *last = Some(children.tick(index));
            }
        }
        let end = if last.contains(&Some(Failure)) {
            Failure
        } else if *last == [Some(Success); 3] {
            Success
        } else {
            return Running;
        };
        (0..3).for_each(|index| children.halt(index));
        *last = [None; 3];
        end
    }
    // The row says that `parallel` stops at the threshold, so the visits differ.
    same_statuses(&tree! { parallel { Scripted(0), Scripted(1), Scripted(2) } }, 3, 3, |last, children| {
        parallel(false, last, children)
    });
    same_statuses(&tree! { mem_parallel { Scripted(0), Scripted(1), Scripted(2) } }, 3, 3, |last, children| {
        parallel(true, last, children)
    });
}

#[test]
fn simple_parallel_of_unreal_runs_its_background_as_long_as_its_main_task() {
    // Finish mode "Immediate": the end of the main task aborts the background.
    let tree = tree! { parallel(success = one) { Scripted(0), repeat { Scripted(1) } } };
    same(&tree, 2, 4, |(): &mut (), children| {
        let main = children.tick(0);
        if main == Running {
            children.tick(1);
        } else {
            children.halt(1);
        }
        main
    });
}

#[test]
fn run_once_of_behaviortree_cpp_is_run_once() {
    same(&tree! { run_once { Scripted(0) } }, 1, 5, |ended: &mut Option<Status>, children| {
        if let Some(ended) = ended {
            return *ended;
        }
        let status = children.tick(0);
        *ended = (status != Running).then_some(status);
        status
    });
}

#[test]
fn while_of_bevy_behave_is_until_failure_below_force_failure() {
    // With one child: started again in the next tick until it fails; then the node fails.
    same(&tree! { force_failure { until_failure { Scripted(0) } } }, 1, 5, |(): &mut (), children| {
        match children.tick(0) {
            Failure => Failure,
            _ => Running,
        }
    });
    // With two: the first is not ticked again while the second runs.
    let tree = tree! { force_failure { until_failure { mem_sequence { Scripted(0), Scripted(1) } } } };
    same(&tree, 2, 4, |holds: &mut bool, children| {
        if !*holds {
            match children.tick(0) {
                Success => *holds = true,
                other => return other,
            }
        }
        match children.tick(1) {
            Running => Running,
            Success => {
                *holds = false;
                Running
            }
            other => {
                *holds = false;
                other
            }
        }
    });
}

#[test]
fn forever_of_bevy_behave_is_repeat() {
    same(&tree! { repeat { Scripted(0) } }, 1, 5, |(): &mut (), children| {
        children.tick(0);
        Running
    });
}

#[test]
fn loop_of_unreal_keeps_the_last_outcome_and_repeat_succeeds() {
    let tree = tree! { repeat(2) { Scripted(0) } };
    let mut world = World { script: [Some(Failure), None, None], ..World::default() };
    assert_eq!(tree.tick(&mut world, &mut tree.memory()), Success);
    assert_eq!(world.log, "aa");
}

#[test]
fn an_error_ends_every_one_of_them() {
    fn tick<N: Node<World>>(tree: &N) -> Status {
        tree.tick(&mut World { script: [Some(Error); 3], ..World::default() }, &mut tree.memory())
    }
    assert_eq!(tick(&tree! { repeat_while_success(3) { Scripted(0) } }), Error);
    assert_eq!(tick(&tree! { succeed_once { Scripted(0) } }), Error);
    assert_eq!(tick(&tree! { mem_if holds(0) { Scripted(1) } }), Error);
    assert_eq!(tick(&tree! { utility_selector { 1 => Scripted(0), 0 => Scripted(1) } }), Error);
}
