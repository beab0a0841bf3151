//! What a tree says of itself.

use bt_core::Outcomes;
use bt_core::describe::{Kind, Parameter};
use bt_core::prelude::*;

struct Npc {
    now: Duration,
}

impl Clock for Npc {
    fn now(&self) -> Duration {
        self.now
    }
}

#[derive(Clone, Copy, Debug)]
enum Thing {
    Box,
}

/// Cannot be shown.
#[derive(Clone, Copy)]
struct Secret;

#[condition]
fn near(_: &Npc, things: &'static [Thing], radius: f32, secret: Secret) -> bool {
    let _ = (things, radius, secret);
    true
}

fn go(_: &mut Npc) -> Status {
    Status::Running
}

#[subtree]
fn fetch(things: &'static [Thing], secret: Secret, (_a, _b): (u8, u8), then: impl Node<Npc>) -> impl Node<Npc> {
    tree! { mem_sequence "fetch it" { near(things, 50.0, secret), then } }
}

fn life() -> impl Node<Npc> {
    tree! {
        selector "life" {
            fetch(&[Thing::Box], Secret, (1, 2), tree! { go }),
            cooldown(secs(5)) "patience" { !|npc: &Npc| npc.now > secs(3) }
            retry(3) { parallel(success = all, failure = 1) { go, wait(millis(500)) } }
        }
    }
}

#[test]
fn a_description_draws_names_parameters_and_labels() {
    assert_eq!(
        life().description().to_string(),
        "\
selector \"life\"
├─ fetch(things: [Box], secret: …, then: …)
│  └─ mem_sequence \"fetch it\"
│     ├─ near(things: [Box], radius: 50.0, secret: …)
│     └─ go
├─ cooldown(time: 5s) \"patience\"
│  └─ invert
│     └─ |npc: &Npc| npc.now > secs(3)
└─ retry(times: 3)
   └─ parallel(success: all, failure: 1)
      ├─ go
      └─ wait(time: 500ms)
"
    );
}

#[test]
fn each_node_has_kind_parent_parameters_and_place() {
    let description = life().description();
    let node = |id| description.node(NodeId::new(id)).expect("it is there");
    assert_eq!(description.nodes().len(), 12);
    let kinds = [Kind::Composite, Kind::Subtree, Kind::Composite, Kind::Condition, Kind::Action, Kind::Decorator];
    assert_eq!((0..6).map(|id| node(id).kind).collect::<Vec<_>>(), kinds);
    assert_eq!(node(3).parent, Some(NodeId::new(2)));
    let times = &node(8).params;
    assert_eq!((times.len(), times[0].name.as_str(), times[0].value.as_str()), (1, "times", "3"));
    assert_eq!(node(3).returns, Outcomes::SUCCESS.or(Outcomes::FAILURE));
    assert_eq!(description.children(NodeId::ROOT).map(|child| child.id.index()).collect::<Vec<_>>(), [1, 5, 8]);
    assert!(description.nodes().iter().enumerate().all(|(index, node)| node.id.index() == index));
}

#[test]
fn places_are_the_first_tokens_of_the_nodes() {
    fn even(npc: &Npc) -> bool {
        npc.now.as_secs().is_multiple_of(2)
    }
    let first_line = line!() + 2;
    #[rustfmt::skip]
    let tree = tree! {
        for Npc: selector {
            sequence { go, |_: &Npc| true },
            !even,
            timeout(secs(1))
            { wait(secs(2)) }
            ident {
                go }
        }
    };
    let places: Vec<_> = tree
        .description()
        .nodes()
        .iter()
        .map(|node| node.location.as_ref().map(|place| (place.line - first_line, place.column)))
        .collect();
    let expected = [(1, 18), (2, 13), (2, 24), (2, 28), (3, 13), (3, 14), (4, 13), (5, 15), (7, 17)];
    assert_eq!(places, expected.map(Some));
    assert!(tree.description().nodes()[3].location.as_ref().expect("has a place").file.ends_with("descriptions.rs"));
}

/// Looks for a thing; Engine22's node with its properties.
#[condition]
fn in_range(
    _: &Npc,
    #[param(unit = "s")] after: f32,
    #[param(default = 5.0, unit = "m")] distance: f32,
    #[param(default = true)] sure: bool,
) -> bool {
    after + distance > 0.0 && sure
}

#[test]
fn properties_have_type_value_default_and_unit() {
    let tree = tree! {
        for Npc: sequence {
            in_range(1.0, 2.0, false),
            in_range::with_defaults(1.0),
            in_range::with_defaults(1.0).distance(7.0),
        }
    };
    let description = tree.description();
    assert_eq!(
        description.lines()[1..],
        [
            "├─ in_range(after: 1.0 s, distance: 2.0 m, sure: false)",
            "├─ in_range(after: 1.0 s, distance: 5.0 m, sure: true)",
            "└─ in_range(after: 1.0 s, distance: 7.0 m, sure: true)",
        ]
    );
    let text = |text: &str| Some(text.to_owned());
    assert_eq!(
        description.nodes()[1].params[1],
        Parameter {
            name: "distance".into(),
            value: "2.0".into(),
            type_name: text("f32"),
            default: text("5.0"),
            unit: text("m"),
            property: None,
        }
    );
    assert_eq!(description.nodes()[1].params[0].default, None);
}

#[action]
fn r#move(_: &mut Npc, r#type: u8) {
    let _ = r#type;
}

#[subtree]
fn r#loop(r#in: u8) -> impl Node<Npc> {
    fn r#try(_: &Npc) -> bool {
        true
    }
    tree! { sequence { r#move(r#in), r#try } }
}

#[test]
fn raw_names_are_shown_as_they_are_meant() {
    assert_eq!(r#loop(3).description().to_string(), "loop(in: 3)\n└─ sequence\n   ├─ move(type: 3)\n   └─ try\n");
}

/// Not a node of its own.
fn ident<N>(child: N) -> N {
    child
}

#[test]
fn a_tree_built_without_the_macro_has_no_places() {
    let tree = bt_core::keywords::selector((succeed(), wait(secs(1))));
    assert!(tree.description().nodes().iter().all(|node| node.location.is_none()));
    assert_eq!(tree.description().to_string(), "selector\n├─ succeed\n└─ wait(time: 1s)\n");
}

#[test]
fn the_number_of_nodes_and_the_statuses_of_a_tree_are_known_to_the_compiler() {
    fn facts<N: NodeShape>(_: &N) -> (Option<u32>, Outcomes) {
        (N::COUNT, N::RETURNS)
    }
    let succeeds = Outcomes::SUCCESS;
    // More children than a tuple has.
    let ten = tree! {
        for (): parallel { succeed, succeed, succeed, succeed, succeed, succeed, succeed, succeed, succeed, succeed }
    };
    assert_eq!(facts(&ten), (Some(11), succeeds));
    let nested = tree! { for (): sequence { succeed, !fail, selector { !succeed, succeed } } };
    assert_eq!(facts(&nested), (Some(8), succeeds));
    // An array has as many as it says; only the program knows how many are in a `Vec`.
    let two = || tree! { for (): !fail };
    let array = tree! { for (): sequence { succeed, ..[two(), two(), two()] } };
    assert_eq!((facts(&array).0, array.count()), (Some(8), 8));
    let parallel = tree! { for (): parallel(success = 2) { ..[succeed(), succeed()] } };
    assert_eq!(facts(&parallel), (Some(3), Outcomes::ANY));
    let unknown = tree! { for (): sequence { succeed, ..vec![two(), two(), two()] } };
    assert_eq!((facts(&unknown).0, unknown.count()), (None, 8));
}
