//! What the user's own generics and macros bring into a `tree!`.

use core::marker::PhantomData;

use bt_core::prelude::*;

#[derive(Default)]
struct Log {
    text: String,
    now: Duration,
}

impl Clock for Log {
    fn now(&self) -> Duration {
        self.now
    }
}

/// Leaves and a decorator as functions of a generic type.
struct Of<A, B>(PhantomData<(A, B)>);

impl<A: Default + ToString, B: Default + ToString> Of<A, B> {
    fn write(log: &mut Log) {
        log.text += &A::default().to_string();
        log.text += &B::default().to_string();
    }

    fn never(_: &Log) -> bool {
        false
    }

    fn own<N: Node<Log>>(child: N) -> N {
        child
    }
}

fn number<A: Default, B: Default + Into<usize>>() -> usize {
    let (_, number) = <(A, B)>::default();
    number.into().max(1)
}

fn every<A: Default, B: Default + Into<u64>>() -> Duration {
    let (_, number) = <(A, B)>::default();
    secs(number.into().max(1))
}

fn run_on(_: &mut Log) -> Status {
    Status::Running
}

fn log<N: Node<Log>>(tree: N) -> (Status, String) {
    let mut log = Log::default();
    let status = tree.tick(&mut log, &mut tree.memory());
    (status, log.text)
}

#[test]
fn functions_of_generic_types_are_nodes() {
    let tree = tree! {
        for Log: sequence {
            Of::<u8, bool>::write,
            !Of::<u8, bool>::never,
            Of::<i32, u8>::write,
            Of::<u8, u8>::own { Of::<bool, bool>::write }
        }
    };
    assert_eq!(log(tree), (Status::Success, "0false00falsefalse".to_owned()));
    let angles = tree! { for Log: sequence < Of::<u8, bool>::write, !Of::<u8, bool>::never > };
    assert_eq!(log(angles), (Status::Success, "0false".to_owned()));
}

#[test]
fn functions_of_generic_types_are_guards() {
    let tree = tree! {
        for Log: machine {
            state a { run_on, Of::<u8, bool>::never -> b, !Of::<u8, u8>::never -> b }
            state b { Of::<u8, bool>::write, success -> success }
        }
    };
    assert_eq!(log(tree).1, "0false");
}

#[test]
fn arguments_may_have_generic_arguments() {
    let tree = tree! {
        for Log: service(every::<u8, u16>(), Of::<u8, bool>::write) {
            parallel(success = number::<u8, u16>(), failure = number::<u16, u8>()) { run_on, Of::<u8, u8>::write }
        }
    };
    assert_eq!(log(tree), (Status::Success, "0false00".to_owned()));
}

macro_rules! between {
    ($node:expr) => {
        tree! { for Log: sequence { Of::<u8, u8>::write, $node, Of::<u8, u8>::write } }
    };
}

macro_rules! under {
    ($path:path, $node:expr) => {
        tree! { for Log: sequence { $path { $node }, !$path { fail } } }
    };
}

#[test]
fn what_a_macro_hands_over_is_one_node() {
    assert_eq!(log(between!(|log: &Log| log.text.is_empty() || log.now == secs(0))).1, "0000");
    assert_eq!(log(between!(!Of::<u8, u8>::never)).1, "0000");
    assert_eq!(log(between!(if true { run_on as fn(&mut Log) -> Status } else { run_on })).1, "00");
    assert_eq!(log(between!(run_on)).1, "00");
    assert_eq!(log(under!(self::passed, run_on)).0, Status::Running);
}

fn passed<N: Node<Log>>(child: N) -> N {
    child
}
