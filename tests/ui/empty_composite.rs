use bt_core::prelude::*;

fn main() {
    let _ = tree! { for (): selector { sequence {}, mem_selector <> } };
    let _ = tree! {};
}
