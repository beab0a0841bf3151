// # A decorator without effect
// Decorators of your own can declare their requirements in `DecoratorShape::REQUIRES`.
use bt_core::decorator::{Decorated, decorate};
use bt_core::check::Requirement;
use bt_core::Outcomes;
use bt_core::prelude::*;

struct Npc;

fn near(_: &Npc) -> bool {
    true
}

// Always succeeds.
fn dream(_: &mut Npc) {}

fn attack(_: &mut Npc) -> Status {
    Status::Running
}

struct Stubborn;

#[decorator]
impl<C: ?Sized> Decorator<C> for Stubborn {
    const REQUIRES: &'static [Requirement] =
        &[Requirement::pointless(Outcomes::FAILURE, "`stubborn` has no effect")];
}

fn stubborn<N>(child: N) -> Decorated<Stubborn, N> {
    decorate(Stubborn, child)
}

fn main() {
    let _ = tree! { for Npc: timeout(secs(5)) { near } };
    let _ = tree! { for Npc: retry(3) { dream } };
    let _ = tree! { for Npc: !run };
    let _ = tree! { for Npc: force_success { run } };
    let _ = tree! { for Npc: force_failure { run } };
    let _ = tree! { for Npc: repeat { run } };
    let _ = tree! { for Npc: repeat(3) { run } };
    let _ = tree! { for Npc: run_once { run } };
    let _ = tree! { for Npc: wait_until { dream } };
    let _ = tree! { for Npc: until_success { dream } };
    let _ = tree! { for Npc: until_failure { !dream } };
    let _ = tree! { for Npc: until_failure { fail } };
    let _ = tree! { for Npc: repeat_while_success(3) { fail } };
    let _ = tree! { for Npc: succeed_once { fail } };
    let _ = tree! { for Npc: stubborn { dream } };
}

impl Clock for Npc {
    fn now(&self) -> Duration {
        secs(0)
    }
}
