//! Adds the nodes of BehaviorTree.CPP to a registry.

use std::collections::BTreeMap;
use std::sync::Arc;

use bt_behavior3::{Fault, variable};
use bt_core::board::{HasBoard, Key};
use bt_core::file::{Properties, VariableUse};
use bt_core::{ContextOf, Contexts, Outcome, Status};
use bt_dynamic::{RegistryOf, Xml};
use serde_json::Value;

use crate::builtin::{Builtin, CONDITION_NAMES, CONDITIONS_NODE, INITIAL_NODE};
use crate::document::Document;
use crate::load::{XmlRegistry as _, read_file};
use crate::nodes::branch::{IfThenElse, Switch, TryCatch, WhileDoElse};
use crate::nodes::decorators::{KeepRunningUntilFailure, Map, Repeating, RunOnce};
use crate::nodes::in_order::{InOrder, Reactive, WithMemory};
use crate::nodes::leaves::{Instant, WasUpdated};
use crate::nodes::loops::{Items, Loop};
use crate::nodes::parallel::{Parallel, ParallelAll};
use crate::nodes::port::{Instead, Port, key, text};
use crate::nodes::scripted::{Conditions, Precondition, Scripted};
use crate::nodes::variables::{Initial, Updated};
use crate::palette;
use crate::script::{Access, Scope, Script};

/// The nodes of BehaviorTree.CPP, for a registry.
///
/// They are added under the names `btcpp::Repeat`, `btcpp::Script` and so on, and can be used in all files that the registry loads.
///
/// ```
/// use bt_btcpp::Nodes;
/// use bt_core::prelude::*;
/// use bt_dynamic::Registry;
///
/// let mut registry = Registry::<Board>::new();
/// Nodes::new().constant("RED", 1).add_to(&mut registry);
/// let tree = registry.load(r#"{ "root": "1", "nodes": {
///     "1": { "name": "Sequence", "children": ["2", "3"] },
///     "2": { "name": "btcpp::Script", "properties": { "code": "color := RED; count := 2" } },
///     "3": { "name": "btcpp::ScriptCondition", "properties": { "code": "color == RED && count * 2 > 3" } }
/// } }"#)?;
/// let mut board = Board::new();
/// assert_eq!(tree.tick(&mut board, &mut tree.memory()), Status::Success);
/// assert_eq!(board.get(&Key::<i64>::new("count")), Some(&2));
/// # Ok::<(), bt_dynamic::LoadError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Nodes {
    constants: BTreeMap<String, i32>,
}

impl Nodes {
    /// Returns the nodes, without constants.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a constant for scripts, and for the cases of `Switch2` to `Switch6`: `registerScriptingEnum` of BehaviorTree.CPP.
    #[must_use]
    pub fn constant(mut self, name: impl Into<String>, value: i32) -> Self {
        self.constants.insert(name.into(), value);
        self
    }

