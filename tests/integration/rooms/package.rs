//! Which files of a package use each other: the paths in their code, followed to the files that define what they name.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use super::file::{File, Names, rooted};

/// The files of a package by their modules, without tests.
#[derive(Default)]
pub(super) struct Package(BTreeMap<Names, File>);

impl Package {
    /// Reads the folder with the sources of a package.
    pub(super) fn read(source: &Path) -> Self {
        let mut package = Self::default();
        package.read_folder(source, &Names::new());
        package
    }

    fn read_folder(&mut self, folder: &Path, module: &Names) {
        for entry in fs::read_dir(folder).expect("the folder can be read") {
            let path = entry.expect("an entry").path();
            let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
            // A program beside a library is a package of its own.
            if name == "tests" || name == "main" && folder.join("lib.rs").exists() {
                continue;
            }
            let mut inside = module.clone();
            inside.extend((!["lib", "main", "mod"].contains(&&*name)).then_some(name));
            if path.is_dir() {
                self.read_folder(&path, &inside);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                self.add(inside, &fs::read_to_string(&path).expect("the file can be read"));
            }
        }
    }

    fn add(&mut self, module: Names, code: &str) {
        let file = File::read(code, &module);
        self.0.insert(module, file);
    }

    /// For each file, the others that it uses.
    pub(super) fn files(&self) -> BTreeMap<Names, BTreeSet<Names>> {
        let used = |(module, file): (&Names, &File)| {
            let paths = self.used(module, file).into_iter().map(|path| self.definer(&path, 0));
            (module.clone(), paths.filter(|used| used != module).collect())
        };
        self.0.iter().map(used).collect()
    }

    /// For each file and each folder at the top level, the others that it uses, also those that only export what it names.
    pub(super) fn rooms(&self) -> BTreeMap<Names, BTreeSet<Names>> {
        let mut rooms = BTreeMap::<Names, BTreeSet<Names>>::new();
        for (module, file) in self.0.iter().filter(|(module, _)| !module.is_empty()) {
            let paths = self.used(module, file).into_iter().flat_map(|path| [self.definer(&path, 0), path]);
            let used = paths.filter_map(|path| path.into_iter().next()).filter(|room| *room != module[0]);
            rooms.entry(module[..1].to_vec()).or_default().extend(used.map(|room| vec![room]));
        }
        let all: BTreeSet<_> = rooms.keys().cloned().collect();
        for used in rooms.values_mut() {
            used.retain(|room| all.contains(room));
        }
        rooms
    }

    /// What a file imports for itself, and the paths in its code. An imported module is used where a path begins with it.
    fn used(&self, module: &Names, file: &File) -> BTreeSet<Names> {
        let imported = file.own.iter().filter(|path| !self.0.contains_key(*path)).cloned();
        let in_code = file.paths.iter().filter_map(|(path, inside)| self.absolute(path, inside, file));
        imported.chain(in_code).filter(|used| used != module).collect()
    }

    /// A path in code from the root of the package on. There is none if it begins in another package or in the same file.
    fn absolute(&self, path: &[String], inside: &Names, file: &File) -> Option<Names> {
        let child = || [&inside[..], &path[..1]].concat();
        let named =
            || file.imports.get(&path[0]).cloned().or_else(|| Some(child()).filter(|it| self.0.contains_key(it)));
        rooted(path, inside).or_else(|| Some([named()?, path[1..].to_vec()].concat()))
    }

    /// The module of the file that defines what a path names. What a file only exports is defined elsewhere.
    fn definer(&self, path: &[String], depth: usize) -> Names {
        let in_files = |end: &usize| self.0.contains_key(&path[..*end]);
        let end = (1..=path.len()).take_while(in_files).last().unwrap_or(0);
        let (module, rest) = path.split_at(end);
        let (Some(name), Some(file)) = (rest.first(), self.0.get(module).filter(|_| depth < 9)) else {
            return module.to_vec();
        };
        let is_in = |glob: &&Names| self.0.get(*glob).is_some_and(|file| file.words.contains(name));
        let glob = || file.globs.iter().find(is_in).map(|glob| [&glob[..], &rest[..1]].concat());
        match file.exports.get(name).cloned().or_else(glob) {
            Some(exported) => self.definer(&[&exported, &rest[1..]].concat(), depth + 1),
            None => module.to_vec(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Package;

    /// Returns what the file `a` uses, which is beside `b`, `c` with `c/d`, and the root with this code.
    fn used(root: &str, a: &str) -> String {
        let mut package = Package::default();
        let c = "mod d; pub(crate) use d::{Deep as Shown, deep}; pub use self::d::*; pub struct C;";
        let files = [("", root), ("a", a), ("a/child", "struct Child;"), ("b", "pub struct B;"), ("c", c)];
        for (module, code) in files.into_iter().chain([("c/d", "pub struct Deep; fn deep() {} struct Other;")]) {
            package.add(module.split('/').filter(|name| !name.is_empty()).map(str::to_owned).collect(), code);
        }
        let used = package.files().remove(&["a".to_owned()][..]).expect("it is there");
        used.iter().map(|module| module.join("/")).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn paths_are_followed_to_the_files_that_define_what_they_name() {
        for (code, found) in [
            ("use crate::b::B;", "b"),
            ("use super::{b::B, c::{self, C}}; fn f() -> c::d::Deep {}", "b c c/d"),
            ("fn f() { crate::b::g(super::c::h) }", "b c"),
            ("mod child; use child::Child; fn f() {}", "a/child"),
            ("mod child; fn f() { child::g() }", "a/child"),
            ("mod inside { use super::super::b::B; use super::Own; }", "b"),
            ("#[serde(with = \"super::b\")] struct S;", "b"),
            ("macro_rules! m { () => { $crate::b::B; $crate::__private::b::B } }", "b"),
            // A module that is imported is used where it is named.
            ("use crate::c; fn f() { c::deep() }", "c/d"),
            // What a folder only exports is defined in a file of it.
            ("use crate::c::{Shown, Other};", "c/d"),
            ("use crate::Top;", "b"),
            ("use crate::c::C as Shown;", "c"),
            ("use crate::Root;", ""),
            ("pub use crate::b::B;", ""),
            ("pub use crate::b::B; fn f(b: B) {}", "b"),
            ("pub(in crate::c) fn f() {} // crate::b", ""),
            ("#[cfg(test)] use crate::b::B; use crate::c::C;", "c"),
            ("#[cfg(test)] mod tests { use crate::b::B; } fn f() { self.b(), b(), std::c::d() }", ""),
        ] {
            assert_eq!(used("pub use b::B as Top; struct Root;", code).trim(), found, "{code}");
        }
    }
}
