use bt_core::prelude::*;

fn main() {
    let _ = tree! { for (): selctor { succeed, fail } };
    let _ = tree! { for (): sequence { repaet(3) { succeed } } };
    let _ = tree! { for (): patrol { succeed, fail } };
}
