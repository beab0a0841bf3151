//! Folders and files depend downwards only: ARCHITECTURE.md lists those of eleven packages in order, and no package has a circle.

mod file;
mod package;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use file::Names;
use package::Package;

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
        let uses = Package::read(&source(package)).rooms();
        let (listed, there) = (order.iter().copied().collect(), uses.keys().map(|room| &*room[0]).collect());
        let differences: Vec<_> = BTreeSet::symmetric_difference(&listed, &there).collect();
        assert!(differences.is_empty(), "either in ARCHITECTURE.md or in {package}: {differences:?}");
        let place = |room: &Names| order.iter().position(|name| *name == room[0]);
        let wrong = uses.iter().flat_map(|(room, used)| used.iter().map(move |used| (room, used)));
        let wrong: Vec<_> = wrong.filter(|(room, used)| place(used) > place(room)).collect();
        assert!(wrong.is_empty(), "used in {package} before they are listed: {wrong:#?}");
    }
}

#[test]
fn no_package_has_a_circle() {
    let folders = ["crates", "integrations"].map(|folder| fs::read_dir(repository().join(folder)).expect("a folder"));
    let folders = folders.into_iter().flatten().map(|entry| entry.expect("an entry").path());
    let packages = ["bt-core", "bt-macros"].map(|name| repository().join(name)).into_iter().chain(folders);
    let (mut count, mut found) = (0, Vec::new());
    for folder in packages.filter(|folder| folder.join("src").is_dir()) {
        let (package, name) =
            (Package::read(&folder.join("src")), folder.file_name().expect("a name").to_string_lossy());
        let files = package.files();
        assert!(files.values().any(|used| !used.is_empty()), "no uses in {name} were found");
        found.extend(
            circles(&files)
                .into_iter()
                .chain(circles(&package.rooms()))
                .map(|circle| format!("{name}: {}", shown(&circle))),
        );
        count += 1;
    }
    assert!(count > 14 && found.is_empty(), "circles in {count} packages: {found:#?}");
}

#[test]
fn circles_are_found_with_their_files() {
    let uses = ["a b", "b c", "c b", "d e a", "e f", "f d", "g"].map(|line| {
        let mut names = line.split(' ').map(|name| vec![name.to_owned()]);
        (names.next().expect("a name"), names.collect())
    });
    let found: Vec<_> = circles(&uses.into_iter().collect()).iter().map(shown).collect();
    assert_eq!(found, ["b, c", "d, e, f"]);
}

fn shown(circle: &BTreeSet<Names>) -> String {
    let name = |names: &Names| if names.is_empty() { "the root".to_owned() } else { names.join("/") };
    circle.iter().map(name).collect::<Vec<_>>().join(", ")
}

/// The sets of files of which each uses all others, directly or not.
fn circles(uses: &BTreeMap<Names, BTreeSet<Names>>) -> BTreeSet<BTreeSet<Names>> {
    let below: BTreeMap<_, _> = uses.keys().map(|file| (file, below(file, uses))).collect();
    let is_in = |file: &Names, other: &Names| below.get(other).is_some_and(|below| below.contains(file));
    let circle = |(file, below): (&&Names, &BTreeSet<&Names>)| {
        below.iter().filter(|other| is_in(file, other)).map(|other| (*other).clone()).collect()
    };
    below.iter().map(circle).filter(|circle: &BTreeSet<_>| !circle.is_empty()).collect()
}

/// The files that a file uses, directly or not.
fn below<'u>(file: &'u Names, uses: &'u BTreeMap<Names, BTreeSet<Names>>) -> BTreeSet<&'u Names> {
    let (mut below, mut next) = (BTreeSet::new(), vec![file]);
    while let Some(file) = next.pop() {
        next.extend(uses.get(file).into_iter().flatten().filter(|used| below.insert(*used)));
    }
    below
}
