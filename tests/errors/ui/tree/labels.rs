// # Duplicate labels
// Change or remove one of the labels.
use bt_core::prelude::*;

fn main() {
    let _ = tree! { for (): selector { sequence "fight" { fail }, sequence "fight" { run } } };
}