    /// Adds the nodes to a registry.
    #[expect(clippy::too_many_lines, reason = "one row for each node")]
    #[track_caller]
    pub fn add_to<F: Contexts>(self, registry: &mut RegistryOf<F>)
    where
        for<'a, 'b> ContextOf<'a, 'b, F>: HasBoard,
    {
        let scope = Scoping(Arc::new(self.constants));
        registry.read_xml_with(Xml {
            read: |registry, text, folder| {
                registry.convert_xml(&Document::read(text, |path| read_file(&folder.join(path)))?, None)
            },
            palette: palette::of_program,
        });
        for node in Builtin::ALL.iter().copied() {
            let name = node.registered();
            let scope = scope.clone();
            let shown = node.name();
            match node {
                Builtin::Sequence | Builtin::AsyncSequence | Builtin::Fallback | Builtin::AsyncFallback => {
                    let is_sequence = matches!(node, Builtin::Sequence | Builtin::AsyncSequence);
                    let pass = if is_sequence { Status::Success } else { Status::Failure };
                    let yields = matches!(node, Builtin::AsyncSequence | Builtin::AsyncFallback);
                    registry.add_composite_from(name, move |_| Some(InOrder { name: shown, pass, yields }));
                }
                Builtin::SequenceWithMemory => _ = registry.add_composite_from(name, |_| Some(WithMemory)),
                Builtin::ReactiveSequence => {
                    let pass = Status::Success;
                    registry.add_composite_from(name, move |_| Some(Reactive { name: shown, pass }));
                }
                Builtin::ReactiveFallback => {
                    let pass = Status::Failure;
                    registry.add_composite_from(name, move |_| Some(Reactive { name: shown, pass }));
                }
                Builtin::Parallel => {
                    registry.add_composite_from(name, |properties| {
                        let success = Port::read(properties, "success_count");
                        Some(Parallel { failure: Port::read(properties, "failure_count")?, success: success? })
                    });
                }
                Builtin::ParallelAll => {
                    registry.add_composite_from(name, |properties| {
                        Some(ParallelAll { max_failures: Port::read(properties, "max_failures")? })
                    });
                }
                Builtin::IfThenElse => _ = registry.add_composite_from(name, |_| Some(IfThenElse)),
                Builtin::WhileDoElse => _ = registry.add_composite_from(name, |_| Some(WhileDoElse)),
                Builtin::TryCatch => {
                    registry.add_composite_from(name, |properties| {
                        if Port::<bool>::read(properties, "catch_on_halt")?.is_false() {
                            return Some(TryCatch);
                        }
                        let reason =
                            "`catch_on_halt` is not supported: a node that is halted ticks no child".to_owned();
                        properties.report(Fault::of("catch_on_halt", reason));
                        None
                    });
                }
                Builtin::Switch2 | Builtin::Switch3 | Builtin::Switch4 | Builtin::Switch5 | Builtin::Switch6 => {
                    registry.add_composite_from(name, move |properties| {
                        let ports = node.ports().iter().map(|port| Port::read(properties, port.name));
                        let mut ports = ports.collect::<Vec<_>>().into_iter().collect::<Option<Vec<_>>>()?;
                        let cases = ports.split_off(1);
                        Some(Switch { name: shown, variable: ports.pop()?, cases, scope: scope.of(properties) })
                    });
                }
                Builtin::Inverter => {
                    let (on_success, on_failure) = (Outcome::Failure, Outcome::Success);
                    registry.add_decorator_from(name, move |_| Some(Map { name: shown, on_success, on_failure }));
                }
                Builtin::ForceSuccess | Builtin::ForceFailure => {
                    let outcome = Outcome::from(node == Builtin::ForceSuccess);
                    let map = move || Map { name: shown, on_success: outcome, on_failure: outcome };
                    registry.add_decorator_from(name, move |_| Some(map()));
                }
                Builtin::Repeat | Builtin::RetryUntilSuccessful => {
                    let (again, port) = match node {
                        Builtin::Repeat => (Outcome::Success, "num_cycles"),
                        _ => (Outcome::Failure, "num_attempts"),
                    };
                    registry.add_decorator_from(name, move |properties| {
                        Some(Repeating { name: shown, again, port, runs: Port::read(properties, port)? })
                    });
                }
                Builtin::KeepRunningUntilFailure => {
                    registry.add_decorator_from(name, |_| Some(KeepRunningUntilFailure));
                }
                Builtin::RunOnce => {
                    registry.add_decorator_from(name, |properties| {
                        Some(RunOnce { then_skip: Port::read(properties, "then_skip")? })
                    });
                }
                Builtin::Precondition => {
                    registry.add_decorator_from(name, move |properties| {
                        let condition = scope.script(properties, "if");
                        Some(Precondition { otherwise: Port::read(properties, "else")?, condition: condition? })
                    });
                    registry.mark_scripts(name, &["if"]);
                }
                Builtin::LoopInt | Builtin::LoopBool | Builtin::LoopDouble | Builtin::LoopString => {
                    let items = match node {
                        Builtin::LoopInt => Items::Int,
                        Builtin::LoopBool => Items::Bool,
                        Builtin::LoopDouble => Items::Double,
                        _ => Items::Text,
                    };
                    registry.add_decorator_from(name, move |properties| {
                        let scope = scope.of(properties);
                        Loop::read(shown, items, properties, scope)
                    });
                }
                Builtin::SkipUnlessUpdated | Builtin::WaitValueUpdate => {
                    let is_skipped = node == Builtin::SkipUnlessUpdated;
                    let instead = if is_skipped { Instead::Skipped } else { Instead::Running };
                    registry.add_decorator_from(name, move |properties| {
                        Some(Updated { name: shown, entry: key(properties, "entry")?, instead })
                    });
                }
                Builtin::Script | Builtin::ScriptCondition => {
                    let make = if node == Builtin::Script { Instant::Script } else { Instant::Condition };
                    registry.add_leaf_from(name, move |properties| scope.script(properties, "code").map(make));
                    registry.mark_scripts(name, &["code"]);
                }
                Builtin::SetBlackboard => {
                    registry.add_leaf_from(name, move |properties| {
                        let value = text(properties, "value");
                        let key = key(properties, "output_key")?;
                        let value = value?;
                        let value = match variable(&value) {
                            Some(variable) => {
                                properties.add_untyped("value", variable);
                                Ok(Key::named(variable))
                            }
                            None => Err(value),
                        };
                        Some(Instant::Set { value, key, scope: scope.of(properties) })
                    });
                }
                Builtin::UnsetBlackboard => {
                    registry.add_leaf_from(name, |properties| key(properties, "key").map(Instant::Unset));
                }
                Builtin::WasEntryUpdated => {
                    registry.add_leaf_from(name, |properties| key(properties, "entry").map(WasUpdated));
                }
                // They are words of this library.
                Builtin::Timeout
                | Builtin::Delay
                | Builtin::AlwaysSuccess
                | Builtin::AlwaysFailure
                | Builtin::Sleep => {}
            }
        }
        scope.add_attributes(registry);
    }
}

