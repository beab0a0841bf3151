// # A keyword of another library
// Words of BehaviorTree.CPP, `py_trees`, Behavior3 and other libraries are recognized, and the error names the counterpart. A decorator of your
// own with such a name is written as a path, `self::not`. A word without a counterpart is recognized only in the spelling of its library: `RoundRobin`.
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
