// # A label given twice
// Give one of them another label, or none.
use bt_core::prelude::*;

fn main() {
    let _ = tree! { for (): selector { sequence "fight" { fail }, sequence "fight" { run } } };
}
