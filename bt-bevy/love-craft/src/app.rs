//! The app: the customers, and what happens around them.

use std::time::Duration;

use bevy_app::prelude::*;
use bevy_ecs::prelude::*;
use bevy_ecs::schedule::{InternedScheduleLabel, ScheduleLabel};
use bevy_time::{Time, TimeUpdateStrategy};
use bt_bevy::prelude::*;
use bt_examples::options::Options;
use rand_core::Rng;
use rand_pcg::Pcg32;

use crate::square::{Chibi, Customer, Doing, LovedBy, Position, Queue, Stock, anywhere, fraction};
use crate::walking;

/// The duration of a tick.
pub const TICK: Duration = Duration::from_millis(100);
/// The number of customers.
const CUSTOMERS: usize = 60;

/// The customers, and what happens around them. It needs Bevy's `TimePlugin`, and a schedule that runs once per [`TICK`].
pub struct Crowd {
    options: Options,
    schedule: InternedScheduleLabel,
}

impl Crowd {
    /// Creates a crowd that ticks in `Update`.
    pub fn new(options: Options) -> Self {
        Self { options, schedule: Update.intern() }
    }

    /// Ticks in another schedule.
    #[must_use]
    pub fn in_schedule(self, schedule: impl ScheduleLabel) -> Self {
        Self { schedule: schedule.intern(), ..self }
    }
}

impl Plugin for Crowd {
    fn build(&self, app: &mut App) {
        let Self { options, schedule } = *self;
        app.add_plugins(TreePlugin::<Chibi>::new().seed(options.seed).in_schedule(schedule));
        #[cfg(feature = "inspector")]
        if options.inspect {
            app.register_type::<Position>().register_type::<Customer>();
            app.add_plugins(bt_bevy::TreeInspectorPlugin::default());
        }
        app.init_resource::<Queue>().insert_resource(Stock { potions: 3, sold: 0, kisses: 0 });
        app.add_systems(schedule, (walking::walk, long, brew, fall_out_of_love).after(TreeSystems));
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
    }
}

/// Creates the app with all customers. It is headless, and advances by a tick with each update.
pub fn app(options: Options) -> App {
    let mut app = App::new();
    app.add_plugins((bevy_time::TimePlugin, Crowd::new(options)));
    app.insert_resource(TimeUpdateStrategy::ManualDuration(TICK));
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
pub fn counts(world: &mut World) -> String {
    let mut customers = world.query::<&Customer>();
    let count = |doing| customers.iter(world).filter(|customer| customer.doing == doing).count();
    let [wander, queue, court, work] = [Doing::Wandering, Doing::Queueing, Doing::Courting, Doing::Working].map(count);
    let stock = world.resource::<Stock>();
    format!(
        "{wander} wander, {queue} queue, {court} court, {work} work; {} potions sold, {} kisses",
        stock.sold, stock.kisses
    )
}
