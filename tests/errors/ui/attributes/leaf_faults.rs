// # `#[leaf]` and `#[decorator]`
// Each attribute is placed on an impl block of its trait and takes no arguments.
use bt_core::prelude::*;

struct Talk;

#[leaf]
impl Talk {}

#[leaf(3)]
impl Leaf<()> for Talk {
    fn open(&self, _: &mut ()) {}
    fn tick(&self, _: &mut (), _: &mut ()) -> Status {
        Status::Success
    }
}

#[decorator]
struct NotAnImpl;

fn main() {}
