// # A keyword of another library
// Words of BehaviorTree.CPP, `py_trees`, Behavior3 and others are known, so that the error names ours. A decorator of your own of such a name is
// written as a path, `self::not`. Names without a counterpart are known as their library spells them: `round_robin` is a function of yours.
use bt_core::prelude::*;

fn main() {
    let _ = tree! { for (): fallback { succeed, fail } };
    let _ = tree! { for (): reactive_sequence { succeed, fail } };
    let _ = tree! { for (): not { succeed } };
    let _ = tree! { for (): repeater(3) { succeed } };
    let _ = tree! { for (): Parallel { succeed, fail } };
    let _ = tree! { for (): RateController(1.0) { succeed } };
    let _ = tree! { for (): round_robin { succeed, fail } };
}
