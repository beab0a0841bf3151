//! bevior_tree. A task is a system that is run for each entity.

use bevior_tree::prelude::*;
use bevy::asset::Assets;
use bevy::prelude::*;

use crate::measure::Case;
use crate::work::{Work, frames};

type Listeners = Vec<(TaskEvent, Box<TaskEventListener>)>;

/// Each task with the body of its system.
macro_rules! tasks {
    ($($name:ident: ($($param:ident: $type:ty),*) $body:expr;)+) => {$(
        #[derive(Debug)]
        struct $name;
        impl TaskDefinition for $name {
            fn build_checker(&self) -> Box<TaskChecker> {
                Box::new(IntoSystem::into_system(|In(_entity): In<Entity>, $(mut $param: $type),*| $body(_entity, $(&mut $param),*)))
            }
            fn build_event_listeners(&self) -> Listeners {
                vec![]
            }
        }
    )+};
}

fn done(is_success: bool) -> TaskStatus {
    TaskStatus::Complete(if is_success { NodeResult::Success } else { NodeResult::Failure })
}

tasks! {
    Rest: () |_| TaskStatus::Running;
    Pause: (time: Res<Time>) |_, time: &mut Res<Time>| if time.elapsed_secs() < 1e6 { TaskStatus::Running } else { done(true) };
    IsEven: (works: Query<&Work>) |entity, works: &mut Query<&Work>| done(works.get(entity).is_ok_and(Work::is_even));
    IsLast: (works: Query<&Work>) |entity, works: &mut Query<&Work>| done(works.get(entity).is_ok_and(Work::is_last));
    One: (works: Query<&mut Work>) |entity, works: &mut Query<&mut Work>| {
        if let Ok(mut work) = works.get_mut(entity) {
            work.one();
        }
        done(true)
    };
    // A loop whose tasks all end at once does not end in a frame.
    NextFrame: (works: Query<&mut Work>) |entity, works: &mut Query<&mut Work>| {
        let mut work = works.get_mut(entity).expect("the entity has work");
        work.is_next_frame = !work.is_next_frame;
        if work.is_next_frame { TaskStatus::Running } else { done(true) }
    };
    Other: (works: Query<&mut Work>) |entity, works: &mut Query<&mut Work>| {
        if let Ok(mut work) = works.get_mut(entity) {
            work.other();
        }
        done(true)
    };
}

fn task(task: impl TaskDefinition) -> Box<dyn Node> {
    Box::new(TaskBridge::new(Box::new(task)))
}

/// The entities share a tree.
fn app(tree: impl Node, entities: u32) -> Box<dyn FnMut() -> u64> {
    let mut app = App::new();
    app.add_plugins((bevy::time::TimePlugin, BehaviorTreePlugin::default().in_schedule(Update)));
    let tree = BehaviorTree::from_node(tree, &mut app.world_mut().resource_mut::<Assets<BehaviorTreeRoot>>());
    app.world_mut().spawn_batch((0..entities).map(move |_| (tree.clone(), Work::default())));
    frames(app)
}

fn each_frame(tree: impl Node, entities: u32) -> Box<dyn FnMut() -> u64> {
    app(InfiniteLoop::new(Sequence::new(vec![Box::new(tree), task(NextFrame)])), entities)
}

pub fn cases() -> Vec<Case> {
    let name = "bevior_tree 0.12";
    vec![
        Case { name, situation: "idle", start: |entities| app(Sequence::new(vec![task(Rest)]), entities) },
        Case { name, situation: "waiting", start: |entities| app(Sequence::new(vec![task(Pause)]), entities) },
        Case {
            name,
            situation: "changing",
            start: |entities| {
                let even = Sequence::new(vec![task(IsEven), task(One)]);
                each_frame(Selector::new(vec![Box::new(even), task(Other)]), entities)
            },
        },
        Case {
            name,
            situation: "falling",
            start: |entities| {
                let three = Sequence::new(vec![task(IsLast), task(IsLast), task(One)]);
                let two = Sequence::new(vec![task(IsLast), task(One)]);
                each_frame(Selector::new(vec![Box::new(three), Box::new(two), task(Other)]), entities)
            },
        },
    ]
}