impl Port<bool> {
    /// Returns `true` if the port is the value `false`.
    const fn is_false(&self) -> bool {
        matches!(self, Self::Value(false))
    }
}

/// What the scripts of all trees share.
#[derive(Clone)]
struct Scoping(Arc<BTreeMap<String, i32>>);

impl Scoping {
    /// Returns what the scripts of the tree share whose properties are read.
    fn of(&self, properties: &Properties<'_>) -> Scope {
        Scope { constants: self.0.clone(), types: properties.types().clone() }
    }

    /// Reads a script. Returns `None` and reports an error if it is missing or invalid.
    fn script(&self, properties: &mut Properties<'_>, name: &'static str) -> Option<Scripted> {
        let text = text(properties, name)?;
        match Script::parse(&text) {
            Ok(script) => {
                for (variable, access) in script.variables() {
                    let name = variable.to_owned();
                    // A constant, or a variable that need not be set.
                    properties.add_variable(match access {
                        Access::Read => VariableUse::ReadIfSet(name),
                        Access::Write | Access::ReadWrite => VariableUse::Write(name),
                    });
                }
                Some(Scripted { script, scope: self.of(properties) })
            }
            Err(error) => {
                properties.report(Fault::of(name, format!("script `{name}`: {error}")));
                None
            }
        }
    }

    /// Adds the decorators for what attributes of a node do.
    #[track_caller]
    fn add_attributes<F: Contexts>(self, registry: &mut RegistryOf<F>)
    where
        for<'a, 'b> ContextOf<'a, 'b, F>: HasBoard,
    {
        let scope = self.clone();
        registry.add_decorator_from(CONDITIONS_NODE, move |properties| {
            let mut script = |name| {
                let is_given = properties.has(name);
                Some(if is_given { Some(scope.script(properties, name)?) } else { None })
            };
            let all = CONDITION_NAMES.map(&mut script);
            let [failure_if, success_if, skip_if, while_true, on_halted, on_failure, on_success, post] = all;
            Some(Conditions {
                failure_if: failure_if?,
                success_if: success_if?,
                skip_if: skip_if?,
                while_true: while_true?,
                on_halted: on_halted?,
                on_failure: on_failure?,
                on_success: on_success?,
                post: post?,
            })
        });
        registry.mark_scripts(CONDITIONS_NODE, &CONDITION_NAMES);
        registry.add_decorator_from(INITIAL_NODE, move |properties| {
            let variables: Vec<String> = properties.read("variables", None)?;
            let values: Vec<Value> = properties.read("values", None)?;
            let pairs = variables.iter().zip(values).map(|(name, value)| {
                let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
                Some((Key::named(variable(name)?), value))
            });
            Some(Initial::new(pairs.collect::<Option<_>>()?, self.of(properties)))
        });
    }
}
