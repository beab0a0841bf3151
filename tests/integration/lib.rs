//! The README and the chapters of the guide. `cargo test` runs their code as doctests.

/// One module per page, for its doctests, and a list of all pages.
macro_rules! pages {
    ($($chapter:ident = $path:literal),+ $(,)?) => {
        /// The pages whose code runs as doctests: paths relative to the folder `tests/integration`.
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
    first_tree = "../../guide/src/first-tree.md",
    ticks = "../../guide/src/ticks.md",
    leaves = "../../guide/src/leaves.md",
    composites = "../../guide/src/composites.md",
    testing = "../../guide/src/testing.md",
    when = "../../guide/src/when.md",
    semantics = "../../guide/src/semantics.md",
    grammar = "../../guide/src/grammar.md",
    data = "../../guide/src/data.md",
    shared_world = "../../guide/src/shared-world.md",
    time = "../../guide/src/time.md",
    decorators = "../../guide/src/decorators.md",
    choosing = "../../guide/src/choosing.md",
    state_machines = "../../guide/src/state-machines.md",
    asynchronous = "../../guide/src/async.md",
    own_decorators = "../../guide/src/own-decorators.md",
    own_composites = "../../guide/src/own-composites.md",
    acquire = "../../guide/src/acquire.md",
    agents = "../../guide/src/agents.md",
    sleeping = "../../guide/src/sleeping.md",
    driving = "../../guide/src/driving.md",
    saving = "../../guide/src/saving.md",
    debugging = "../../guide/src/debugging.md",
    inspector = "../../guide/src/inspector.md",
    compile_errors = "../../guide/src/compile-errors.md",
    errors = "../../guide/src/errors.md",
    bt = "../../guide/src/bt.md",
    exploring = "../../guide/src/exploring.md",
    files = "../../guide/src/files.md",
    btcpp = "../../guide/src/btcpp.md",
    editing = "../../guide/src/editing.md",
    editor = "../../guide/src/editor.md",
    live = "../../guide/src/live.md",
    libraries = "../../guide/src/libraries.md",
    bevy = "../../guide/src/bevy.md",
    fleet = "../../guide/src/fleet.md",
    performance = "../../guide/src/performance.md",
    worked_robot = "../../guide/src/worked-robot.md",
    coming_from = "../../guide/src/coming-from.md",
    coming_from_btcpp = "../../guide/src/coming-from-btcpp.md",
    coming_from_py_trees = "../../guide/src/coming-from-py-trees.md",
    coming_from_unreal = "../../guide/src/coming-from-unreal.md",
    coming_from_limboai = "../../guide/src/coming-from-limboai.md",
    coming_from_bonsai = "../../guide/src/coming-from-bonsai.md",
    coming_from_bevy_behave = "../../guide/src/coming-from-bevy-behave.md",
    examples = "../../guide/src/examples.md",
    glossary = "../../guide/src/glossary.md",
}
