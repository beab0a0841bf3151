// # Number of children of `finally`
// `finally` takes a body and a cleanup. Put several nodes of one of them in a composite.
use bt_core::prelude::*;

fn go(_: &mut u32) {}
fn all() -> Vec<fn(&mut u32)> {
    vec![go]
}

fn main() {
    let _ = tree! { for u32: finally { go } };
    let _ = tree! { for u32: sequence { finally { go, go, go } go } };
    let _ = tree! { for u32: finally { go, ..all() } };
    let _ = tree! { for u32: finally(2) { go, go } };
    let _ = tree! { for u32: finaly { go, go } };
}
