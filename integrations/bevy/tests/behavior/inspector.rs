use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::sync::Arc;
use std::time::{Duration, Instant};

use bevy_app::prelude::*;
use bevy_ecs::prelude::*;
use bevy_reflect::Reflect;
use bt_bevy::prelude::*;
use bt_bevy::{TreeInspector, TreeInspectorPlugin};

#[derive(Component, Reflect)]
#[reflect(Component)]
struct Health(u32);

struct Guard;
impl Behavior for Guard {
    type Data = &'static mut Health;
    type Params = ();
    fn tree() -> impl TreeOf<Self> {
        tree! { for Agent<'_, '_, Guard>: heal }
    }
}
fn heal(guard: &mut Agent<Guard>) -> Status {
    guard.data.0 += 1;
    Status::Running
}

#[derive(Component, Reflect)]
#[reflect(Component)]
struct Pack {
    weight: f32,
    items: Vec<Item>,
    mood: Mood,
    #[reflect(ignore)]
    secret: u32,
}

#[derive(Reflect, Debug, PartialEq)]
struct Item(u8, String);

#[derive(Reflect, Debug, PartialEq)]
enum Mood {
    Calm,
    Angry { marks: Vec<u8> },
}

/// The components of this type never change.
#[derive(Component, Reflect)]
#[component(immutable)]
#[reflect(Component)]
struct Team(u8);

/// A page that has sent messages.
pub(crate) struct Page(TcpStream);

impl Page {
    pub(crate) fn new(app: &App) -> Self {
        let url = app.world().resource::<TreeInspector>().url();
        let address = url.trim_start_matches("http://").trim_end_matches('/');
        let mut stream = TcpStream::connect(address).expect("the inspector accepts connections");
        let request = format!(
            "GET /live HTTP/1.1\r\nHost: {address}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
             Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
        );
        stream.write_all(request.as_bytes()).expect("the connection is open");
        stream.set_read_timeout(Some(Duration::from_millis(20))).expect("a valid time");
        Self(stream)
    }

    pub(crate) fn send(&mut self, message: &str) {
        let length = u8::try_from(message.len()).expect("a short message");
        let frame = [&[0x81, 0x80 | length, 0, 0, 0, 0], message.as_bytes()].concat();
        self.0.write_all(&frame).expect("the connection is open");
    }

    /// Edits a value of the first agent, and waits for the answer.
    fn edits(&mut self, app: &mut App, path: &str, value: &str, answer: &str) {
        self.send(&format!("{{\"edit\":{{\"agent\":0,\"path\":{path},\"value\":{value}}}}}"));
        self.receives(app, answer);
    }

    /// Updates the app until the page has received a text. Returns what it has received.
    pub(crate) fn receives(&mut self, app: &mut App, text: &str) -> String {
        let (began, mut received, mut part) = (Instant::now(), String::new(), vec![0; 1 << 16]);
        while !received.contains(text) {
            assert!(began.elapsed() < Duration::from_secs(10), "`{text}` is missing in {received}");
            app.update();
            if let Ok(count) = self.0.read(&mut part) {
                received += &String::from_utf8_lossy(&part[..count]);
            }
        }
        received
    }
}

#[test]
fn entities_are_in_the_page_with_their_names_and_components() {
    let mut app = App::new();
    app.add_plugins((bevy_time::TimePlugin, TreePlugin::<Guard>::new(), TreeInspectorPlugin::at("127.0.0.1:0")));
    app.register_type::<Health>();
    let ann = app.world_mut().spawn((Mind::<Guard>::new(), Health(7000), Name::new("Ann"))).id();
    app.update();
    let mut page = Page::new(&app);
    page.receives(&mut app, "\"Ann\"");
    page.send("{\"select\":0}");
    page.receives(&mut app, "\"Health\":70");

    page.send("{\"pause\":0}");
    page.receives(&mut app, "\"skipped\"");
    let health = app.world().get::<Health>(ann).expect("health").0;
    app.update();
    assert_eq!(app.world().get::<Health>(ann).expect("health").0, health, "a held entity is not ticked");
    page.send("{\"resume\":0}");
    let began = Instant::now();
    while app.world().get::<Health>(ann).expect("health").0 == health {
        assert!(began.elapsed() < Duration::from_secs(10));
        app.update();
    }
    app.world_mut().entity_mut(ann).remove::<Mind<Guard>>();
    page.receives(&mut app, "\"removed\":true");
}

