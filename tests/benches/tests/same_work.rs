//! What is measured side by side does the same work.

#![recursion_limit = "512"]

use bt_benches::shapes::Shape;
use bt_benches::{cases, engines, herd, loaded, loading, million, peers, shapes, small};
use bt_core::prelude::*;

#[test]
fn a_tree_and_its_hand_written_equivalents_behave_identically() {
    for case in cases::all() {
        for ticks in [1, 2, 3, 10, 100, 10_000] {
            for twin in [case.by_hand].into_iter().chain(case.less) {
                assert_eq!((case.tree)(ticks), twin(ticks), "{} of {} nodes", case.name, case.nodes);
            }
        }
    }
}

#[test]
fn all_ways_do_the_same() {
    for way in herd::WAYS {
        for rounds in [1, 2, 50] {
            assert_eq!((way.run)(rounds), (herd::WAYS[way.plain].run)(rounds), "{}", way.name);
        }
    }
}

#[test]
fn enemies_in_a_loop_and_in_a_herd_do_the_same() {
    let [structs, herd, _] = million::WAYS;
    for all_cores in [false, true] {
        let (mut structs, mut herd) = ((structs.start)(1000, all_cores), (herd.start)(1000, all_cores));
        for _ in 0..50 {
            assert_eq!(structs(), herd());
        }
    }
}

#[test]
fn all_crates_do_the_same_work() {
    for peer in peers::all() {
        assert_eq!((peer.flips)(1000), 500 + 500 * 1000, "{}", peer.name);
        assert_eq!((peer.stays)(1000), 1000, "{}", peer.name);
        assert_eq!((peer.falls)(1000), 1000 * 1000, "{}", peer.name);
    }
}

#[test]
fn all_engines_behave_identically() {
    let (one, other) =
        (loaded::load(include_str!("../reactive.b3.json")), loaded::load(include_str!("../patrol.b3.json")));
    for ticks in [1, 10, 10_000] {
        assert_eq!(engines::ticking(&one, ticks), engines::ticking(&small::reactive(), ticks));
        assert_eq!(engines::ticking(&engines::reactive(), ticks), engines::ticking(&small::reactive(), ticks));
        assert_eq!(engines::ticking(&other, ticks), engines::ticking(&small::patrol(), ticks));
        assert_eq!(engines::ticking(&engines::patrol(), ticks), engines::ticking(&small::patrol(), ticks));
    }
}

#[test]
fn loaded_trees_do_what_the_same_trees_in_rust_do() {
    for case in loaded::LOADED {
        for ticks in [1, 2, 3, 10, 10_000] {
            assert_eq!((case.loaded)(ticks), (case.written)(ticks), "{}", case.name);
        }
    }
}

#[test]
fn trees_have_their_nominal_size() {
    for Shape { word, size, nodes, .. } in shapes::SHAPES {
        let expected = if *word == "deep" { 2 * size + 1 } else { *size };
        assert_eq!(nodes(), expected, "{word} {size}");
    }
}

#[test]
fn a_file_has_the_number_of_nodes_and_agents_migrate() {
    for nodes in [10, 500] {
        let (old, new) = (loading::load(&loading::file(nodes, "Walk")), loading::load(&loading::file(nodes, "Near")));
        assert_eq!(old.count(), nodes + 1);
        let (mut seen, mut memory) = (0, old.memory());
        assert_eq!(old.tick(&mut seen, &mut memory), Status::Running);
        old.reload(&new, &mut memory, &mut seen);
        assert!(memory.is_running());
    }
}
