//! The XML of BehaviorTree.CPP 4, in which the trees of robots with ROS are written, loaded into a Rust program.
//!
//! [`Nodes`] adds the nodes of BehaviorTree.CPP to a [`Registry`](bt_dynamic::Registry), and [`XmlRegistry`] loads trees from XML. The leaves are those of the
//! program. The context has a [`Board`](bt_core::board::Board), which is the blackboard.
//!
//! ```
//! use bt_btcpp::{Nodes, XmlRegistry};
//! use bt_core::prelude::*;
//! use bt_dynamic::Registry;
//!
//! #[derive(Default)]
//! struct Robot { board: Board, now: Duration, said: Vec<String> }
//! impl HasBoard for Robot {
//!     fn board(&self) -> &Board { &self.board }
//!     fn board_mut(&mut self) -> &mut Board { &mut self.board }
//! }
//! impl Clock for Robot { fn now(&self) -> Duration { self.now } }
//!
//! #[action]
//! fn say(robot: &mut Robot, #[input] message: String) { robot.said.push(message) }
//! #[action]
//! fn think(_: &mut Robot, #[output] text: &mut Option<String>) { *text = Some("The answer is 42".to_owned()) }
//!
//! let mut registry = Registry::<Robot>::new().with_clock().with_board::<Board>();
//! Nodes::new().add_to(&mut registry);
//! registry.add::<say>("SaySomething").add::<think>("Think");
//!
//! let tree = registry.load_xml(r#"
//! <root BTCPP_format="4">
//!   <BehaviorTree ID="MainTree">
//!     <Sequence>
//!       <SaySomething message="hello"/>
//!       <Think text="{answer}"/>
//!       <SaySomething message="{answer}"/>
//!       <Script code="count := 3"/>
//!       <SaySomething message="done" _skipIf="count &lt; 3"/>
//!     </Sequence>
//!   </BehaviorTree>
//! </root>"#)?;
//! let (mut robot, mut memory) = (Robot::default(), tree.memory());
//! assert_eq!(tree.tick(&mut robot, &mut memory), Status::Success);
//! assert_eq!(robot.said, ["hello", "The answer is 42", "done"]);
//! # Ok::<(), bt_dynamic::LoadError>(())
//! ```
//!
//! Loading reports all errors in a file, each with its line and column:
//!
//! ```
//! # use bt_btcpp::{Nodes, XmlRegistry};
//! # use bt_core::prelude::*;
//! # let mut registry = bt_dynamic::Registry::<Board>::new();
//! # Nodes::new().add_to(&mut registry);
//! let error = registry.load_xml("<root BTCPP_format=\"4\"><BehaviorTree ID=\"Main\">
//!     <Repeat num_cycle=\"3\"> <AlwaysSucess/> </Repeat>
//! </BehaviorTree></root>").unwrap_err();
//! assert_eq!(error.to_string(), "\
//! 2:13: unknown port `num_cycle` of Repeat; help: did you mean `num_cycles`?
//! 2:29: unknown node `AlwaysSucess`; help: did you mean `AlwaysSuccess`?");
//! ```
//!
//! # Files
//!
//! Files of versions 3 and 4 are read, in the compact and the explicit form (`<Say …/>`, `<Action ID="Say" …/>`), with `<include>` and several trees. A file without
//! `BTCPP_format` is of version 3, in which the attributes of a `SubTree` are names of variables without braces. A `<TreeNodesModel>` is optional: what is
//! used is checked against it, and it has the defaults of the ports of trees. [`XmlRegistry::models_xml`] writes one for Groot. [`to_xml`] writes trees of any notation.
//!
//! # Ports and variables
//!
//! A port of a leaf is its parameter of the same name. `{name}` is a variable for a parameter with `#[input]` or `#[output]`; other text is converted to the type of the parameter with serde:
//! numbers, booleans (`true`, `True`, `TRUE` or `1`), text, the list `1;2;3` for a `Vec` or a struct, and JSON, also after `json:`. `{=}` is a variable with the name of the port.
//!
//! - A variable has one type: that of the parameters that name it. Scripts, `SetBlackboard` and loops convert to it. Two parameters of different types are an error when the
//!   tree is loaded. A variable that only scripts use is an `i64`, an `f64` or a `String`.
//! - The variables of the main tree are those of the board, by their names. A nested tree has variables of its own, unless a port or `_autoremap` connects them. `{@name}` is
//!   the variable `name` of the main tree.
//! - The values of parameters have defaults (`#[param(default = …)]`) or are `Option`s, if a port can be missing.
//!
//! # From C++
//!
//! | C++ | here |
//! |---|---|
//! | `registerSimpleAction`, `registerSimpleCondition` | `registry.add_leaf("Name", closure)` |
//! | a class with `providedPorts` | an `#[action]` or `#[condition]` function with parameters, and `registry.add::<function>("Name")` |
//! | additional arguments of a constructor | `registry.add_with("Name", move \|ports: Ports\| …)` with a closure that captures them |
//! | `StatefulActionNode` | an `#[action]` with `#[open]` state, an asynchronous action, or a `Leaf` |
//! | `registerScriptingEnum` | [`Nodes::constant`] |
//! | `createTreeFromText`, `createTreeFromFile` | [`XmlRegistry::load_xml`], [`XmlRegistry::load_xml_file`] |
//! | `registerBehaviorTreeFromFile`, `createTree("Id")` | [`Document::open`], [`XmlRegistry::load_document`] |
//! | `tickExactlyOnce`, `tickOnce`, `tickWhileRunning` | `tree.tick`, [`tick_once`], [`drive`](bt_core::drive) |
//! | `haltTree` | `tree.halt` |
//! | `tree.rootBlackboard()` | the board of the context |
//! | `BlackboardBackup`, `BlackboardRestore` | a clone of the board |
//! | `TreeObserver`, `StdCoutLogger` | the observers `Statistics`, `ChangeLog` |
//! | `Groot2Publisher`, `FileLogger2` | the observers `Publisher` and `BtLog` of the package `bt-groot2` |
//! | substitution rules, `TestNode` | `TreeTest::replace` |
//! | `writeTreeNodesModelXML`, `WriteTreeToXML` | [`XmlRegistry::models_xml`], [`to_xml`] |
//!
//! # Scripts
//!
//! See [`script`]. They are in `Script`, `ScriptCondition`, `Precondition`, and in the attributes `_failureIf`, `_successIf`, `_skipIf`, `_while`, `_onHalted`, `_onFailure`,
//! `_onSuccess` and `_post` of any node. Files of other notations can use them too: `btcpp::Script(code = "x := 1")`.
//!
//! # Semantics
//!
//! They are those of BehaviorTree.CPP 4.10, with which they are compared by thousands of random trees, tick by tick. A plain tick is its `tickExactlyOnce`; [`tick_once`] is
//! its `tickOnce`. Where the nodes of this library behave in the same way, they are used: `Sequence` is `mem_sequence`, `ReactiveFallback` is `selector`.
//!
//! These differ by intention:
//!
//! - The status of a node that is skipped is `Failure` for observers and at the root. Its parent skips it. It is idle afterwards: the parent does not halt it, so that no `_onHalted` runs.
//! - A condition of `IfThenElse` or `WhileDoElse` is asked again also if it is an asynchronous action whose status BehaviorTree.CPP has not reset.
//! - `Precondition` evaluates its script at the start of each run, also after it was halted or its child was skipped.
//! - A loop (`LoopInt`) starts from its first element after it was skipped.
//! - Halting a tree runs `_onHalted` once, and only for nodes that are running.
//! - An error in a script, or a variable that is not set, is the status `Error` of the node. Observers have its text, such as `ChangeLog`. In `_onHalted` it has no effect.
//! - A node of the program cannot have the name of a node of BehaviorTree.CPP.
//! - A value that a nested tree is passed and writes is set again if its variable does not exist, such as after `UnsetBlackboard`.
//! - `catch_on_halt` of `TryCatch` is an error when the tree is loaded.
//! - `output_key="{key}"` of `SetBlackboard` is the variable `key`, not the variable whose name is the value of `key`. Its text is converted to the type of the variable.
//! - `UnsetBlackboard` also unsets a variable of another tree that a port connects. A port that is `{@name}` can be written if the variable does not exist yet.
//! - A value that is passed to a port of a nested tree is converted when the tree is loaded, not when a leaf reads it.
//! - `Repeat` with `num_cycles="-1"` over a child that ends at once returns `Running` after each run, as with any number. BehaviorTree.CPP does not return from `tickOnce`; [`tick_once`]
//!   does after 10,000 ticks.
//! - A `Timeout` whose `msec` is a variable that is 0 fails if its child is still running after the time of the first tick. In BehaviorTree.CPP it never expires, and so it does
//!   here if `msec` is the number 0.
//! - `ManualSelector` and nodes of plugins are not included.

#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

// The README's code is run as documentation tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

mod add;
#[doc(hidden)]
pub mod attribute;
#[doc(hidden)]
pub mod builtin;
mod document;
mod load;
mod lower;
mod models;
mod names;

mod node;
mod nodes;
mod palette;
mod plugins;
mod program;
pub mod script;
#[doc(hidden)]
pub mod shape;
mod skips;
mod write;

pub use add::Nodes;
pub use document::Document;
pub use load::XmlRegistry;
#[cfg(feature = "nav2")]
#[cfg_attr(docsrs, doc(cfg(feature = "nav2")))]
pub use nodes::nav2::Nav2Nodes;
pub use nodes::signal::tick_once;
#[doc(hidden)]
pub use nodes::signal::{is_skipping, skips};
pub use palette::XmlNodes;
pub use program::{Program, node_names};
pub use write::{lost_in_xml, to_xml};
