// # A misspelled keyword
// A name before several children must be a keyword. A name before one child can be a decorator of your own; if it is similar to a keyword, write
// a path such as `self::repaet`.
use bt_core::prelude::*;

fn main() {
    let _ = tree! { for (): selctor { succeed, fail } };
    let _ = tree! { for (): sequence { repaet(3) { succeed } } };
    let _ = tree! { for (): patrol { succeed, fail } };
}
