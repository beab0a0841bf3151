use bevy_app::prelude::*;
use bevy_ecs::prelude::*;
use bevy_ecs::query::QueryData;
use bevy_ecs::system::SystemParam;
use bevy_time::prelude::*;
use bt_bevy::bt_core::Wake;
use bt_bevy::prelude::*;
use bt_core::board::{compare, set};

use crate::{app, update};

#[derive(Component, Default)]
struct Count(u32);
#[derive(Component)]
struct Limit(u32);
#[derive(Resource, Default)]
struct Total(u32);

#[derive(QueryData)]
#[query_data(mutable)]
struct CounterData {
    count: &'static mut Count,
    limit: Option<&'static Limit>,
}

#[derive(SystemParam)]
struct CounterParams<'w, 's> {
    total: ResMut<'w, Total>,
    others: Query<'w, 's, &'static Limit, Without<Mind<Counter>>>,
}

struct Counter;
impl Behavior for Counter {
    type Data = CounterData;
    type Params = CounterParams<'static, 'static>;
    fn tree() -> impl TreeOf<Self> {
        tree! { for Agent<'_, '_, Counter>: selector { sequence { is_over, spawn_other } add(2) } }
    }
}

fn is_over(counter: &Agent<Counter>) -> bool {
    counter.limit.is_some_and(|limit| counter.count.0 >= limit.0)
}

fn spawn_other(counter: &mut Agent<Counter>) {
    if counter.params.others.is_empty() {
        counter.commands().spawn(Limit(0));
    }
}

#[action]
fn add(counter: &mut Agent<'_, '_, Counter>, by: u32) -> Status {
    let Agent { data, params, .. } = counter;
    data.count.0 += by;
    params.total.0 += by;
    Status::Running
}

#[test]
fn leaves_access_components_parameters_and_commands() {
    let mut app = app(TreePlugin::<Counter>::new());
    app.init_resource::<Total>();
    let limited = app.world_mut().spawn((Mind::<Counter>::new(), Count(0), Limit(3))).id();
    let free = app.world_mut().spawn((Mind::<Counter>::new(), Count(10))).id();
    update(&mut app, 4);
    let count = |entity| app.world().get::<Count>(entity).expect("a count").0;
    assert_eq!((count(limited), count(free)), (4, 18));
    assert_eq!(app.world().resource::<Total>().0, 12);
    let status = |entity| app.world().get::<Mind<Counter>>(entity).expect("a mind").status();
    assert_eq!((status(limited), status(free)), (Some(Status::Success), Some(Status::Running)));
    let mut others = app.world_mut().query_filtered::<&Limit, Without<Mind<Counter>>>();
    assert_eq!(others.iter(app.world()).count(), 1);
}

#[test]
fn an_entity_without_all_components_of_the_data_is_not_ticked() {
    let mut app = app(TreePlugin::<Counter>::new());
    app.init_resource::<Total>();
    let entity = app.world_mut().spawn(Mind::<Counter>::new()).id();
    update(&mut app, 2);
    assert_eq!(app.world().get::<Mind<Counter>>(entity).expect("a mind").status(), None);
    app.world_mut().entity_mut(entity).insert(Count(0));
    update(&mut app, 1);
    assert_eq!(app.world().get::<Count>(entity).expect("a count").0, 2);
}

