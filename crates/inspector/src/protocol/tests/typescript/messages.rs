//! The generated file of the page: `page/src/model/messages.ts`.

use std::fmt::Write as _;
use std::path::Path;

use bt_behavior3::palette::{Entry, Kind as EntryKind, Param, Type};
use bt_syntax::edit::{ArgumentView, At, ListView, NodeKind, NodeView, Notation, Operation, Problem, TreeView};
use ts_rs::{Config, TS};

use super::{Described, FileNode, Parameter, Status, TickRecord, Transition};
use crate::editing::{self, DocumentKey, Keep, Language};
use crate::expression::Expression;
use crate::protocol::editing as edit;
use crate::protocol::listing::{Column, Listing, Sort, State};
use crate::protocol::message::{
    AgentInfo, Asleep, BreakpointInfo, NodeOverview, PastInfo, Request, StopInfo, TickInfo, TreeInfo, Update, WatchInfo,
};
use crate::state::{Breakpoint, Trigger, Walk, Watch};
use crate::values::Step;

const HEAD: &str = "// The messages between a program and the page. Generated from the types in Rust: `TYPESCRIPT=overwrite cargo test -p bt-inspector typescript`.\n";

/// Adds the declaration of a type.
fn declare<T: TS>(config: &Config, text: &mut String) {
    let docs = T::docs().unwrap_or_default();
    let _ = write!(text, "\n{docs}export {}\n", T::decl(config));
}

fn types() -> String {
    let config = Config::new().with_large_int("number");
    let mut text = HEAD.to_owned();
    macro_rules! declare {
        ($($one:ty),* $(,)?) => { $(declare::<$one>(&config, &mut text);)* };
    }
    declare!(
        Status,
        Trigger,
        Walk,
        Step,
        Expression,
        Described,
        Parameter,
        Transition,
        FileNode,
        TreeInfo<'_>,
        AgentInfo<'_>,
        PastInfo,
        Asleep,
        TickRecord,
        TickInfo<'_>,
        StopInfo,
        Breakpoint,
        BreakpointInfo<'_>,
        Watch,
        WatchInfo<'_>,
        NodeOverview,
        State,
        Sort,
        Column,
        Listing,
        Request,
        Update<'_>,
        DocumentKey,
        editing::DocumentInfo,
        Entry,
        EntryKind,
        Param,
        Type,
        NodeKind,
        ArgumentView,
        ListView,
        NodeView,
        TreeView,
        Problem,
        editing::Conflict<'_>,
        editing::DocumentState<'_>,
        editing::Update<'_>,
        At,
        Operation,
        Language,
        Keep,
        edit::Request,
        edit::Answer,
    );
    let notations = Notation::ALL.map(|notation| format!("{:?}", notation.name())).join(" | ");
    let _ = writeln!(text, "\n/** How a document is written. */\nexport type Notation = {notations};");
    text
}

#[test]
fn the_page_has_the_types_of_messages() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("page/src/model/messages.ts");
    let types = types();
    if std::env::var_os("TYPESCRIPT").is_some_and(|how| how == "overwrite") {
        std::fs::write(&path, types).expect("it can be written");
        return;
    }
    let found = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        found == types,
        "help: `TYPESCRIPT=overwrite cargo test -p bt-inspector typescript` writes {}",
        path.display()
    );
}
