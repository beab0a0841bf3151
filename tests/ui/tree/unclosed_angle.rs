// # A list in angle brackets that is not closed
// Close it with `>`; braces need no closing by hand in most editors.
use bt_core::prelude::*;

fn main() {
    let _ = tree! { for (): selector < sequence < succeed, fail >, succeed };
}
