//! Trees in real files, which are edited as editors do.

use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use bt_core::__private::{Context, IntoNode};
use bt_core::BoxNode;
use bt_core::prelude::*;
use bt_dynamic::compiled::{
    Both, Capable, Incapable as _, LeafNode, Making, NoMaker, Pair, Part, PartKind, Site, Store, Written,
};
use bt_syntax::live::find;

use crate::events::Events;
use crate::message::Message;
use crate::report::{Report, ReportKind};
use crate::watcher::start;

mod applied;
mod errors;
mod identity;
mod writes;

/// No test waits that long, unless it fails.
const LONG: Duration = Duration::from_secs(60);

/// A folder that is deleted at the end.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let name = format!("bt-live-{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        let folder = std::env::temp_dir().join(name);
        fs::create_dir_all(&folder).expect("it can be created");
        Self(folder)
    }

    /// Writes a file.
    fn file(&self, name: &str, text: &str) -> PathBuf {
        let file = self.0.join(name);
        fs::write(&file, text).expect("it can be written");
        file
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        drop(fs::remove_dir_all(&self.0));
    }
}

/// A program whose files are watched.
struct Program {
    folder: Folder,
    thread: Sender<Message>,
    reports: Receiver<String>,
}

impl Program {
    fn new() -> Self {
        Self::with(Events::new)
    }

    /// Without reports of the system.
    fn polled() -> Self {
        Self::with(|_| Events::none())
    }

    fn with(events: impl FnOnce(Sender<Message>) -> Events + Send + 'static) -> Self {
        let (folder, (sender, reports)) = (Folder::new(), channel());
        let root = format!("{}/", folder.0.display());
        let announce = move |report: &Report| {
            let mut report = report.clone();
            if let ReportKind::Followed { took, .. } = &mut report.kind {
                *took = Duration::ZERO;
            }
            drop(sender.send(report.to_string().replace(&root, "").replace(" in 0 ms", "")));
        };
        let thread = start(events, announce).expect("there are threads");
        Self { folder, thread, reports }
    }

    /// Compiles a file, and returns the macros in it.
    fn compile(&self, name: &str, text: &str) -> Vec<&'static Site> {
        let file = self.folder.file(name, text).display().to_string().leak();
        let found = find(text).expect("it is complete");
        let site = |found: bt_syntax::live::Found| {
            &*Box::leak(Box::new(Site::new(
                file,
                found.place.line,
                None,
                found.flat.leak(),
                (found.root.line, found.root.column),
            )))
        };
        found.into_iter().map(site).collect()
    }

    /// Evaluates a macro.
    fn run(&self, site: &'static Site) -> Agent {
        self.thread.send(Message::Site(site, PathBuf::from(site.file))).expect("the thread lives");
        agent(site)
    }

    /// Compiles a file with one tree and runs it.
    fn start(&self, name: &str, text: &str) -> Agent {
        let agent = self.run(self.compile(name, text)[0]);
        assert!(self.report().starts_with(&format!("edit {name}:")));
        agent
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.0.join(name)
    }

    /// Writes a file in place.
    fn edit(&self, name: &str, text: &str) {
        self.folder.file(name, text);
    }

    /// Checks a text in place of a file; if `applies`, trees follow it. Returns the warnings or the errors.
    fn text(&self, name: &str, text: &str, applies: bool) -> Result<Vec<String>, Vec<String>> {
        let (reply, answer) = channel();
        let (path, text) = (self.path(name), text.to_owned());
        self.thread.send(Message::Text { path, text, applies, reply }).expect("the thread lives");
        let lines = |found: Vec<bt_behavior3::Diagnostic>| found.iter().map(ToString::to_string).collect();
        answer.recv_timeout(LONG).expect("an answer").map(lines).map_err(lines)
    }

    /// Waits for the next report.
    fn report(&self) -> String {
        self.reports.recv_timeout(LONG).expect("a report")
    }

    /// Waits for the next report, while an agent ticks.
    fn report_of(&self, agent: &mut Agent) -> String {
        let end = Instant::now() + LONG;
        loop {
            agent.tick();
            match self.reports.recv_timeout(Duration::from_millis(2)) {
                Ok(report) => return report,
                Err(RecvTimeoutError::Timeout) if Instant::now() < end => {}
                Err(error) => panic!("no report: {error}"),
            }
        }
    }
}

/// What the leaves of an agent say.
type Said = Vec<&'static str>;

/// An agent with a tree of a macro.
struct Agent {
    tick: Box<dyn FnMut() -> String>,
    /// Returns the warnings of the nodes of its tree.
    warnings: Box<dyn Fn() -> Vec<String>>,
}

impl Agent {
    fn tick(&mut self) -> String {
        (self.tick)()
    }

    /// Ticks until the leaves say this.
    fn says(&mut self, expected: &str) {
        let end = Instant::now() + LONG;
        loop {
            let said = self.tick();
            if said == expected {
                return;
            }
            assert!(Instant::now() < end, "it says `{said}`, not `{expected}`");
            thread::sleep(Duration::from_millis(2));
        }
    }
}

fn say(word: &'static str) -> impl Fn(&mut Said) {
    move |said| said.push(word)
}

fn hop(said: &mut Said) {
    said.push("hop");
}

/// What the compiler makes of a macro with the leaves `say("a")` and `hop`.
fn agent(site: &'static Site) -> Agent {
    static SAY: Written =
        Written { kind: PartKind::Leaf, is_island: false, key: "say(_)", literals: &["\"a\""], in_closure: &[false] };
    static HOP: Written =
        Written { kind: PartKind::Leaf, is_island: false, key: "hop", literals: &[], in_closure: &[] };
    let cx = Context::<Said>::new();
    let make_say = move || IntoNode::<Said, _>::into_node(say(site.literal(0, 0, "a")));
    let hop = IntoNode::<Said, _>::into_node(hop);
    let say = Part {
        written: &SAY,
        piece: LeafNode(make_say()).piece(),
        maker: Making(move || LeafNode(make_say()).piece()),
    };
    let hop = Part { written: &HOP, piece: LeafNode(hop).piece(), maker: NoMaker };
    let (clock, random) = (Capable(cx).clock(), Capable(cx).random());
    let both = Both::<_, BoxNode<Said>, _, _>::Live(cx, site, Store { parts: Pair(say, hop), clock, random }, ());
    let tree = both.or_broken();
    let (shown, mut memory) = (tree.clone(), tree.memory());
    let tick = Box::new(move || {
        let mut said = Said::new();
        _ = tree.tick(&mut said, &mut memory);
        said.join(" ")
    });
    let warnings =
        Box::new(move || shown.description().nodes().iter().flat_map(|node| node.warnings.clone()).collect());
    Agent { tick, warnings }
}
