// # Names of lints
// `#[allow(…)]` and `#[expect(…)]` before a node accept the four lints of this crate. Attributes for lints of rustc belong on the surrounding
// function.
use bt_core::prelude::*;

fn main() {
    let _ = tree! { for (): selector { fail, #[allow(unreachble)] run } };
    let _ = tree! { for (): selector { fail, #[expect(clippy)] run } };
    let _ = tree! { for (): selector { fail, #[deny(unreachable)] run } };
    let _ = tree! { for (): selector { fail, #[disabled] run } };
}
