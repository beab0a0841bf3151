//! The trees of this program, which has its source.

use std::sync::mpsc::channel;
use std::time::Duration;

use bt_core::keywords;
use bt_core::prelude::*;
use bt_live::__private::{Site, is_live};
use bt_live::{Place, Report, ReportKind, on_report};

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the context is a number")]
fn near(distance: &u32) -> bool {
    *distance < 10
}

const GUARD: u32 = line!() + 3;
#[subtree]
fn guard(limit: u32) -> impl Node<u32> {
    tree! { selector { near, move |distance: &u32| *distance > limit } }
}

macro_rules! in_macro {
    () => {
        tree! { for u32: invert { near } }
    };
}

/// A decorator that no loaded tree can have: it is not what `decorate` returns.
fn boxed<N: Node<u32>>(child: N) -> impl Node<u32> {
    keywords::sequence((child,))
}

static AWAY: [Site; 2] = [
    Site::new("src/away.rs", 3, Some("/nowhere"), "near", (3, 5)),
    Site::new("src/other.rs", 7, Some("/nowhere"), "near", (7, 5)),
];

#[test]
fn trees_register_once_and_say_what_they_do() {
    let (sender, reports) = channel();
    on_report(move |report| drop(sender.send(report.clone())));
    let next = || reports.recv_timeout(Duration::from_secs(60)).expect("a report");
    let is_unseen = |report: &Report, reason: &str| matches!(&report.kind, ReportKind::Unseen { reason: text, .. } if text.contains(reason));

    let trees: Vec<_> = (0..3).map(guard).collect();
    let Report { file, place, kind, .. } = next();
    assert_eq!((place, kind), (Place { line: GUARD, column: 5 }, ReportKind::Watching));
    assert_eq!(file.canonicalize().ok(), std::path::Path::new("tests/registry.rs").canonicalize().ok());
    let statuses: Vec<_> = trees.iter().map(|tree| tree.tick(&mut 20, &mut tree.memory())).collect();
    assert_eq!(statuses, [Status::Success; 3]);

    let tree = in_macro!();
    assert_eq!(tree.tick(&mut 20, &mut tree.memory()), Status::Success);
    let report = next();
    assert!(is_unseen(&report, "macro_rules"), "{report}");

    for _ in 0..2 {
        let tree = tree! { for u32: self::boxed { near } };
        assert_eq!(tree.tick(&mut 20, &mut tree.memory()), Status::Failure);
    }
    assert!(is_unseen(&next(), "decorate"));

    // A program without its sources says so once.
    assert!(AWAY.iter().chain(&AWAY).all(|site| is_live(site, &[])));
    let report = next();
    assert!(is_unseen(&report, "cannot be found"));
    assert_eq!(report.to_string(), "src/away.rs:3:5: trees stay as compiled: their sources cannot be found");
    assert_eq!(reports.recv_timeout(Duration::from_millis(100)).ok(), None);
}
