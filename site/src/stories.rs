//! The examples that run in the browser.

/// An example in the browser.
pub(crate) struct Story {
    /// The name of the example, and of its folder.
    pub(crate) name: &'static str,
    /// The package that contains it, and whether the example is its program.
    pub(crate) package: &'static str,
    pub(crate) is_program: bool,
    pub(crate) title: &'static str,
    pub(crate) text: &'static str,
    /// The options of the example, as on a command line.
    pub(crate) options: &'static str,
    /// The tree at the beginning, if the user can write another one.
    pub(crate) source: Option<&'static str>,
    /// The agent whose tree the inspector shows first.
    pub(crate) agent: &'static str,
}

/// The examples, in the order in which they are listed.
pub(crate) const STORIES: [Story; 6] = [
    Story {
        name: "melee_enemy",
        package: "melee_enemy",
        is_program: true,
        title: "Melee enemy",
        text: "Several students share one tree. If you come near, they get suspicious, then attack. Click or tap the court to move.",
        options: "",
        source: None,
        agent: "student 0",
    },
    Story {
        name: "settlers",
        package: "bt-examples",
        is_program: false,
        title: "Settlers",
        text: "Their tree is a text. Edit it in the inspector while they work: the settlers go on with the new tree.",
        options: "",
        source: None,
        agent: "Ada",
    },
    Story {
        name: "sheep",
        package: "bt-examples",
        is_program: false,
        title: "Sheep",
        text: "300 sheep on one state machine of one byte each. The pointer is the dog.",
        options: "--agents 300",
        source: None,
        agent: "sheep 0",
    },
    Story {
        name: "villagers",
        package: "bt-examples",
        is_program: false,
        title: "Villagers",
        text: "2000 villagers on one tree: a daily routine, a shared blackboard, a wolf.",
        options: "--agents 2000 --one-core",
        source: None,
        agent: "villager 0",
    },
    Story {
        name: "delivery",
        package: "bt-examples",
        is_program: false,
        title: "Delivery robots",
        text: "1000 robots that sleep until they are due; asynchronous actions, halted by you or by a timeout.",
        options: "--agents 1000",
        source: None,
        agent: "robot 0",
    },
    Story {
        name: "playground",
        package: "bt-examples",
        is_program: false,
        title: "Playground",
        text: "Any tree, with leaves that return what you say: click one. The guide opens its trees here.",
        options: "",
        source: Some(include_str!("../../examples/playground/guard.rs")),
        agent: "agent 0",
    },
];
