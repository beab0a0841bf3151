// # An operator that ends a list in angle brackets
// A closure in such a list ends at the next `>`. A body that compares or shifts needs braces.
use bt_core::prelude::*;

fn main() {
    let _ = tree! { for u8: selector < |flags: &u8| *flags >> 2 == 1, sequence < |flags: &u8| *flags > 3, succeed >, fail > };
    let _ = tree! { for u8: machine < state a < run, |flags: &u8| *flags >> 1 == 0 -> b > state b < run > > };
}
