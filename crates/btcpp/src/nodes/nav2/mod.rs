//! The control nodes and decorators of Nav2 that need no robot.

mod controls;
mod decorators;
mod pipeline;

use bt_core::board::HasBoard;
use bt_core::{Clock, ContextOf, Contexts};
use bt_dynamic::RegistryOf;

use self::controls::{PersistentSequence, Recovery, RoundRobin};
use self::decorators::{GoalUpdatedController, RateController, SingleTrigger};
use self::pipeline::{Nonblocking, Pipeline};
use crate::nodes::port::{Port, key, of_variable_or, or_default};
use crate::plugins::CHILD;

/// The control nodes and decorators of [Nav2](https://nav2.org) that need no robot, for a registry.
///
/// They are added under their plain names: `RecoveryNode`, `PipelineSequence`, `RoundRobin`, `PersistentSequence`, `NonblockingSequence`,
/// `RateController`, `SingleTrigger` and `GoalUpdatedController`. Ports that are missing have the defaults of Nav2. A `GoalUpdatedController` compares
/// the variables `goal` and `goals` if its ports name no others.
///
/// The decorators keep what they have seen until their parent resets them. `PipelineSequence`, `NonblockingSequence`, the condition of `WhileDoElse` and
/// these decorators themselves reset a child that has ended only at the end of their own run. All other nodes reset it at once: below them, the property
/// `reset` of the decorator is `true`. Trees of XML state it by themselves.
///
/// ```
/// use bt_btcpp::{Nav2Nodes, Nodes, XmlRegistry};
/// use bt_core::prelude::*;
/// use bt_dynamic::Registry;
///
/// #[derive(Default)]
/// struct Robot { board: Board, now: Duration, plans: u32 }
///
/// impl HasBoard for Robot {
///     fn board(&self) -> &Board { &self.board }
///     fn board_mut(&mut self) -> &mut Board { &mut self.board }
/// }
///
/// impl Clock for Robot {
///     fn now(&self) -> Duration { self.now }
/// }
///
/// let mut registry = Registry::<Robot>::new().with_clock();
/// Nodes::new().add_to(&mut registry);
/// Nav2Nodes::add_to(&mut registry);
/// registry.add_leaf("Plan", |robot: &mut Robot| robot.plans += 1).add_leaf("Follow", |_: &mut Robot| Status::Running);
/// let tree = registry.load_xml(r#"<root BTCPP_format="4"><BehaviorTree ID="Main">
///     <PipelineSequence><RateController hz="1.0"><Plan/></RateController><Follow/></PipelineSequence>
/// </BehaviorTree></root>"#)?;
///
/// let (mut robot, mut memory) = (Robot::default(), tree.memory());
/// for milliseconds in (0..=2000).step_by(100) {
///     robot.now = millis(milliseconds);
///     tree.tick(&mut robot, &mut memory);
/// }
/// assert_eq!(robot.plans, 3);
/// # Ok::<(), bt_dynamic::LoadError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Nav2Nodes;

impl Nav2Nodes {
    /// Adds the nodes to a registry.
    pub fn add_to<F: Contexts>(registry: &mut RegistryOf<F>)
    where
        for<'a, 'b> ContextOf<'a, 'b, F>: HasBoard + Clock,
    {
        registry.add_composite_from("RecoveryNode", |properties| {
            let retries = or_default(properties, "number_of_retries", 1)?;
            Some(Recovery { retries })
        });
        registry.add_composite_from("PipelineSequence", |_| Some(Pipeline));
        registry.add_composite_from("NonblockingSequence", |_| Some(Nonblocking));
        registry.add_composite_from("RoundRobin", |properties| {
            let wraps_around = or_default(properties, "wrap_around", false)?;
            Some(RoundRobin { wraps_around })
        });
        registry.add_composite_from("PersistentSequence", |properties| {
            let current = key(properties, CHILD)?;
            let types = properties.types().clone();
            Some(PersistentSequence::new(current, types))
        });
        registry.add_decorator_from("RateController", |properties| {
            let hz: Option<Port<f64>> = or_default(properties, "hz", 10.0);
            let is_reset = decorators::is_reset(properties);
            Some(RateController { hz: hz?, is_reset: is_reset? })
        });
        registry.add_decorator_from("SingleTrigger", |properties| {
            Some(SingleTrigger { is_reset: decorators::is_reset(properties)? })
        });
        registry.add_decorator_from("GoalUpdatedController", |properties| {
            let (goal, goals) = (of_variable_or(properties, "goal"), of_variable_or(properties, "goals"));
            let is_reset = decorators::is_reset(properties);
            Some(GoalUpdatedController { goal: goal?, goals: goals?, is_reset: is_reset? })
        });
    }
}
