//! Nothing in this repository is `unsafe`. The lint that forbids it covers packages with our lints; this covers every file.

use std::fs;
use std::path::{Path, PathBuf};

use proc_macro2::{TokenStream, TokenTree};

#[test]
fn no_file_says_unsafe() {
    let mut files = Vec::new();
    collect(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."), &mut files);
    for package in
        ["behavior3", "cli", "bt-core", "inspector", "bt-macros", "syntax", "examples", "benches", "fuzz", "no_std"]
    {
        let has_file = files.iter().any(|file| file.components().any(|part| part.as_os_str() == package));
        assert!(has_file, "no file of {package} was found");
    }
    let text = |file: &Path| fs::read_to_string(file).expect("the file can be read");
    let found: Vec<_> = files.iter().filter(|file| says_unsafe(&text(file)) != Some(false)).collect();
    assert!(found.is_empty(), "nothing here may be unsafe, and all of it has to be Rust: {found:#?}");
}

#[test]
fn comments_and_strings_are_told_from_code() {
    assert_eq!(says_unsafe("// unsafe\n/* unsafe */ fn f() { \"unsafe // \"; }"), Some(false));
    assert_eq!(says_unsafe("fn f() { let x = unsafe { y() }; } // safe"), Some(true));
    assert_eq!(says_unsafe("fn f() { \"//\"; unsafe { y() } }"), Some(true));
    assert_eq!(says_unsafe("unsafe impl Send for X {} //"), Some(true));
    assert_eq!(says_unsafe("#![forbid(unsafe_code)]"), Some(false));
    assert_eq!(says_unsafe("macro_rules! m { () => { unsafe {} } }"), Some(true));
    assert_eq!(says_unsafe("fn f( {"), None);
}

/// Whether the word is in the code; `None` if that is no Rust. The tokens of Rust have no comments.
fn says_unsafe(code: &str) -> Option<bool> {
    fn has(tokens: TokenStream) -> bool {
        tokens.into_iter().any(|token| match token {
            TokenTree::Ident(word) => word == "unsafe",
            TokenTree::Group(group) => has(group.stream()),
            _ => false,
        })
    }
    code.parse().ok().map(has)
}

/// The Rust in a folder, but for what was built or downloaded.
fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("the folder can be read").map(|entry| entry.expect("an entry")) {
        let (path, name) = (entry.path(), entry.file_name());
        let is_ours = name != "target" && name != "node_modules" && !name.to_string_lossy().starts_with('.');
        if path.is_dir() && is_ours {
            collect(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
}
