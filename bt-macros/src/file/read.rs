//! Reads the file, in its notation.

use std::path::PathBuf;

use bt_behavior3::Project;
use bt_syntax::errors::Errors;

use super::parse::Input;

/// Reads the text of a file. Reports its errors.
pub(crate) type Notation = fn(&Input, &str, &mut Errors) -> Option<Project>;

/// Returns the path of the file, and the trees in it.
pub(super) fn file(input: &Input, read: Notation, errors: &mut Errors) -> Option<(String, Project)> {
    let (literal, span) = (input.file.value(), input.file.span());
    // Relative to the source file, as for `include_str!`. If that folder is unknown or has no such file, relative to the package root.
    let folder = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from).unwrap_or_default();
    // Unit tests have no source file.
    let source = proc_macro::is_available().then(|| span.unwrap().local_file()).flatten();
    let next_to_source =
        source.and_then(|source| source.canonicalize().ok()?.parent().map(|folder| folder.join(&literal)));
    let path = next_to_source.filter(|path| path.exists()).unwrap_or_else(|| folder.join(&literal));
    let text = std::fs::read_to_string(&path).map_err(|error| {
        errors.at(
            span,
            format!(
                "{literal}: {error}\nnote: the path is relative to the folder of this source file, or to the package root {}",
                folder.display()
            ),
        );
    });
    Some((path.display().to_string(), read(input, &text.ok()?, errors)?))
}

/// Reads a file of the Behavior3 editor.
pub(crate) fn json(input: &Input, text: &str, errors: &mut Errors) -> Option<Project> {
    let (literal, span) = (input.file.value(), input.file.span());
    if let Some(name) = input.names.iter().find(|name| name.parameters.is_some()) {
        let reason = format!("`{}(…)`: the file already names the properties\nhelp: remove `(…)`", name.name);
        errors.at(span, reason);
        return None;
    }
    Project::read(text).map_err(|error| errors.at(span, format!("{literal}: {error}"))).ok()
}

/// Reads the text of trees.
#[cfg(feature = "text")]
pub(crate) fn text(input: &Input, text: &str, errors: &mut Errors) -> Option<Project> {
    let parameters = |name: &str| {
        let known = input.names.iter().find(|known| known.name == name)?.parameters.as_ref()?;
        Some(known.iter().map(|name| syn::ext::IdentExt::unraw(name).to_string()).collect())
    };
    let outside = OutsideCompiler::new();
    let project = bt_syntax::file::read(text, parameters);
    drop(outside);
    project.map_err(|diagnostics| super::check::report(input, diagnostics, errors)).ok()
}

/// While it exists, tokens are those of `proc_macro2`: the compiler's belong to its thread, and the parser has one of its own.
#[cfg(feature = "text")]
struct OutsideCompiler;

#[cfg(feature = "text")]
impl OutsideCompiler {
    fn new() -> Self {
        proc_macro2::fallback::force();
        Self
    }
}

#[cfg(feature = "text")]
impl Drop for OutsideCompiler {
    fn drop(&mut self) {
        proc_macro2::fallback::unforce();
    }
}
