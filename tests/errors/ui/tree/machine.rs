// # Machines
// Each state has a unique name and one node, and is reachable. Each transition leads to an existing state.
use bt_core::prelude::*;

fn near(_: &()) -> bool {
    true
}

fn main() {
    let _ = tree! {
        for (): machine "m" {
            state idle { run, near -> obay, near -> stray, success -> idle }
            state obey { run, run, succeed -> idle, near -> idle, enter: near, enter: near, exti: near }
            state idle { run }
            state alone { near -> idle }
            state success { run, near -> }
            any { near, !near -> obey }
            stat more { run }
        }
    };
    let _ = tree! { for (): machine { state a { run, |_: &()| true -> b, near -> b } #[allow(unreachable)] any { near -> a } state b { run } } };
    let _ = tree! { for (): machine { state a { run, near => b } state b { run } } };
    let _ = tree! { for (): machine {} };
    let _ = tree! { for (): machine { run } };
    let _ = tree! { for (): selector { state a { run, near -> a } fail } };
    let _ = tree! { for (): machine(3) { state a { run near -> a } } };
}
