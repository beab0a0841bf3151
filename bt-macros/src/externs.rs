//! The crates that the compiler links, from its arguments: `--extern bt=target/debug/deps/libbt_core-0123.rmeta`.

use std::env;
use std::fs;
use std::path::Path;
use std::sync::OnceLock;

/// A crate that the code being compiled can name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Extern {
    /// The name in the code, which the user's `Cargo.toml` may change.
    pub(crate) name: String,
    /// The name under which the crate was compiled.
    pub(crate) own: String,
}

/// Returns the crates that the compiler links, and the crate that it compiles. Empty in an editor, which expands macros without the compiler.
pub(crate) fn all() -> &'static [Extern] {
    static ALL: OnceLock<Vec<Extern>> = OnceLock::new();
    ALL.get_or_init(|| {
        let arguments = env::args_os().filter_map(|argument| argument.into_string().ok());
        // A build system puts arguments that are too long into a file: `@file`.
        find(arguments.flat_map(|argument| match argument.strip_prefix('@').map(fs::read_to_string) {
            Some(Ok(lines)) => lines.lines().map(str::to_owned).collect(),
            _ => vec![argument],
        }))
    })
}

fn find(arguments: impl IntoIterator<Item = String>) -> Vec<Extern> {
    let mut arguments = arguments.into_iter();
    let mut found = Vec::new();
    while let Some(argument) = arguments.next() {
        let (option, value) = match argument.split_once('=') {
            Some((option, value)) if option.starts_with("--") => (option, Some(value.to_owned())),
            _ => (argument.as_str(), None),
        };
        if !matches!(option, "--extern" | "--crate-name") {
            continue;
        }
        if let Some(value) = value.or_else(|| arguments.next()) {
            found.push(Extern::of(&value));
        }
    }
    found
}

impl Extern {
    /// `name`, `name=file`, or `options:name=file`.
    fn of(value: &str) -> Self {
        let (name, file) = value.split_once('=').unwrap_or((value, value));
        let name = name.rsplit(':').next().unwrap_or(name);
        let stem = Path::new(file).file_stem().and_then(|stem| stem.to_str()).unwrap_or(name);
        let own = stem.strip_prefix("lib").unwrap_or(stem).split('-').next().unwrap_or(stem);
        Self { name: name.to_owned(), own: own.to_owned() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn crates_are_found_in_the_arguments_of_the_compiler() {
        let arguments = "rustc --crate-name game --edition=2024 src/lib.rs --extern bt=/t/deps/libbt_core-0f3a.rmeta \
            --extern=serde=/t/deps/libserde-11.rlib -L dependency=/t/deps --extern priv,noprelude:std=/t/libstd-2.rlib \
            --extern proc_macro --extern rand=rand.dll --cfg extern --extern";
        let found = find(arguments.split_whitespace().map(str::to_owned));
        let found: Vec<_> = found.iter().map(|found| (&*found.name, &*found.own)).collect();
        let expected = [
            ("game", "game"),
            ("bt", "bt_core"),
            ("serde", "serde"),
            ("std", "std"),
            ("proc_macro", "proc_macro"),
            ("rand", "rand"),
        ];
        assert_eq!(found, expected);
    }
}
