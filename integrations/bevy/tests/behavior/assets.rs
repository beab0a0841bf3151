use std::fs;
use std::path::PathBuf;
use std::time::Instant;

use bevy_app::TaskPoolPlugin;
use bevy_app::prelude::*;
use bevy_asset::{AssetPlugin, AssetServer};
use bevy_ecs::prelude::*;
use bevy_time::{Time, Virtual};
use bt_bevy::bt_core::{NodeId, Wake};
use bt_bevy::prelude::*;
use bt_bevy::{TreeAssets, TreeRegistry, TreeReplaced, tree_asset, tree_registry};

use crate::{logs, update};

#[derive(Component, Default, PartialEq, Debug)]
struct Log(Vec<&'static str>);

/// A behavior whose leaves write to the log of the entity.
macro_rules! behavior {
    ($name:ident, $registry:ident => $tree:expr) => {
        struct $name;
        impl Behavior for $name {
            type Data = &'static mut Log;
            type Params = ();
            fn tree() -> impl TreeOf<Self> {
                let $registry: fn() -> TreeRegistry<Self> = || {
                    let mut registry = tree_registry::<Self>();
                    registry
                        .add_leaf("Walk", |agent: &mut Agent<Self>| agent.data.0.push("walk"))
                        .add_leaf("Sing", |agent: &mut Agent<Self>| agent.data.0.push("sing"))
                        .add_leaf("Fail", |_: &mut Agent<Self>| Err::<Status, _>("no voice"))
                        .add_leaf("IsTired", |agent: &Agent<Self>| agent.data.0.len() > 3);
                    registry
                };
                $tree
            }
            fn on_error(agent: &mut Agent<'_, '_, Self>, _: NodeId, error: &dyn core::fmt::Display) {
                agent.data.0.push(if error.to_string().contains("no voice") { "no voice" } else { "other" });
            }
        }
    };
}

/// A folder of assets that is removed with the test.
struct Folder(PathBuf);

impl Folder {
    fn new(test: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("bt-bevy-{test}-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        Self(folder)
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.0.join(name), text).expect("a file");
    }

    fn app<G: Behavior>(&self, plugin: TreePlugin<G>) -> App {
        let mut app = App::new();
        let assets = AssetPlugin { file_path: self.0.display().to_string(), ..AssetPlugin::default() };
        app.add_plugins((TaskPoolPlugin::default(), assets));
        app.add_plugins((bevy_time::TimePlugin, plugin));
        app.insert_resource(bevy_time::TimeUpdateStrategy::ManualDuration(millis(100)));
        app.init_resource::<Replaced>();
        app.add_observer(|_: On<TreeReplaced<G>>, mut replaced: ResMut<Replaced>| replaced.0 += 1);
        app
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// How often trees were replaced.
#[derive(Resource, Default)]
struct Replaced(usize);

/// Updates until something is so.
fn until(app: &mut App, is_so: impl Fn(&App) -> bool) {
    let began = Instant::now();
    while !is_so(app) {
        assert!(began.elapsed() < secs(20), "nothing happens");
        app.update();
        std::thread::sleep(millis(1));
    }
}

fn replaced(times: usize) -> impl Fn(&App) -> bool {
    move |app| app.world().resource::<Replaced>().0 == times
}

fn reload(app: &App, path: &'static str) {
    app.world().resource::<AssetServer>().reload(path);
}

fn log(app: &App, entity: Entity) -> Vec<&'static str> {
    app.world().get::<Log>(entity).expect("a log").0.clone()
}

/// A sequence with memory: a leaf, a wait of 10 s or until `then`, a leaf.
fn file(first: &str, last: &str, wait: &str) -> String {
    format!(
        r#"{{ "title": "singer", "root": "1", "nodes": {{
            "1": {{ "name": "MemSequence", "children": ["2", "3", "4", "5"] }},
            "2": {{ "name": "{first}" }}, "3": {{ "name": "{wait}", "properties": {{ "milliseconds": 10000 }} }},
            "4": {{ "name": "{last}" }}, "5": {{ "name": "Runner" }}
        }} }}"#
    )
}

behavior!(Singer, registry => tree_asset("singer.b3.json", registry()));

