// # What may be allowed
// `#[allow(…)]` and `#[expect(…)]` before a node say that something is meant that can never happen. They know those four names. What rustc's own lints are told
// stands on the function around the tree.
use bt_core::prelude::*;

fn main() {
    let _ = tree! { for (): selector { fail, #[allow(unreachble)] run } };
    let _ = tree! { for (): selector { fail, #[expect(clippy)] run } };
    let _ = tree! { for (): selector { fail, #[deny(unreachable)] run } };
}