#[test]
fn components_are_edited() {
    let mut app = App::new();
    app.add_plugins((bevy_time::TimePlugin, TreePlugin::<Guard>::new(), TreeInspectorPlugin::at("127.0.0.1:0")));
    app.register_type::<Health>().register_type::<Pack>().register_type::<Team>();
    let items = || vec![Item(1, "rope".to_owned()), Item(2, "lamp".to_owned())];
    let pack = Pack { weight: f32::NAN, items: items(), mood: Mood::Calm, secret: 7 };
    let ann = app.world_mut().spawn((Mind::<Guard>::new(), Health(0), pack, Team(3))).id();
    app.update();
    let mut page = Page::new(&app);
    page.send("{\"select\":0}");
    page.receives(&mut app, "\"weight\":\"NaN\"");
    page.receives(&mut app, "\"Team\":3");

    page.edits(&mut app, r#"["Health"]"#, "1000", r#""path":["Health"]"#);
    page.edits(&mut app, r#"["Pack","mood"]"#, r#"{"Angry":{"marks":[1,2]}}"#, r#""path":["Pack","mood"]"#);
    page.edits(&mut app, r#"["Pack","items",1,0]"#, "9", r#""path":["Pack","items",1,0]"#);
    page.edits(&mut app, r#"["Pack","mood"]"#, r#"{"Angry":{"marks":[]}}"#, r#""path":["Pack","mood"]"#);
    page.edits(&mut app, r#"["Pack","weight"]"#, r#""heavy""#, "expected a number, found `heavy`");
    page.edits(&mut app, r#"["Pack","items",0]"#, "[1]", "error");
    page.edits(&mut app, r#"["Team"]"#, "4", "does not let pages edit");
    assert!(app.world().get::<Health>(ann).expect("health").0 >= 1000);
    let pack = app.world().get::<Pack>(ann).expect("a pack");
    assert_eq!(pack.items, [Item(1, "rope".to_owned()), Item(9, "lamp".to_owned())]);
    assert_eq!((&pack.mood, pack.secret), (&Mood::Angry { marks: vec![] }, 7));
    assert!(pack.weight.is_nan());

    page.edits(&mut app, r#"["Pack","items"]"#, r#"[[5,"map"]]"#, r#""path":["Pack","items"]"#);
    assert_eq!(app.world().get::<Pack>(ann).expect("a pack").items, [Item(5, "map".to_owned())]);
    assert_eq!(app.world().get::<Team>(ann).expect("a team").0, 3);
}

#[test]
fn an_inspector_of_the_app_shows_entities_without_a_server() {
    let inspector = Arc::new(bt_bevy::bt_inspector::Inspector::without_server());
    let mut app = App::new();
    app.add_plugins((bevy_time::TimePlugin, TreePlugin::<Guard>::new()));
    app.add_plugins(TreeInspectorPlugin::with(Arc::clone(&inspector)));
    app.world_mut().spawn((Mind::<Guard>::new(), Health(0), Name::new("Ann")));
    app.update();
    let mut page = inspector.connect();
    assert!(page.updates(Duration::ZERO).concat().contains("\"Ann\""));
    page.receive("{\"select\":0}");
    app.update();
    assert!(page.updates(Duration::from_secs(1)).concat().contains("\"tick\""), "its ticks arrive");
}

#[test]
fn without_the_plugin_nothing_is_watched() {
    let mut app = App::new();
    app.add_plugins((bevy_time::TimePlugin, TreePlugin::<Guard>::new()));
    let ann = app.world_mut().spawn((Mind::<Guard>::new(), Health(0))).id();
    app.update();
    assert_eq!(app.world().get::<Health>(ann).expect("health").0, 1);
    assert!(!app.world().contains_resource::<TreeInspector>());
}

#[test]
#[should_panic(expected = "`here` is not an address")]
fn an_invalid_address_panics() {
    let _ = TreeInspectorPlugin::at("here");
}
