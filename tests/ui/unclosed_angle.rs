use bt_core::prelude::*;

fn main() {
    let _ = tree! { for (): selector < sequence < succeed, fail >, succeed };
}
