// # A keyword misspelt
// What stands before several children is a keyword. Before one child it may be a decorator of your own; where its name is nearly a keyword,
// a path such as `self::repaet` says that it is meant.
use bt_core::prelude::*;

fn main() {
    let _ = tree! { for (): selctor { succeed, fail } };
    let _ = tree! { for (): sequence { repaet(3) { succeed } } };
    let _ = tree! { for (): patrol { succeed, fail } };
}