#[test]
fn a_tree_is_loaded_from_a_file_and_replaced_when_it_changes() {
    let folder = Folder::new("replaced");
    folder.write("singer.b3.json", &file("Walk", "Walk", "Wait"));
    let mut app = folder.app(TreePlugin::<Singer>::new());
    let ann = app.world_mut().spawn((Mind::<Singer>::new(), Log::default())).id();
    app.update();
    let mind = |app: &App| app.world().get::<Mind<Singer>>(ann).expect("a mind").due();
    if replaced(0)(&app) {
        assert!(!app.world().resource::<TreeAssets>().are_loaded::<Singer>());
        assert_eq!(mind(&app), Wake::Event, "asleep until the file is loaded");
        assert_eq!(log(&app, ann), [""; 0]);
    }
    until(&mut app, replaced(1));
    assert!(app.world().resource::<TreeAssets>().are_loaded::<Singer>());
    update(&mut app, 1);
    assert_eq!(log(&app, ann), ["walk"]);
    assert!(matches!(mind(&app), Wake::At(_)), "the wait sleeps");

    // The wait keeps running. It ends at the same time as before.
    folder.write("singer.b3.json", &file("Walk", "Sing", "Wait"));
    reload(&app, "singer.b3.json");
    until(&mut app, replaced(2));
    update(&mut app, 2);
    assert_eq!(log(&app, ann), ["walk"]);
    update(&mut app, 110);
    assert_eq!(log(&app, ann), ["walk", "sing"]);
    assert_eq!(mind(&app), Wake::Event);

    // An entity that sleeps until an event wakes when its tree is replaced.
    folder.write("singer.b3.json", r#"{ "root": "9", "nodes": { "9": { "name": "Walk" } } }"#);
    reload(&app, "singer.b3.json");
    until(&mut app, replaced(3));
    update(&mut app, 1);
    assert_eq!(log(&app, ann)[..3], ["walk", "sing", "walk"]);
}

#[cfg(feature = "text")]
mod text {
    use super::*;

    #[action]
    fn hum(agent: &mut Agent<'_, '_, Hummer>, tone: &String, times: u8) {
        (0..times).for_each(|_| agent.data.0.push(if tone == "low" { "hum" } else { "whistle" }));
    }

    behavior!(Hummer, registry => {
        let hummers = || {
            let mut registry = registry();
            registry.add::<hum>("hum");
            registry
        };
        tree! {
            for Agent<'_, '_, Self>: mem_sequence {
                tree_asset("hummer.bt", hummers()),
                tree_asset("hummer.bt#alone", hummers()),
            }
        }
    });

    #[test]
    fn a_text_is_an_asset_and_its_errors_have_line_and_column() {
        logs::keep();
        let folder = Folder::new("text");
        folder.write("hummer.bt", "tree both { hmu(\"low\", 2) }\ntree alone { Sing }\n");
        let mut app = folder.app(TreePlugin::<Hummer>::new());
        let ann = app.world_mut().spawn((Mind::<Hummer>::new(), Log::default())).id();
        until(&mut app, |_| !logs::with("hummer.bt: ").is_empty());
        let logged = logs::with("hummer.bt: ").concat();
        assert!(logged.contains("stays as it is: 1:13: unknown node `hmu`; help: did you mean `hum`?"), "{logged}");

        folder.write(
            "hummer.bt",
            "tree both { hum(\"low\", 2) }\ntree alone { mem_sequence { Sing, wait(secs(10)), Walk } }\n",
        );
        reload(&app, "hummer.bt");
        until(&mut app, |app| app.world().resource::<TreeAssets>().are_loaded::<Hummer>());
        update(&mut app, 2);
        assert_eq!(log(&app, ann), ["hum", "hum", "sing"]);

        // The wait goes on, and so it does after a text that is half typed.
        folder.write("hummer.bt", "tree both { hum(\"low\", 2) }\ntree alone { mem_sequence { Sing wait(");
        reload(&app, "hummer.bt");
        until(&mut app, |_| logs::with("hummer.bt#alone: ").concat().contains(": 2:"));
        let before = app.world().resource::<Replaced>().0;
        folder.write(
            "hummer.bt",
            "tree both { run }\ntree alone { mem_sequence { Sing, wait(secs(10)), hum(\"high\", times = 1) } }\n",
        );
        reload(&app, "hummer.bt");
        until(&mut app, replaced(before + 2));
        update(&mut app, 120);
        assert_eq!(log(&app, ann)[2..4], ["sing", "whistle"]);
    }
}

behavior!(Broken, registry => tree_asset("broken.b3.json", registry()));

#[test]
fn errors_are_logged_and_the_tree_stays() {
    logs::keep();
    let folder = Folder::new("broken");
    folder.write("broken.b3.json", &file("Wlak", "Snig", "Wait"));
    let mut app = folder.app(TreePlugin::<Broken>::new());
    let ann = app.world_mut().spawn((Mind::<Broken>::new(), Log::default())).id();
    until(&mut app, |_| !logs::with("broken.b3.json: ").is_empty());
    let logged = logs::with("broken.b3.json: ").concat();
    assert!(logged.contains("unknown node `Wlak`; help: did you mean `Walk`?"), "{logged}");
    assert!(logged.contains("unknown node `Snig`; help: did you mean `Sing`?"), "{logged}");
    assert!(logs::with("broken.b3.json: ").iter().all(|line| line.contains("Broken")), "each line names the behavior");

    folder.write("broken.b3.json", &file("Walk", "Fail", "Wait"));
    reload(&app, "broken.b3.json");
    until(&mut app, replaced(1));
    update(&mut app, 2);
    assert_eq!(log(&app, ann), ["walk"]);

    app.world_mut().resource_mut::<Time<Virtual>>().pause();
    for text in ["{", "[]", r#"{ "root": "1", "nodes": { "1": { "name": "Nothing" } } }"#] {
        folder.write("broken.b3.json", text);
        reload(&app, "broken.b3.json");
        let began = Instant::now();
        while began.elapsed() < millis(300) {
            app.update();
        }
    }
    assert!(replaced(1)(&app));
    assert_eq!(log(&app, ann), ["walk"], "the tree goes on");
    assert_eq!(app.world().get::<Mind<Broken>>(ann).expect("a mind").status(), Some(Status::Running));
}

behavior!(Part, registry => tree! {
    for Agent<'_, '_, Part>: selector {
        sequence { |agent: &Agent<Part>| agent.data.0.len() == 1, tree_asset("parts.b3.json#second", registry()) }
        tree_asset("parts.b3.json#first", registry()),
    }
});

#[test]
fn trees_of_a_project_are_parts_of_a_static_tree() {
    let folder = Folder::new("parts");
    let tree = |id: &str, leaf: &str| {
        format!(
            r#"{{ "id": "{id}", "title": "{id}", "root": "1", "nodes": {{ "1": {{ "id": "1", "name": "{leaf}" }} }} }}"#
        )
    };
    folder
        .write("parts.b3.json", &format!(r#"{{ "trees": [{}, {}] }}"#, tree("first", "Walk"), tree("second", "Fail")));
    let mut app = folder.app(TreePlugin::<Part>::new());
    let ann = app.world_mut().spawn((Mind::<Part>::new(), Log::default())).id();
    until(&mut app, replaced(2));
    update(&mut app, 2);
    // The error of a leaf is passed to the behavior.
    assert_eq!(log(&app, ann)[..3], ["walk", "no voice", "walk"]);
}

#[test]
#[should_panic(expected = "loads a tree from a file, but there are no assets; help: add `DefaultPlugins`")]
fn a_missing_asset_plugin_panics() {
    App::new().add_plugins(TreePlugin::<Singer>::new());
}

behavior!(Lamp, registry => tree_asset("lamp.b3.json", registry()));

#[test]
fn states_of_machines_in_files_are_triggered() {
    #[derive(Resource, Default)]
    struct States(Vec<String>);
    let folder = Folder::new("lamp");
    folder.write(
        "lamp.b3.json",
        r#"{ "root": "m", "nodes": {
            "m": { "name": "machine", "title": "lamp", "children": ["a", "b"] },
            "a": { "name": "state", "properties": { "name": "dark", "transitions": ["success -> bright"] }, "children": ["1"] },
            "b": { "name": "state", "properties": { "name": "bright" }, "children": ["2"] },
            "1": { "name": "Walk" }, "2": { "name": "Runner" }
        } }"#,
    );
    let mut app = folder.app(TreePlugin::<Lamp>::new().trigger_states());
    app.init_resource::<States>().add_observer(|event: On<bt_bevy::StateChanged<Lamp>>, mut states: ResMut<States>| {
        states.0.push(event.state.to_string());
    });
    app.world_mut().spawn((Mind::<Lamp>::new(), Log::default()));
    until(&mut app, replaced(1));
    update(&mut app, 3);
    assert_eq!(app.world().resource::<States>().0, ["dark", "bright"]);
}

behavior!(Watched, registry => tree_asset("watched.b3.json", registry()));

#[cfg(feature = "inspector")]
#[test]
fn the_page_shows_the_tree_that_replaces_another() {
    use crate::inspector::Page;
    let folder = Folder::new("watched");
    folder.write("watched.b3.json", &file("Walk", "Walk", "Wait"));
    let mut app = folder.app(TreePlugin::<Watched>::new());
    app.add_plugins(bt_bevy::TreeInspectorPlugin::at("127.0.0.1:0"));
    app.world_mut().spawn((Mind::<Watched>::new(), Log::default(), Name::new("Ann")));
    until(&mut app, replaced(1));
    app.update();
    let mut page = Page::new(&app);
    page.receives(&mut app, "\"Walk\"");
    page.receives(&mut app, "\"Ann\"");
    page.send("{\"select\":0}");
    page.receives(&mut app, "\"tree\":1");
    folder.write("watched.b3.json", &file("Walk", "Sing", "Wait"));
    reload(&app, "watched.b3.json");
    let received = page.receives(&mut app, "\"tree\":2");
    assert!(received.contains("\"Sing\""), "the agent goes on in the next version of the tree: {received}");
    until(&mut app, replaced(2));
}

#[cfg(feature = "serialize")]
mod saved {
    use bevy_reflect::TypePath;
    use bt_bevy::bt_core::Save;
    use bt_bevy::{SaveBehavior, SaveMinds, SavedMind};

    use super::*;

    #[derive(TypePath)]
    struct Sleeper;
    impl Behavior for Sleeper {
        type Data = &'static mut Log;
        type Params = ();
        fn tree() -> impl TreeOf<Self> {
            Self::saved_tree()
        }
    }
    impl SaveBehavior for Sleeper {
        fn saved_tree() -> impl TreeOf<Self> + Save {
            let mut registry = tree_registry();
            registry.add_leaf("Walk", |agent: &mut Agent<Sleeper>| agent.data.0.push("walk"));
            registry.add_leaf("Sing", |agent: &mut Agent<Sleeper>| agent.data.0.push("sing"));
            tree_asset("singer.b3.json", registry)
        }
    }

    #[test]
    fn a_saved_mind_is_loaded_when_its_file_is() {
        let folder = Folder::new("saved");
        folder.write("singer.b3.json", &file("Walk", "Sing", "Wait"));
        let mut before = folder.app(TreePlugin::<Sleeper>::new().saves());
        let ann = before.world_mut().spawn((Mind::<Sleeper>::new(), Log::default())).id();
        until(&mut before, replaced(1));
        update(&mut before, 50);
        assert_eq!(log(&before, ann), ["walk"]);
        SaveMinds.apply(before.world_mut());
        let save = before.world().get::<SavedMind<Sleeper>>(ann).expect("a saved mind").clone();

        let mut after = folder.app(TreePlugin::<Sleeper>::new().saves());
        let ann = after.world_mut().spawn((save, Log::default())).id();
        after.update();
        until(&mut after, replaced(1));
        update(&mut after, 40);
        assert_eq!(log(&after, ann), [""; 0], "the wait goes on");
        update(&mut after, 70);
        assert_eq!(log(&after, ann), ["sing"]);
    }

    #[test]
    fn a_mind_that_is_saved_before_its_file_is_loaded_starts_from_the_beginning() {
        logs::keep();
        let folder = Folder::new("early");
        folder.write("singer.b3.json", "{");
        let mut before = folder.app(TreePlugin::<Sleeper>::new().saves());
        let ann = before.world_mut().spawn((Mind::<Sleeper>::new(), Log::default())).id();
        before.update();
        SaveMinds.apply(before.world_mut());
        let save = before.world().get::<SavedMind<Sleeper>>(ann).expect("a saved mind").clone();

        folder.write("singer.b3.json", &file("Walk", "Sing", "Wait"));
        let mut after = folder.app(TreePlugin::<Sleeper>::new().saves());
        let ann = after.world_mut().spawn((save, Log::default())).id();
        until(&mut after, replaced(1));
        update(&mut after, 2);
        assert_eq!(log(&after, ann), ["walk"]);
        assert!(logs::with("Sleeper is not loaded").is_empty());
    }
}
