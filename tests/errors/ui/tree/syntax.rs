// # Syntax
// Commas separate children and are optional after a `}`. A label is written between a keyword and its children. An expression other than a path,
// call or closure needs parentheses.
use bt_core::prelude::*;

struct Talk {
    takes: u32,
}

fn main() {
    let _ = tree! { for (): selector { succeed fail } };
    let _ = tree! { for (): selector { , succeed } };
    let _ = tree! { for (): selector { 3 => succeed } };
    let _ = tree! { for (): selector { Talk { takes: 3 } } };
    let _ = tree! { for (): selector { succeed "label" } };
    let _ = tree! { for (): selector { own "label" { succeed } } };
    let _ = tree! { for (): succeed, fail };
    let _ = tree! { for () selector { succeed } };
    let _ = tree! { for: selector { succeed } };
    let _ = tree! { for (): selector { () } };
    let _ = tree! { for (): selector { #[cfg(test)] succeed } };
    let _ = tree! { for (): selector { "label" } };
    let _ = tree! { for (): selector { if true { succeed } else { fail }, fail } };
}

fn own<N>(node: N) -> N {
    node
}