#[derive(Component, Default)]
struct Log(Vec<(u64, &'static str)>);

struct Sleeper;
impl Behavior for Sleeper {
    type Data = &'static mut Log;
    type Params = ();
    fn tree() -> impl TreeOf<Self> {
        tree! { for Agent<'_, '_, Sleeper>: mem_sequence { note("start"), wait(millis(300)), note("end") } }
    }
}

#[action]
fn note(sleeper: &mut Agent<'_, '_, Sleeper>, text: &'static str) {
    let now = u64::try_from(sleeper.now().as_millis()).unwrap_or(0);
    sleeper.data.0.push((now, text));
}

#[test]
fn an_entity_that_waits_sleeps_until_its_time() {
    let mut app = app(TreePlugin::<Sleeper>::new());
    let entity = app.world_mut().spawn((Mind::<Sleeper>::new(), Log::default())).id();
    update(&mut app, 1);
    let mind = app.world().get::<Mind<Sleeper>>(entity).expect("a mind");
    assert_eq!((mind.status(), mind.due()), (Some(Status::Running), Wake::At(millis(300))));
    update(&mut app, 3);
    let log = &app.world().get::<Log>(entity).expect("a log").0;
    assert_eq!(log[..], [(0, "start"), (300, "end")]);
}

#[test]
fn virtual_time_is_paused_with_the_tree() {
    let mut app = app(TreePlugin::<Sleeper>::new());
    let entity = app.world_mut().spawn((Mind::<Sleeper>::new(), Log::default())).id();
    update(&mut app, 1);
    app.world_mut().resource_mut::<Time<Virtual>>().pause();
    update(&mut app, 10);
    assert_eq!(app.world().get::<Log>(entity).expect("a log").0.len(), 1);
    app.world_mut().resource_mut::<Time<Virtual>>().unpause();
    update(&mut app, 3);
    assert_eq!(app.world().get::<Log>(entity).expect("a log").0[1], (300, "end"));
}

#[test]
fn trees_tick_in_the_schedule_and_under_the_conditions_of_the_user() {
    #[derive(Resource)]
    struct IsOn(bool);
    let mut app = app(TreePlugin::<Counter>::new().in_schedule(FixedUpdate));
    app.init_resource::<Total>().insert_resource(IsOn(true)).insert_resource(Time::<Fixed>::from_duration(millis(50)));
    app.configure_sets(FixedUpdate, TreeSystemsOf::<Counter>::new().run_if(|on: Res<IsOn>| on.0));
    let entity = app.world_mut().spawn((Mind::<Counter>::new(), Count(0))).id();
    update(&mut app, 3);
    let count = |app: &App| app.world().get::<Count>(entity).expect("a count").0;
    // 200 ms have passed after the first update.
    assert_eq!(count(&app), 8);
    app.insert_resource(IsOn(false));
    update(&mut app, 3);
    assert_eq!(count(&app), 8);
}

#[derive(Component, Default)]
struct Dice(Vec<u32>);

struct Gambler;
impl Behavior for Gambler {
    type Data = &'static mut Dice;
    type Params = ();
    fn tree() -> impl TreeOf<Self> {
        tree! { for Agent<'_, '_, Gambler>: throw }
    }
}

fn throw(gambler: &mut Agent<Gambler>) {
    let number = gambler.rng().next_u32();
    gambler.data.0.push(number);
}

#[test]
fn random_numbers_repeat_with_the_seed() {
    let throws = |seed| {
        let mut app = app(TreePlugin::<Gambler>::new().seed(seed));
        let entities = [0, 1].map(|_| app.world_mut().spawn((Mind::<Gambler>::new(), Dice::default())).id());
        update(&mut app, 3);
        entities.map(|entity| app.world().get::<Dice>(entity).expect("dice").0.clone())
    };
    let [ann, bob] = throws(7);
    assert_ne!(ann, bob, "each entity has its own numbers");
    assert_ne!(ann[0], ann[1], "each tick has its own numbers");
    assert_eq!(throws(7), [ann.clone(), bob]);
    assert_ne!(throws(8)[0], ann);
}

#[test]
fn an_entity_runs_several_behaviors() {
    let mut app = App::new();
    app.add_plugins((bevy_time::TimePlugin, TreePlugin::<Counter>::new(), TreePlugin::<Gambler>::new()));
    app.init_resource::<Total>();
    let both = (Mind::<Counter>::new(), Mind::<Gambler>::new(), Count(0), Dice::default());
    let entity = app.world_mut().spawn(both).id();
    update(&mut app, 2);
    app.world_mut().entity_mut(entity).remove::<Mind<Counter>>();
    update(&mut app, 1);
    assert_eq!(app.world().get::<Count>(entity).expect("a count").0, 4);
    assert_eq!(app.world().get::<Dice>(entity).expect("dice").0.len(), 3);
}

#[test]
fn changed_matches_changes_of_the_status_only() {
    #[derive(Resource, Default)]
    struct Changes(u32);
    fn count(minds: Query<(), Changed<Mind<Sleeper>>>, mut changes: ResMut<Changes>) {
        changes.0 += u32::try_from(minds.iter().count()).unwrap_or(u32::MAX);
    }
    let mut app = app(TreePlugin::<Sleeper>::new());
    app.init_resource::<Changes>().add_systems(Update, count.after(TreeSystems));
    app.world_mut().spawn((Mind::<Sleeper>::new(), Log::default()));
    update(&mut app, 3);
    assert_eq!(app.world().resource::<Changes>().0, 1, "started");
    update(&mut app, 1);
    assert_eq!(app.world().resource::<Changes>().0, 2, "ended");
}

#[test]
#[should_panic(expected = "trees need a clock; help: add `DefaultPlugins`")]
fn the_plugin_needs_a_clock() {
    let mut app = App::new();
    app.add_plugins(TreePlugin::<Gambler>::new());
    app.update();
}

#[test]
#[should_panic(expected = "had been spawned; help: add plugins first")]
fn the_plugin_has_to_be_there_before_the_minds() {
    let mut app = App::new();
    app.world_mut().spawn(Mind::<Gambler>::new());
    app.add_plugins(TreePlugin::<Gambler>::new());
}

struct Faulty;
#[derive(Component, Default)]
struct Faults(Vec<String>);
impl Behavior for Faulty {
    type Data = &'static mut Faults;
    type Params = ();
    fn tree() -> impl TreeOf<Self> {
        tree! { for Agent<'_, '_, Faulty>: parse }
    }
    fn on_error(agent: &mut Agent<'_, '_, Self>, at: NodeId, error: &dyn std::fmt::Display) {
        agent.data.0.push(format!("{at}: {error}"));
    }
}

fn parse(_: &mut Agent<Faulty>) -> Result<(), std::num::ParseIntError> {
    "x".parse::<u32>().map(|_| ())
}

#[test]
fn errors_of_leaves_are_reported_to_the_behavior() {
    let mut app = app(TreePlugin::<Faulty>::new());
    let entity = app.world_mut().spawn((Mind::<Faulty>::new(), Faults::default())).id();
    update(&mut app, 1);
    assert_eq!(app.world().get::<Mind<Faulty>>(entity).expect("a mind").status(), Some(Status::Error));
    assert_eq!(app.world().get::<Faults>(entity).expect("faults").0, ["#0: invalid digit found in string"]);
}

const HUNGER: Key<u32> = Key::new("hunger");
#[derive(Component, Default)]
struct Thoughts(Board);
#[derive(QueryData)]
#[query_data(mutable)]
struct ThinkerData {
    thoughts: &'static mut Thoughts,
}
impl HasBoard for ThinkerDataItem<'_, '_> {
    fn board(&self) -> &Board {
        &self.thoughts.0
    }
    fn board_mut(&mut self) -> &mut Board {
        &mut self.thoughts.0
    }
}
struct Thinker;
impl Behavior for Thinker {
    type Data = ThinkerData;
    type Params = ();
    fn tree() -> impl TreeOf<Self> {
        tree! { for Agent<'_, '_, Thinker>: sequence { set(HUNGER, 3), compare(HUNGER, |hunger| *hunger > 2) } }
    }
}

#[test]
fn a_board_is_a_component() {
    let mut app = app(TreePlugin::<Thinker>::new());
    let entity = app.world_mut().spawn((Mind::<Thinker>::new(), Thoughts::default())).id();
    update(&mut app, 1);
    assert_eq!(app.world().get::<Mind<Thinker>>(entity).expect("a mind").status(), Some(Status::Success));
    assert_eq!(app.world().get::<Thoughts>(entity).expect("thoughts").0.get(&HUNGER), Some(&3));
}

struct OtherGambler;
impl Behavior for OtherGambler {
    type Data = &'static mut OtherDice;
    type Params = ();
    fn tree() -> impl TreeOf<Self> {
        tree! {
            for Agent<'_, '_, OtherGambler>: |gambler: &mut Agent<OtherGambler>| {
                let number = gambler.rng().next_u32();
                gambler.data.0.push(number);
            }
        }
    }
}
#[derive(Component, Default)]
struct OtherDice(Vec<u32>);

#[test]
fn each_behavior_of_an_entity_has_its_own_numbers() {
    let mut app = App::new();
    app.add_plugins((bevy_time::TimePlugin, TreePlugin::<Gambler>::new(), TreePlugin::<OtherGambler>::new()));
    let minds = (Mind::<Gambler>::new(), Mind::<OtherGambler>::new());
    let entity = app.world_mut().spawn((minds, Dice::default(), OtherDice::default())).id();
    update(&mut app, 1);
    let numbers =
        (&app.world().get::<Dice>(entity).expect("dice").0, &app.world().get::<OtherDice>(entity).expect("dice").0);
    assert_ne!(numbers.0, numbers.1);
}

#[test]
fn delta_is_the_time_since_the_last_tick() {
    #[derive(Component, Default)]
    struct Deltas(Vec<Duration>);
    struct Slow;
    impl Behavior for Slow {
        type Data = &'static mut Deltas;
        type Params = ();
        fn tree() -> impl TreeOf<Self> {
            tree! {
                for Agent<'_, '_, Slow>: |slow: &mut Agent<Slow>| {
                    let delta = slow.delta();
                    slow.data.0.push(delta);
                }
            }
        }
    }
    let mut app = app(TreePlugin::<Slow>::new());
    let mut frame = 0;
    app.configure_sets(
        Update,
        TreeSystemsOf::<Slow>::new().run_if(move || {
            frame += 1;
            frame % 3 == 0
        }),
    );
    let entity = app.world_mut().spawn((Mind::<Slow>::new(), Deltas::default())).id();
    update(&mut app, 9);
    assert_eq!(app.world().get::<Deltas>(entity).expect("deltas").0, [millis(100), millis(300), millis(300)]);
}
