//! Folders and files depend downwards only: ARCHITECTURE.md lists those of eleven packages in order, and no package has a circle.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// The modules that each module of a package uses, both at the top level.
type Uses = BTreeMap<String, BTreeSet<String>>;

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The folder of the sources of a package.
fn source(package: &str) -> PathBuf {
    let name = package.trim_start_matches("bt-");
    let folders = [package.to_owned(), format!("crates/{name}"), format!("integrations/{name}")];
    let source = folders.iter().map(|folder| repository().join(folder).join("src")).find(|source| source.is_dir());
    source.unwrap_or_else(|| panic!("no folder of {package} was found"))
}

#[test]
fn each_room_depends_only_on_those_before_it() {
    let page = fs::read_to_string(repository().join("ARCHITECTURE.md")).expect("it can be read");
    for package in [
        "bt-behavior3",
        "bt-btcpp",
        "bt-core",
        "bt-dynamic",
        "bt-explore",
        "bt-files",
        "bt-fleet",
        "bt-groot2",
        "bt-live",
        "bt-ros2",
        "bt-syntax",
    ] {
        let heading = format!("## In {package}\n");
        let section = page.split(&heading).nth(1).and_then(|rest| rest.split("\n## ").next()).expect("a section");
        let rows = section.lines().filter_map(|line| line.strip_prefix("| `")).filter_map(|row| row.split(" |").next());
        // The names in the first column; those of one row may not use each other either, except from left to right.
        let order: Vec<_> =
            rows.flat_map(|row| row.split(['`', ',', ' ', '/'])).filter(|name| !name.is_empty()).collect();
        let uses = uses(&source(package));
        let (listed, there) = (order.iter().copied().collect(), uses.keys().map(String::as_str).collect());
        let differences: Vec<_> = BTreeSet::symmetric_difference(&listed, &there).collect();
        assert!(differences.is_empty(), "either in ARCHITECTURE.md or in {package}: {differences:?}");
        let place = |module: &str| order.iter().position(|name| *name == module);
        let mut wrong = Vec::new();
        for (module, used) in &uses {
            wrong.extend(
                used.iter().filter(|used| place(used) > place(module)).map(|used| format!("{module} -> {used}")),
            );
        }
        assert!(wrong.is_empty(), "used in {package} before they are listed: {wrong:#?}");
    }
}

#[test]
fn uses_of_a_room_are_found() {
    let uses = uses(&source("bt-core"));
    assert!(uses["tree"].contains("describe") && uses["forward"].contains("node"), "{uses:#?}");
}

#[test]
fn no_package_has_a_circle_of_rooms() {
    for package in [
        "bt-behavior3",
        "bt-bevy",
        "bt-btcpp",
        "bt-core",
        "bt-dynamic",
        "bt-explore",
        "bt-files",
        "bt-fleet",
        "bt-groot2",
        "bt-inspector",
        "bt-live",
        "bt-macros",
        "bt-ros2",
        "bt-syntax",
        "bt-words",
    ] {
        let mut uses = uses(&source(package));
        assert!(uses.len() > 3, "no modules of {package} were found");
        // Takes away what uses nothing that is left, until nothing is.
        while let Some(lowest) = uses.iter().find(|(_, used)| used.iter().all(|used| !uses.contains_key(used))) {
            let lowest = lowest.0.clone();
            uses.remove(&lowest);
        }
        assert!(uses.is_empty(), "a circle in {package}: {uses:#?}");
    }
}

#[test]
fn uses_are_found_in_code_and_not_in_tests() {
    let found = |code: &str| paths(code.parse().expect("it is Rust")).into_iter().collect::<Vec<_>>();
    assert_eq!(found("use crate::a::B; fn f() { crate::c::d() }"), ["a", "c"]);
    assert_eq!(found("use crate::{A, b::{C, D}};"), ["A", "b"]);
    assert_eq!(found("#[cfg(test)] mod tests { use crate::a::B; } use crate::c;"), ["c"]);
    assert_eq!(found("#[cfg(test)] use crate::a; // crate::b"), Vec::<&str>::new());
    assert_eq!(found("macro_rules! m { () => { $crate::a::B; $crate::__private::C } }"), ["a"]);
}

