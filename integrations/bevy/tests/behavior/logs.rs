//! What is logged.

use std::sync::Mutex;

static LOG: Mutex<Vec<String>> = Mutex::new(Vec::new());

struct Logger;
impl log::Log for Logger {
    fn enabled(&self, _: &log::Metadata) -> bool {
        true
    }
    fn log(&self, record: &log::Record) {
        LOG.lock().expect("the log").push(record.args().to_string());
    }
    fn flush(&self) {}
}

/// Keeps warnings and errors from now on.
pub(crate) fn keep() {
    let _ = log::set_logger(&Logger);
    log::set_max_level(log::LevelFilter::Warn);
}

/// Returns the logged texts that contain this.
pub(crate) fn with(part: &str) -> Vec<String> {
    LOG.lock().expect("the log").iter().filter(|line| line.contains(part)).cloned().collect()
}

mod errors {
    use bevy_ecs::prelude::*;
    use bt_bevy::prelude::*;

    use crate::{app, logs, update};

    #[test]
    fn errors_of_leaves_name_the_node_and_its_place() {
        struct Singer;
        impl Behavior for Singer {
            type Data = ();
            type Params = ();
            fn tree() -> impl TreeOf<Self> {
                tree! { for Agent<'_, '_, Singer>: sequence { sing "aria" } }
            }
        }
        fn sing(_: &mut Agent<Singer>) -> Result<Status, &'static str> {
            Err("no voice for this")
        }
        logs::keep();
        let mut app = app(TreePlugin::<Singer>::new());
        app.world_mut().spawn(Mind::<Singer>::new());
        update(&mut app, 1);
        let lines = logs::with("no voice for this");
        let line = lines.first().expect("it is logged");
        assert!(line.contains("node #1 sing \"aria\" at ") && line.contains("logs.rs:"), "{line}");
        assert!(line.contains("Singer: no voice for this"), "{line}");
    }

    #[test]
    fn errors_of_systems_name_the_system_and_the_behavior() {
        struct Eater;
        impl Behavior for Eater {
            type Data = ();
            type Params = ();
            fn tree() -> impl TreeOf<Self> {
                tree! { for Agent<'_, '_, Eater>: system::<_, Status, _>(eat) }
            }
        }
        fn eat(_: In<Entity>) -> Result<Status> {
            Err("nothing to eat here".into())
        }
        logs::keep();
        let mut app = app(TreePlugin::<Eater>::new());
        app.world_mut().spawn(Mind::<Eater>::new());
        update(&mut app, 1);
        let lines = logs::with("nothing to eat here");
        let line = lines.first().expect("it is logged");
        assert!(line.contains("eat, a leaf of ") && line.contains("Eater, failed: "), "{line}");
    }
}
