use bt_core::prelude::*;

fn main() {
    let _ = tree! { for (): machine { state a { fail, success -> b } state b { run } } };
}
