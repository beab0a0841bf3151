//! Tests of the example.

use bt_bevy::bt_core::describe::{Description, Kind};
use bt_bevy::prelude::*;
use bt_examples::options::Options;
use bt_examples::panes::Pane;
use bt_examples::play::screen;

use crate::app::app;
use crate::square::{Customer, Queue, Stock};

#[test]
fn the_tree_is_as_large_as_that_of_love_craft() {
    let description = Description::of(&crate::tree::chibi());
    let count = |kind| description.nodes().iter().filter(|node| node.kind == kind).count();
    assert_eq!(description.nodes().len(), 92, "{}", description.draw());
    assert!(count(Kind::Action) >= 21 && count(Kind::Condition) >= 15);
}

#[test]
fn potions_are_sold_and_customers_kiss() {
    let mut app = app(Options::headless(0, 1));
    for _ in 0..3000 {
        app.update();
    }
    let stock = app.world().resource::<Stock>();
    assert!(stock.sold > 20 && stock.kisses > 5, "{} potions, {} kisses", stock.sold, stock.kisses);
    let mut customers = app.world_mut().query::<&Customer>();
    let single = customers.iter(app.world()).filter(|customer| customer.is_single_by_choice);
    for customer in single {
        // They kiss only whom they love themselves.
        assert!(customer.kisses == 0 || customer.drunk_until > Duration::ZERO);
    }
}

#[test]
fn a_customer_who_leaves_does_not_block_the_queue() {
    let mut app = app(Options::headless(0, 1));
    while app.world().resource::<Queue>().0.len() < 3 {
        app.update();
    }
    let first = app.world().resource::<Queue>().0[0];
    app.world_mut().despawn(first);
    let sold = app.world().resource::<Stock>().sold;
    for _ in 0..600 {
        app.update();
    }
    assert!(app.world().resource::<Stock>().sold > sold, "the others are served");
}

#[test]
fn a_run_with_a_seed_repeats() {
    let run = |seed| crate::trace(Options::headless(500, seed));
    assert_eq!(run(7), run(7));
    assert_ne!(run(7), run(8));
}

#[test]
fn the_square_fits_a_small_terminal() {
    let mut square = crate::view::Square::new(Options::headless(0, 1));
    for (width, height) in [(80, 24), (20, 5), (1, 1)] {
        let text = screen(&mut square, Pane::default(), (width, height)).concat();
        assert_eq!(text.contains("fountain"), width == 80, "{text}");
    }
}
