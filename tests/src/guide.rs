//! The README and the chapters of the guide. `cargo test` runs their code as doctests.

/// One module per page, for its doctests, and a list of all pages.
macro_rules! pages {
    ($($chapter:ident = $path:literal),+ $(,)?) => {
        /// The pages whose code runs as doctests: paths relative to the folder `tests/src`.
        pub const PAGES: &[&str] = &[$($path),+];

        $(
            #[cfg(doctest)]
            #[doc = include_str!($path)]
            mod $chapter {}
        )+
    };
}

pages! {
    readme = "../../README.md",
    introduction = "../../guide/src/introduction.md",
    when = "../../guide/src/when.md",
    first_tree = "../../guide/src/first-tree.md",
    ticks = "../../guide/src/ticks.md",
    leaves = "../../guide/src/leaves.md",
    composites = "../../guide/src/composites.md",
    choosing = "../../guide/src/choosing.md",
    decorators = "../../guide/src/decorators.md",
    own_composites = "../../guide/src/own-composites.md",
    state_machines = "../../guide/src/state-machines.md",
    data = "../../guide/src/data.md",
    time = "../../guide/src/time.md",
    asynchronous = "../../guide/src/async.md",
    libraries = "../../guide/src/libraries.md",
    bevy = "../../guide/src/bevy.md",
    agents = "../../guide/src/agents.md",
    driving = "../../guide/src/driving.md",
    saving = "../../guide/src/saving.md",
    debugging = "../../guide/src/debugging.md",
    inspector = "../../guide/src/inspector.md",
    files = "../../guide/src/files.md",
    compile_errors = "../../guide/src/compile-errors.md",
    testing = "../../guide/src/testing.md",
    exploring = "../../guide/src/exploring.md",
    performance = "../../guide/src/performance.md",
    worked_robot = "../../guide/src/worked-robot.md",
    worked_guard = "../../guide/src/worked-guard.md",
    coming_from = "../../guide/src/coming-from.md",
    examples = "../../guide/src/examples.md",
}
