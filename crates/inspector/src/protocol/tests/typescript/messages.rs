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
use crate::state::{Breakpoint, Held, Trigger, Walk, Watch};
use crate::values::Step;

const HEAD: &str = "\
// The messages between a program and the page. Generated from the types in Rust; do not edit it, but run
// `TYPESCRIPT=overwrite cargo test -p bt-inspector --features edit --lib typescript`.
// Of requests, there are all fields that the page sends; programs do without some of them. Integers beyond 2^53 arrive as `BigInt`: see `read`.
";

/// Adds the declaration of a type.
fn declare<T: TS>(config: &Config, text: &mut String) {
    // The paragraphs after the first one are for those who read the documentation of the package.
    let docs = T::docs().unwrap_or_default();
    let docs = docs.split_once("\n *\n").map_or(docs.clone(), |(first, _)| format!("{first}\n */\n"));
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
        Held,
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
    // The archive of the package has only the built page.
    if !path.parent().is_some_and(Path::is_dir) {
        return;
    }
    let types = types();
    assert_eq!(undeclared(&types), [""; 0], "add the types to `declare!`");
    if std::env::var_os("TYPESCRIPT").is_some_and(|how| how == "overwrite") {
        std::fs::write(&path, types).expect("it can be written");
        return;
    }
    let found = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(found == types, "{} differs; help: run the command in these lines:\n{HEAD}", path.display());
}

/// The names of types that are used but not declared.
fn undeclared(types: &str) -> Vec<&str> {
    let code = types.lines().filter(|line| ![" *", "/*", "//"].iter().any(|comment| line.starts_with(comment)));
    // What is in quotes are values.
    let words = code
        .flat_map(|line| line.split('"').step_by(2))
        .flat_map(|part| part.split(|sign: char| !sign.is_alphanumeric()));
    let names = words.filter(|word| word.starts_with(|sign: char| sign.is_ascii_uppercase()));
    let is_known = |name: &str| ["Array", "Record"].contains(&name) || types.contains(&format!("export type {name} ="));
    names.filter(|name| !is_known(name)).collect()
}

/// Of a field that is only written, ts-rs does not know that it may be missing.
#[test]
fn fields_that_may_be_missing_are_optional() {
    for source in [include_str!("../../message.rs"), include_str!("../../../editing/info.rs")] {
        let lines: Vec<_> = source.lines().collect();
        for pair in lines.windows(2).filter(|pair| pair[0].contains("skip_serializing_if")) {
            assert!(
                pair[1].contains("ts(optional"),
                "write `#[cfg_attr(test, ts(optional))]` after `{}`",
                pair[0].trim()
            );
        }
    }
}
