// # An unclosed list in angle brackets
// Add the missing `>`, or use braces, which most editors close automatically.
use bt_core::prelude::*;

fn main() {
    let _ = tree! { for (): selector < sequence < succeed, fail >, succeed };
}
