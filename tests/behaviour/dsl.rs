//! The grammar of `tree!`.

use bt_core::Status::{Failure, Success};
use bt_core::prelude::*;

fn a(log: &mut String) {
    log.push('a');
}

fn b(log: &mut String) -> bool {
    log.push('b');
    false
}

mod deep {
    pub(crate) fn c(log: &mut String) {
        log.push('c');
    }

    pub(crate) mod repeat {
        pub(crate) fn d(log: &mut String) {
            log.push('d');
        }
    }
}

/// A function of the user's with a keyword's name.
fn repeat(log: &mut String) {
    log.push('r');
}

fn log<N: Node<String>>(tree: N) -> String {
    let mut log = String::new();
    tree.tick(&mut log, &mut tree.memory());
    log
}

fn same_type<T>(_: &T, _: &T) {}

#[test]
fn angle_brackets_and_braces_build_the_same_type() {
    let angles = tree! { selector < sequence < a, b > a > };
    let braces = tree! { selector { sequence { a, b } a } };
    same_type(&angles, &braces);
    assert_eq!(log(angles), "aba");
    assert_eq!(log(braces), "aba");
}

#[test]
fn machines_in_angle_brackets_are_the_same_too() {
    #[condition]
    fn full(log: &String) -> bool {
        log.len() > 2
    }
    let angles = tree! {
        machine "m" <
            state one < enter: deep::c, a, full -> success, success -> two >
            state two < sequence < b, a > exit: deep::c, failure -> one >
            any < !full -> one >
        >
    };
    let braces = tree! {
        machine "m" {
            state one { enter: deep::c, a, full -> success, success -> two }
            state two { sequence { b, a } exit: deep::c, failure -> one }
            any { !full -> one }
        }
    };
    same_type(&angles, &braces);
    let (mut log, mut memory) = (String::new(), angles.memory());
    let statuses: Vec<_> = (0..4).map(|_| angles.tick(&mut log, &mut memory)).collect();
    assert_eq!(log, "caccac");
    assert_eq!(statuses, [Status::Running, Status::Running, Success, Success]);
}

#[test]
fn brackets_can_be_mixed_and_closed_at_once() {
    assert_eq!(log(tree! { selector < sequence < a, sequence < a, b > > sequence { a } > }), "aaba");
}

#[test]
fn the_comma_after_a_list_may_be_left_out_and_one_at_the_end_is_fine() {
    assert_eq!(
        log(tree! { sequence { sequence { a } !sequence { b } a, invert < b > a } }),
        "abaab".replace("aab", "aba")
    );
}

#[test]
fn paths_closures_and_expressions_are_leaves() {
    let capture = 'x';
    let tree = tree! {
        sequence "leaves" {
            self::a,
            deep::c,
            deep::repeat::d,
            <str as ToOwnedLog>::log,
            |log: &mut String| log.push(capture),
            |log: &mut String| -> bool { log.push('y'); true },
            (if capture == 'x' { a as fn(&mut String) } else { repeat }),
            repeat,
            tree! { a },
        }
    };
    assert_eq!(log(tree), "acdlxyara");
}

trait ToOwnedLog {
    fn log(log: &mut String);
}

impl ToOwnedLog for str {
    fn log(log: &mut String) {
        log.push('l');
    }
}

#[test]
fn closures_in_angle_brackets_reach_to_the_next_comma_or_bracket() {
    let tree = tree! {
        sequence <
            |log: &String| log.len() < 3,
            |log: &mut String| -> () { log.push('>') },
            a,
            |log: &String| log.len() >= 2,
            |log: &mut String| log.extend(Vec::<char>::from(['z'])),
        >
    };
    assert_eq!(log(tree), ">az");
}

#[test]
fn keywords_are_reserved_only_before_children() {
    assert_eq!(log(tree! { repeat(2) { repeat } }), "rr");
}

#[test]
fn bangs_can_be_doubled() {
    let tree = tree! { for (): !!succeed };
    assert_eq!(tree.tick(&mut (), &mut tree.memory()), Success);
    let tree = tree! { for (): !succeed };
    assert_eq!(tree.tick(&mut (), &mut tree.memory()), Failure);
}

#[test]
fn arguments_capture_the_variables_around_them() {
    let times = 2;
    assert_eq!(log(tree! { repeat(times + 1) { a } }), "aaa");
}

#[test]
fn a_node_may_bear_an_allow() {
    assert_eq!(log(tree! { selector { a, #[allow(unreachable)] b } }), "a");
}

#[test]
fn subtrees_are_functions() {
    #[subtree]
    fn twice(leaf: fn(&mut String)) -> impl Node<String> {
        let times = 2;
        tree! { repeat(times) { leaf } }
    }
    fn plain(leaf: fn(&mut String)) -> impl Node<String> {
        tree! { sequence { leaf, twice(a) } }
    }
    assert_eq!(log(tree! { sequence { twice(deep::c), plain(repeat) } }), "ccraa");
}

#[test]
fn trees_can_be_made_in_loops_and_kept_in_collections() {
    let trees: Vec<BoxNode<String>> = (1..4).map(|times| boxed(tree! { for String: repeat(times) { a } })).collect();
    assert_eq!(trees.iter().map(log).collect::<Vec<_>>(), ["a", "aa", "aaa"]);
}
