//! The app: the customers, and what happens around them.

use std::time::Duration;

use bevy_app::prelude::*;
use bevy_ecs::prelude::*;
use bevy_time::{Time, TimeUpdateStrategy};
use bt_bevy::prelude::*;
use bt_examples::options::Options;
use rand_core::Rng;
use rand_pcg::Pcg32;

use crate::square::{Chibi, Customer, Doing, LovedBy, Position, Queue, Stock, anywhere, fraction};
use crate::walking;

/// The duration of a tick.
pub(crate) const TICK: Duration = Duration::from_millis(100);
/// The number of customers.
const CUSTOMERS: usize = 60;

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
