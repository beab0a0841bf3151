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

// Nothing is known of an erased node.
fn erased() -> BoxNode<Npc> {
    boxed(tree! { for Npc: dream })
}

fn main() {
    let tree = tree! {
        for Npc: selector {
            erased(),
            #[allow(pointless)] timeout(secs(5)) { near },
            #[allow(endless)] until_failure { dream },
            #[allow(unreachable, threshold)] parallel(success = 2) { attack, run },
            #[allow(unreachable)] machine {
                state a { attack, #[allow(unreachable)] fail -> b, near -> success }
                #[allow(unreachable)] state b { run }
            }
        }
    };
    tree.tick(&mut Npc, &mut tree.memory());
}
