//! Tests of the example.

use bt_core::prelude::*;
use bt_examples::options::Options;
use bt_examples::panes::Pane;
use bt_examples::play::{Play, screen};
use glam::Vec2;

use crate::scene::{CANVAS, Paint, SIZE, Scene, TICK};
use crate::view::Game;
use crate::{trace, tree};

fn headless(ticks: u32, seed: u64) -> Vec<String> {
    trace(Options::headless(ticks, seed))
}

/// Runs ticks without moving the mouse.
fn hover<N: Node<Scene>>(tree: &N, memory: &mut Memory<N>, scene: &mut Scene, ticks: u32) {
    for _ in 0..ticks {
        scene.step();
        tree.tick(scene, memory);
    }
}

#[test]
fn the_box_turns_red_on_hover_and_jumps_after_half_a_second() {
    let tree = tree::jumping_box();
    let mut memory = tree.memory();
    let mut scene = Scene::new(3);
    scene.mouse = Some(scene.position + SIZE / 2.0);
    let before = scene.position;
    hover(&tree, &mut memory, &mut scene, 1);
    assert_eq!((scene.color, scene.jumps), (Paint::Red, 0));
    // 0.5 s is 10 ticks.
    hover(&tree, &mut memory, &mut scene, 9);
    assert_eq!((scene.color, scene.jumps), (Paint::Red, 0));
    hover(&tree, &mut memory, &mut scene, 1);
    assert_eq!((scene.color, scene.jumps), (Paint::Blue, 1));
    assert_ne!(scene.position, before);
}

#[test]
fn the_box_does_not_jump_if_the_mouse_leaves_in_time() {
    let tree = tree::jumping_box();
    let mut memory = tree.memory();
    let mut scene = Scene::new(3);
    scene.mouse = Some(scene.position);
    hover(&tree, &mut memory, &mut scene, 8);
    assert_eq!(scene.color, Paint::Red);
    scene.mouse = Some(scene.position - Vec2::ONE);
    hover(&tree, &mut memory, &mut scene, 1);
    assert_eq!((scene.color, scene.jumps), (Paint::Blue, 0));
    // The wait restarts.
    scene.mouse = Some(scene.position);
    hover(&tree, &mut memory, &mut scene, 10);
    assert_eq!(scene.jumps, 0);
}

#[test]
fn the_tree_is_that_of_the_article() {
    assert_eq!(
        tree::jumping_box().description().to_string(),
        "\
jumping_box
└─ selector
   ├─ sequence
   │  ├─ is_mouse_over
   │  └─ mem_sequence
   │     ├─ change_color(color: Red)
   │     ├─ wait(time: 500ms)
   │     ├─ change_position
   │     └─ change_color(color: Blue)
   └─ change_color(color: Blue)
"
    );
}

#[test]
fn the_trace_depends_only_on_the_seed() {
    let lines = headless(1200, 1);
    assert_eq!(lines, headless(1200, 1));
    assert_ne!(lines, headless(1200, 2));
    let count = |what: &str| lines.iter().filter(|line| line.contains(what)).count();
    let jumps = count("the box jumps");
    assert!(jumps > 3, "{lines:#?}");
    assert_eq!(lines.last().map(String::as_str), Some(format!("{jumps} jumps in 60.0 s").as_str()));
    assert!(count("turns Red") > jumps, "the mouse sometimes leaves in time");
}

#[test]
fn the_box_may_leave_the_canvas_but_not_with_its_corner() {
    let mut scene = Scene::new(1);
    let mut is_cut = 0;
    for _ in 0..200 {
        scene.jump();
        assert!(scene.position.cmpge(Vec2::ZERO).all() && scene.position.cmplt(CANVAS).all());
        is_cut += u32::from((scene.position + SIZE).cmpgt(CANVAS).any());
    }
    assert!(is_cut > 20, "{is_cut}");
}

#[test]
fn each_jump_comes_half_a_second_after_the_box_turned_red() {
    let tree = tree::jumping_box();
    let (mut memory, mut scene) = (tree.memory(), Scene::new(5));
    let mut red = 0;
    for _ in 0..2000 {
        let jumps = scene.jumps;
        scene.step();
        scene.move_mouse();
        tree.tick(&mut scene, &mut memory);
        red = if scene.color == Paint::Red { red + 1 } else { red };
        if scene.jumps > jumps {
            assert_eq!(TICK * red, millis(500));
        }
        if scene.color == Paint::Blue {
            red = 0;
        }
    }
    assert!(scene.jumps > 5);
}

#[test]
fn a_small_terminal_shows_the_tree_or_the_scene_and_how_to_quit() {
    let mut game = Game::new(tree::jumping_box(), Scene::new(1), Options::headless(0, 1));
    game.tick();
    for (pane, text) in [(Pane::Tree, "selector"), (Pane::Scene, "jumps")] {
        let rows = screen(&mut game, pane, (40, 10));
        assert!(rows[9].contains(" q: quit "), "{rows:#?}");
        assert!(rows.concat().contains(text), "{rows:#?}");
    }
    let rows = screen(&mut game, Pane::Tree, (80, 24));
    assert!(rows.concat().contains("selector") && rows.concat().contains("jumps"), "{rows:#?}");
}
