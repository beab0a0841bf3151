use bt_core::prelude::*;

fn walk(_: &mut ()) -> Status {
    Status::Running
}

fn main() {
    let _ = tree! { for (): machine { state a { run, enter: walk } } };
}