/// The modules that each module of a package uses. What the root exports is looked up where it comes from.
fn uses(source: &Path) -> Uses {
    let mut files = Vec::new();
    collect(source, &mut files);
    let root: TokenStream = code(&source.join("lib.rs"));
    let exports = exports(root);
    let mut uses = Uses::new();
    for file in files.iter().filter(|file| !file.ends_with("src/lib.rs") && !file.ends_with("src/main.rs")) {
        let inside = file.strip_prefix(source).expect("it is inside").with_extension("");
        let module = inside.iter().next().expect("a name").to_string_lossy().into_owned();
        // A module is not what the root exports by the same name, such as an attribute.
        let is_module = |name: &str| source.join(name).is_dir() || source.join(name).with_extension("rs").is_file();
        let used = paths(code(file)).into_iter().map(|name| match exports.get(&name) {
            Some(module) if !is_module(&name) => module.clone(),
            _ => name,
        });
        uses.entry(module.clone()).or_default().extend(used.filter(|used| *used != module));
    }
    let modules: BTreeSet<_> = uses.keys().cloned().collect();
    for used in uses.values_mut() {
        used.retain(|used| modules.contains(used));
    }
    uses
}

fn code(file: &Path) -> TokenStream {
    fs::read_to_string(file).expect("the file can be read").parse().expect("it is Rust")
}

/// The names after `crate::`, outside of tests. What an exported macro calls in a crate of the user is not a use.
fn paths(code: TokenStream) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut tokens = code.into_iter().peekable();
    let mut skips = false;
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Group(group)
                if group.delimiter() == Delimiter::Bracket && group.to_string().contains("cfg (test)") =>
            {
                skips = true;
            }
            TokenTree::Group(group) => {
                if !std::mem::take(&mut skips) || group.delimiter() != Delimiter::Brace {
                    found.extend(paths(group.stream()));
                }
            }
            TokenTree::Punct(sign) if sign.as_char() == ';' => skips = false,
            TokenTree::Ident(word) if word == "crate" && !skips => {
                let colons = (0..2).all(|_| tokens.next_if(|token| token.to_string() == ":").is_some());
                match tokens.peek() {
                    Some(TokenTree::Ident(name)) if colons && name != "__private" => {
                        found.insert(name.to_string());
                    }
                    Some(TokenTree::Group(group)) if colons => found.extend(firsts(group.stream())),
                    _ => {}
                }
            }
            TokenTree::Ident(_) | TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
    found
}

/// The first names of the paths in braces.
fn firsts(list: TokenStream) -> BTreeSet<String> {
    let mut is_first = true;
    let mut found = BTreeSet::new();
    for token in list {
        match token {
            TokenTree::Ident(name) if is_first => {
                found.insert(name.to_string());
                is_first = false;
            }
            TokenTree::Punct(sign) => is_first = sign.as_char() == ',',
            TokenTree::Ident(_) | TokenTree::Group(_) | TokenTree::Literal(_) => {}
        }
    }
    found
}

/// What the root of a package exports, and the modules where it comes from.
fn exports(root: TokenStream) -> BTreeMap<String, String> {
    let text = root.to_string();
    let mut exports = BTreeMap::new();
    for item in text.split("pub use ").skip(1) {
        // A module of the root, such as `prelude`, exports what the root names already.
        if item.trim_start().starts_with("crate") {
            continue;
        }
        let Some((module, names)) = item.split(';').next().and_then(|item| item.split_once("::")) else { continue };
        for name in names.split(|sign: char| !(sign.is_alphanumeric() || sign == '_')).filter(|name| !name.is_empty()) {
            exports.insert(name.to_owned(), module.trim().to_owned());
        }
    }
    exports
}

/// The files of Rust in a folder, except those of tests.
fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("the folder can be read").map(|entry| entry.expect("an entry")) {
        let path = entry.path();
        let is_test = path.file_stem().is_some_and(|name| name == "tests");
        if path.is_dir() && !is_test {
            collect(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") && !is_test {
            files.push(path);
        }
    }
}
