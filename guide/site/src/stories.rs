//! The examples that run in the browser.

/// An example in the browser.
pub(crate) struct Story {
    /// The name of the example, and of its folder.
    pub(crate) name: &'static str,
    pub(crate) kind: Kind,
    pub(crate) title: &'static str,
    pub(crate) text: &'static str,
    /// The options of the example, as on a command line.
    pub(crate) options: &'static str,
    /// The tree at the beginning, if the user can write another one.
    pub(crate) source: Option<&'static str>,
    /// The agent whose tree the inspector shows first.
    pub(crate) agent: &'static str,
}

/// The source of a story.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A package.
    Program,
    /// An example of the package `bt-examples`.
    Example,
    /// The game of a workspace with a newer Rust, which takes minutes to build.
    Game,
}

/// The examples, in the order in which they are listed.
pub(crate) const STORIES: [Story; 7] = [
    Story {
        name: "melee_enemy",
        kind: Kind::Program,
        title: "Melee enemy",
        text: "Several students share one tree. If you come near, they get suspicious, then attack. Click or tap the court to move.",
        options: "",
        source: None,
        agent: "student 0",
    },
    Story {
        name: "love-craft",
        kind: Kind::Game,
        title: "Love Craft",
        text: "A game in Bevy. All chibis run one tree of 92 nodes. Drag one to another in the same color; carry meddlers away.",
        options: "",
        source: None,
        agent: "chibi 2",
    },
    Story {
        name: "settlers",
        kind: Kind::Example,
        title: "Settlers",
        text: "Their tree is a text. Edit it in the inspector while they work: the settlers continue with the new tree.",
        options: "",
        source: None,
        agent: "Ada",
    },
    Story {
        name: "sheep",
        kind: Kind::Example,
        title: "Sheep",
        text: "300 sheep on one state machine, each with one byte of state. The pointer is the dog.",
        options: "--agents 300",
        source: None,
        agent: "sheep 0",
    },
    Story {
        name: "villagers",
        kind: Kind::Example,
        title: "Villagers",
        text: "2000 villagers on one tree: a daily routine, a shared blackboard, a wolf.",
        options: "--agents 2000 --one-core",
        source: None,
        agent: "villager 0",
    },
    Story {
        name: "delivery",
        kind: Kind::Example,
        title: "Delivery robots",
        text: "1000 robots that sleep until they are due; asynchronous actions, halted by you or by a timeout.",
        options: "--agents 1000",
        source: None,
        agent: "robot 0",
    },
    Story {
        name: "playground",
        kind: Kind::Example,
        title: "Playground",
        text: "Any tree. Click a leaf to choose what it returns. The guide opens its trees here.",
        options: "",
        source: Some(include_str!("../../../examples/playground/guard.rs")),
        agent: "agent 0",
    },
];
