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

impl Clock for Npc {
    fn now(&self) -> Duration {
        secs(0)
    }
}

// An erased node can return any status.
fn erased() -> BoxNode<Npc> {
    boxed(tree! { for Npc: dream })
}

pub(crate) fn main() {
    let tree = tree! {
        for Npc: selector {
            erased(),
            #[allow(pointless)] timeout(secs(5)) { near },
            #[allow(endless)] until_failure { dream },
            #[allow(unreachable, threshold)] parallel(success = 2) { attack, run },
            #[allow(unreachable, threshold)] mem_parallel(success = 4, failure = 4) { attack, run },
            #[allow(unreachable)] machine {
                state a { attack, #[allow(unreachable)] fail -> b, near -> success }
                #[allow(unreachable)] state b { run }
            }
        }
    };
    tree.tick(&mut Npc, &mut tree.memory());
    let expected = tree! {
        for Npc: selector {
            erased(),
            #[expect(pointless)] timeout(secs(5)) { near },
            #[expect(endless)] until_failure { dream },
            #[expect(unreachable, threshold)] parallel(success = 2) { attack, run },
            #[expect(unreachable, threshold)] mem_parallel(failure = 4) { attack, run },
            #[expect(unreachable)] machine {
                state a { attack, #[expect(unreachable)] fail -> b, near -> success }
                #[expect(unreachable)] state b { run }
            }
        }
    };
    expected.tick(&mut Npc, &mut expected.memory());
    // An unused `#[allow(…)]` is not reported.
    let unused = tree! {
        for Npc: #[allow(unreachable, endless, pointless, threshold)] selector {
            #[allow(unreachable, pointless)] near,
            #[allow(pointless)] !near,
            #[allow(endless)] sequence { until_success { near }, fail },
            #[allow(threshold)] parallel(success = one) { attack, attack },
            #[allow(unreachable)] machine {
                #[allow(unreachable)] state a { attack, #[allow(unreachable)] near -> success }
                any { #[allow(unreachable)] near -> failure }
            }
        }
    };
    unused.tick(&mut Npc, &mut unused.memory());
}
