//! The command `bt edit`.

use std::io::Write as _;
use std::net::Ipv4Addr;
use std::path::Path;

use bt_behavior3::palette::{Entry, Kind, Param, Type};
use bt_behavior3::{Arity, NodeNames};
use bt_btcpp::XmlNodes;
use bt_inspector::Inspector;
use bt_syntax::edit::{Notation, Numbers, list};

use crate::apply::apply;
use crate::browser::browse;
use crate::command::{Declared, EditArguments, Names};
use crate::input::{name, text};
use crate::opened::{Opened, known_names, open, width};
use crate::output::Output;

/// The group of the nodes that options declare.
const DECLARED: &str = "declared";

pub(crate) fn run(arguments: &EditArguments) -> Result<Output, String> {
    if arguments.list {
        return arguments
            .files
            .iter()
            .map(|file| listed(file, arguments.files.len() > 1))
            .collect::<Result<_, _>>()
            .map(Output::text);
    }
    match arguments.files.as_slice() {
        _ if arguments.apply.is_empty() => serve(arguments),
        [file] => apply(file, arguments),
        files => Err(format!("expected one file with `--apply`, found {}", files.len())),
    }
}

/// Lists the nodes of a file.
fn listed(file: &Path, is_one_of_several: bool) -> Result<String, String> {
    let Opened { document, is_new, .. } = open(file)?;
    if is_new {
        return Err(format!("{}: no such file", name(file)));
    }
    let list = list(&document, &Numbers::of(&document));
    Ok(if is_one_of_several { format!("{}:\n{list}", name(file)) } else { list })
}

/// Serves a page that edits the files.
fn serve(arguments: &EditArguments) -> Result<Output, String> {
    let inspector = Inspector::serve_with_token((Ipv4Addr::LOCALHOST, arguments.port))
        .map_err(|error| format!("port {}: {error}", arguments.port))?;
    inspector.allow_edit();
    for file in &arguments.files {
        let of_file = |error: std::io::Error| format!("{}: {error}", name(file));
        let mut source = bt_inspector::Document::file(file).width(width(file)).xml(XmlNodes::of(file));
        if !arguments.names.is_empty() {
            let text = if file.exists() { text(file)? } else { String::new() };
            let names = known_names(Notation::of(file).project(&text, &|_| None).as_ref(), &arguments.names);
            let entries = declared(&arguments.names, &names);
            source = source.nodes(names, entries);
        }
        let document = inspector.edit(source).map_err(of_file)?;
        if let Some(folder) = document.path().and_then(Path::parent) {
            inspector.allow_write(folder).map_err(of_file)?;
        }
    }
    let url = inspector.url();
    let mut out = std::io::stdout();
    // Whoever reads it may have gone; the page is served all the same.
    let _ = writeln!(out, "{url}").and_then(|()| out.flush());
    if !arguments.no_open
        && let Err(error) = browse(&url, || inspector.pages() > 0)
    {
        eprintln!("cannot open the browser: {error}; help: open the address above");
    }
    loop {
        std::thread::park();
    }
}

/// Returns what the page offers of the nodes that options declare.
fn declared(names: &Names, known: &NodeNames) -> Vec<Entry> {
    let entry = |Declared { name, parameters }: &Declared| {
        let kind = match known.arity(name) {
            Some(Arity::One) => Kind::Decorator,
            Some(Arity::Zero) | None => Kind::Leaf,
            Some(_) => Kind::Composite,
        };
        let parameters = parameters.iter().flatten();
        Entry::new(name, kind, DECLARED, "", parameters.map(|name| Param::new(name, Type::Expression)).collect())
    };
    names.all().map(entry).collect()
}
