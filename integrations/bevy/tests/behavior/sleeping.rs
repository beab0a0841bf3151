//! An app whose entities are all ticked in each frame behaves as one whose entities sleep.

use bevy_app::prelude::*;
use bevy_ecs::prelude::*;
use bt_bevy::bt_core::Wake;
use bt_bevy::prelude::*;

use crate::{app, update};

#[derive(Component, Default)]
struct Log(Vec<String>);
#[derive(Component)]
struct Chore {
    frames: u32,
    outcome: Outcome,
}
#[derive(Component, Default)]
struct IsHit(bool);
#[derive(EntityEvent)]
struct Hit {
    entity: Entity,
}

struct Worker;
impl Behavior for Worker {
    type Data = (&'static mut Log, &'static mut IsHit);
    type Params = ();
    fn tree() -> impl TreeOf<Self> {
        tree! {
            for Agent<'_, '_, Worker>: selector {
                sequence { by_event { is_hit } mem_sequence { note("hit"), wait(millis(250)), recover } }
                timeout(millis(1500)) {
                    mem_selector {
                        mem_sequence { note("chore"), task(chore), note("done"), wait(millis(300)) }
                        mem_sequence { note("failed"), wait(millis(500)) }
                    }
                }
                note("late"),
            }
        }
    }
}

fn is_hit(worker: &Agent<Worker>) -> bool {
    worker.data.1.0
}

fn recover(worker: &mut Agent<Worker>) {
    worker.data.1.0 = false;
}

fn chore(worker: &mut Agent<Worker>) -> Chore {
    let number = worker.rng().next_u32();
    Chore { frames: number % 20, outcome: if number & 64 == 0 { Outcome::Success } else { Outcome::Failure } }
}

#[action]
fn note(worker: &mut Agent<'_, '_, Worker>, text: &'static str) {
    let line = format!("{} {text}", worker.now().as_millis());
    worker.data.0.0.push(line);
}

fn work(mut chores: Query<(Entity, &mut Chore)>, mut commands: Commands) {
    for (task, mut chore) in &mut chores {
        match chore.frames.checked_sub(1) {
            Some(left) => chore.frames = left,
            None => _ = commands.entity(task).insert(Done(chore.outcome)),
        }
    }
}

fn logs(wakes_all: bool, is_parallel: bool) -> (Vec<Vec<String>>, usize) {
    let plugin = TreePlugin::<Worker>::new().seed(5).wakes_on::<Hit>();
    let mut app = app(if is_parallel { plugin.parallel() } else { plugin });
    app.add_systems(Update, work.after(TreeSystems));
    if wakes_all {
        app.add_systems(
            Update,
            (|mut minds: Query<&mut Mind<Worker>>| minds.iter_mut().for_each(|mut mind| mind.wake()))
                .before(TreeSystems),
        );
    }
    let entities: Vec<_> =
        (0..40).map(|_| app.world_mut().spawn((Mind::<Worker>::new(), Log::default(), IsHit(false))).id()).collect();
    let mut asleep = 0;
    for frame in 0..300_usize {
        if frame % 7 == 0 {
            let entity = entities[frame % entities.len()];
            app.world_mut().entity_mut(entity).insert(IsHit(true));
            app.world_mut().trigger(Hit { entity });
        }
        update(&mut app, 1);
        let due = |entity: &&Entity| app.world().get::<Mind<Worker>>(**entity).expect("a mind").due() != Wake::Next;
        asleep += entities.iter().filter(due).count();
    }
    (entities.iter().map(|entity| app.world().get::<Log>(*entity).expect("a log").0.clone()).collect(), asleep)
}

#[test]
fn sleeping_changes_nothing() {
    let (sleeping, asleep) = logs(false, false);
    assert!(sleeping.iter().map(Vec::len).sum::<usize>() > 1000, "{sleeping:?}");
    assert!(asleep > 300 * 40 * 3 / 4, "entities sleep most of the time: {asleep}");
    for (awake, sleeping) in logs(true, false).0.iter().zip(&sleeping) {
        assert_eq!(awake, sleeping);
    }
    assert_eq!(logs(false, true).0, sleeping, "on several threads");
}

#[test]
fn a_clock_that_goes_back_makes_all_entities_due() {
    struct Napper;
    impl Behavior for Napper {
        type Data = &'static mut Log;
        type Params = ();
        fn tree() -> impl TreeOf<Self> {
            tree! {
                for Agent<'_, '_, Napper>: mem_sequence {
                    wait(secs(1)),
                    |napper: &mut Agent<Napper>| napper.0.push("awake".into()),
                }
            }
        }
    }
    for plugin in [TreePlugin::<Napper>::new(), TreePlugin::<Napper>::new().parallel()] {
        let mut app = app(plugin);
        let entities: Vec<_> =
            (0..40).map(|_| app.world_mut().spawn((Mind::<Napper>::new(), Log::default())).id()).collect();
        let mut runs_at = |seconds| {
            let mut time = bevy_time::Time::<()>::default();
            time.advance_to(Duration::from_secs_f64(seconds));
            app.world_mut().insert_resource(time);
            app.world_mut().run_schedule(Update);
            let is_awake = |entity: &&Entity| !app.world().get::<Log>(**entity).expect("a log").0.is_empty();
            entities.iter().filter(is_awake).count()
        };
        assert_eq!([3600.0, 3600.5, 0.0, 0.9, 1.0].map(&mut runs_at), [0, 0, 0, 0, 40]);
    }
}
