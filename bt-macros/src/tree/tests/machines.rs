//! Machines.

use super::{faults, syntax};

#[test]
fn machines_have_states_and_arrows() {
    assert_eq!(
        syntax(
            "machine \"m\" { state a { graze(1), !near -> b, success -> failure } state b { exit: c, enter: d, seq { e }, |x: &T| x.y -> a, } any { f::g(3) -> b } }"
        ),
        "machine[a[<graze (1)> !<near>->b <success>->failure] b[seq[<e>] enter:<d> exit:<c> <| x : & T | x . y>->a] any[<f :: g (3)>->b]]"
    );
    assert_eq!(syntax("machine { invert { a } }"), "machine[invert[<a>]]", "a decorator of the user's");
}

#[test]
fn machines_may_stand_in_angle_brackets() {
    let braces = "machine \"m\" { state a { enter: e, graze(1), !near -> b, f::<A, B>(1) -> b, |x: &T| x.y -> b, success -> failure } state b { sequence { c, d }, (x > 3) -> a } any { |x: &T| -> bool { true } -> b } }";
    let angles = braces.replace('{', "<").replace('}', ">").replace("bool < true >", "bool { true }");
    assert_eq!(syntax(&angles), syntax(braces));
    assert_eq!(faults(&angles), [""; 0]);
    assert_eq!(
        syntax("s < machine < state a { x, y -> b }, #[allow(unreachable)] state b < x, y->a >>, c >"),
        "s[machine[a[<x> <y>->b] b[<x> <y>->a]] <c>]"
    );
    assert_eq!(syntax("machine < a >"), "machine[<a>]", "a decorator of the user's");
    let cases = [
        ("machine < >", "`machine` has no states"),
        ("machine < state a < x, y -> b > state b < x >", "this `<` is not closed: expected `>` after its last state"),
        ("s { machine < state a < x, y -> a }", "this `<` is not closed: expected `>` after its last part"),
        ("machin < state a < x > >", "no keyword `machin`; did you mean `machine`?"),
        (
            "machine < state a < x, y -> > >",
            "expected the name of a state, `success` or `failure` after `->`, found `>`",
        ),
        (
            "machine < state b < x > stat a < x, y -> b > >",
            "a machine holds `state name { … }` and `any { … }`, found `stat`",
        ),
        ("machine < state < x > >", "expected the name of a state, found `<`"),
        ("machine < state a < x, 7 -> b > state b < x > >", "expected a node, found `7`"),
        ("machine < state a < x, leave: y > >", "a state has `enter:` and `exit:`, no `leave:`"),
    ];
    for (text, expected) in cases {
        let faults = faults(text);
        assert!(faults.iter().any(|fault| fault.starts_with(expected)), "{text}: {faults:?}");
    }
}

#[test]
fn what_is_wrong_with_a_machine_is_found() {
    let cases = [
        ("machine {}", "`machine` has no states"),
        ("machine { state a { x, y -> bb } state bbb { z } }", "no state `bb`; did you mean `bbb`?"),
        ("machine { state a { x, y -> other } }", "no state `other`; the states are a"),
        ("machine { state a { x } state a { x } }", "there is a state `a` already"),
        (
            "machine { state a { x, y -> b, y -> c } state b { x } state c { x } }",
            "there is a transition for `y` already",
        ),
        ("machine { state a { x } state b { y } }", "no transitions lead to the state `b`"),
        (
            "machine { state a { x, |_: &T| true -> b, y -> b } state b { x } }",
            "a transition before this one always holds",
        ),
        ("machine { state a { y -> b } state b { x } }", "the state `a` holds no node"),
        ("machine { state a { x, y } }", "the state `a` holds one node already"),
        ("machine { state a { x, y -> a } }", "a transition from `a` to itself"),
        ("machine { state success { x } }", "a state cannot be called `success`"),
        ("machine { state a { x y -> a } }", "expected `,` before the next part of the state, found `y`"),
        (
            "machine { state a { x, y -> } }",
            "expected the name of a state, `success` or `failure` after `->`, found nothing",
        ),
        ("machine { state a { x, leave: y } }", "a state has `enter:` and `exit:`, no `leave:`"),
        ("machine { state a { x, enter: y, enter: z } }", "`enter` is given twice"),
        ("machine { state a { x } any { y } }", "`any` holds only transitions"),
        ("machine { state a { x } any { y -> a } any { z -> a } }", "`any` is given twice"),
        (
            "machine { state a { x } stat b { x } }",
            "a machine holds `state name { … }` and `any { … }`, found `stat`; did you mean `state`?",
        ),
        ("machine { state a { x, entr: y } }", "a state has `enter:` and `exit:`, no `entr:`; did you mean `enter:`?"),
        (
            "machine { state a { x } #[allow(unreachable)] any { y -> a } }",
            "`#[allow(…)]` stands before a transition of `any`",
        ),
        ("machine { state { x } }", "expected the name of a state, found `{…}`"),
        ("machine { state a }", "a state has its node and transitions in braces"),
        ("machin { state a { x } }", "no keyword `machin`; did you mean `machine`?"),
        ("machine { 3 }", "a machine holds `state name { … }` and `any { … }`, found `3`"),
        ("machine(3) { state a { x } }", "`machine` takes no arguments"),
    ];
    for (text, expected) in cases {
        let faults = faults(text);
        assert!(faults.iter().any(|fault| fault.starts_with(expected)), "{text}: {faults:?}");
    }
}
