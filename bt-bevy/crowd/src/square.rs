//! The square: its places, its customers, and the app.

use std::collections::VecDeque;
use std::time::Duration;

use bevy_app::prelude::*;
use bevy_ecs::prelude::*;
use bevy_ecs::query::QueryData;
use bevy_ecs::system::SystemParam;
use bevy_time::{Time, TimeUpdateStrategy};
use bt_bevy::prelude::*;
use bt_examples::options::Options;
use glam::{Vec2, vec2};
use rand_core::Rng;
use rand_pcg::Pcg32;

use crate::walking;

/// The duration of a tick.
pub(crate) const TICK: Duration = Duration::from_millis(100);
pub(crate) const SIZE: Vec2 = vec2(76.0, 20.0);
/// The number of customers.
const CUSTOMERS: usize = 60;

/// Where a customer is.
#[derive(Component, Clone, Copy)]
pub(crate) struct Position(pub(crate) Vec2);

/// What a customer has, feels and does.
#[derive(Component, Default)]
pub(crate) struct Customer {
    pub(crate) coins: u32,
    pub(crate) potions: u32,
    /// Grows from 0 to 1; then the customer wants a potion.
    pub(crate) longing: f32,
    pub(crate) friend: Option<Entity>,
    /// In love until this time.
    pub(crate) drunk_until: Duration,
    pub(crate) beloved: Option<Entity>,
    /// How often the customer was kissed.
    pub(crate) kisses: u32,
    pub(crate) is_single_by_choice: bool,
    pub(crate) doing: Doing,
}

/// What a customer is seen to do.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) enum Doing {
    #[default]
    Wandering,
    Queueing,
    Drinking,
    Courting,
    Kissing,
    Working,
    Chatting,
    Sulking,
}

/// A customer who loves this one.
#[derive(Component)]
pub(crate) struct LovedBy(pub(crate) Entity);

/// The queue at the stall.
#[derive(Resource, Default)]
pub(crate) struct Queue(pub(crate) VecDeque<Entity>);

/// The potions that are left; the stall brews one every other second.
#[derive(Resource)]
pub(crate) struct Stock {
    pub(crate) potions: u32,
    pub(crate) sold: u32,
    pub(crate) kisses: u32,
}

/// The components of a customer that the tree accesses.
#[derive(QueryData)]
#[query_data(mutable)]
pub(crate) struct Body {
    pub(crate) position: &'static Position,
    pub(crate) me: &'static mut Customer,
    pub(crate) loved_by: Option<&'static LovedBy>,
}

/// What all customers share.
#[derive(SystemParam)]
pub(crate) struct Shared<'w, 's> {
    pub(crate) queue: ResMut<'w, Queue>,
    pub(crate) stock: ResMut<'w, Stock>,
    pub(crate) positions: Query<'w, 's, (Entity, &'static Position)>,
}

/// The behavior of customers.
pub(crate) struct Chibi;

impl Behavior for Chibi {
    type Data = Body;
    type Params = Shared<'static, 'static>;

    fn tree() -> impl TreeOf<Self> {
        crate::tree::chibi()
    }
}

/// The places that customers go to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Place {
    Stall,
    Fountain,
    Mill,
    Bench,
}

impl Place {
    pub(crate) const ALL: [(Self, &'static str); 4] =
        [(Self::Stall, "stall"), (Self::Fountain, "fountain"), (Self::Mill, "mill"), (Self::Bench, "bench")];

    pub(crate) const fn at(self) -> Vec2 {
        match self {
            Self::Stall => vec2(70.0, 10.0),
            Self::Fountain => vec2(38.0, 10.0),
            Self::Mill => vec2(5.0, 3.0),
            Self::Bench => vec2(20.0, 17.0),
        }
    }
}

/// Returns where the customer stands who is `index` places behind the first one.
pub(crate) fn in_line(index: usize) -> Vec2 {
    #[expect(clippy::cast_precision_loss, reason = "a queue is short")]
    let behind = index as f32 + 1.0;
    vec2(Place::Stall.at().x - 1.5 * behind, Place::Stall.at().y)
}

/// Returns a random point of the square.
pub(crate) fn anywhere(rng: &mut Pcg32) -> Vec2 {
    vec2(fraction(rng), fraction(rng)) * SIZE
}

/// Returns a random number from 0 to 1.
pub(crate) fn fraction(rng: &mut Pcg32) -> f32 {
    f32::from(u16::try_from(rng.next_u32() >> 16).unwrap_or(0)) / 65536.0
}

/// Creates the app with all customers. It is headless, and advances by a tick with each update.
pub(crate) fn app(options: Options) -> App {
    let mut app = App::new();
    app.add_plugins((bevy_time::TimePlugin, TreePlugin::<Chibi>::new().seed(options.seed)));
    #[cfg(feature = "inspector")]
    if options.inspect {
        app.add_plugins(bt_bevy::TreeInspectorPlugin::default());
    }
    app.insert_resource(TimeUpdateStrategy::ManualDuration(TICK)).init_resource::<Queue>();
    app.insert_resource(Stock { potions: 3, sold: 0, kisses: 0 });
    app.add_systems(Update, (walking::walk, long, brew, fall_out_of_love).after(TreeSystems));
    app.add_observer(leave);
    let mut rng = Pcg32::new(options.seed, 1);
    for number in 0..CUSTOMERS {
        let customer = Customer {
            coins: rng.next_u32() % 4,
            longing: fraction(&mut rng),
            is_single_by_choice: number % 7 == 0,
            ..Customer::default()
        };
        let name = Name::new(format!("customer {number}"));
        app.world_mut().spawn((Mind::<Chibi>::new(), customer, Position(anywhere(&mut rng)), name));
    }
    app.finish();
    app.cleanup();
    app
}

fn long(mut customers: Query<&mut Customer>) {
    for mut customer in &mut customers {
        customer.longing = (customer.longing + 0.002).min(1.0);
    }
}

/// Whose lover has forgotten them is no longer loved.
fn fall_out_of_love(
    loved: Query<(Entity, &LovedBy)>,
    customers: Query<&Customer>,
    time: Res<Time>,
    mut commands: Commands,
) {
    for (entity, lover) in &loved {
        let loves = |lover: &Customer| lover.beloved == Some(entity) && lover.drunk_until > time.elapsed();
        if !customers.get(lover.0).is_ok_and(loves) {
            commands.entity(entity).remove::<LovedBy>();
        }
    }
}

fn leave(event: On<Remove<Customer>>, mut queue: ResMut<Queue>) {
    queue.0.retain(|customer| *customer != event.entity);
}

fn brew(mut stock: ResMut<Stock>, time: Res<Time>) {
    let seconds = |time: Duration| time.as_secs() / 2;
    if seconds(time.elapsed()) != seconds(time.elapsed().saturating_sub(time.delta())) {
        stock.potions = (stock.potions + 1).min(5);
    }
}

/// Describes what the customers do.
pub(crate) fn counts(world: &mut World) -> String {
    let mut customers = world.query::<&Customer>();
    let count = |doing| customers.iter(world).filter(|customer| customer.doing == doing).count();
    let [wander, queue, court, work] = [Doing::Wandering, Doing::Queueing, Doing::Courting, Doing::Working].map(count);
    let stock = world.resource::<Stock>();
    format!(
        "{wander} wander, {queue} queue, {court} court, {work} work; {} potions sold, {} kisses",
        stock.sold, stock.kisses
    )
}
