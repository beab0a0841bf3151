//! The command `bt fmt`.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use bt_files::{Before, WriteError, write};

use crate::command::FmtArguments;
use crate::input::{MAX_ATTEMPTS, is_text, text};
use crate::output::Output;
use bt_syntax::format::{Formatted, Left, format, format_text, is_text as has_trees};

const COMMENT: &str = "a comment in an unexpected place; help: move it before or after a node";
/// Continues [`COMMENT`] for a Rust source.
const SKIP: &str = ", or write `#[rustfmt::skip]` before the item";

/// The messages to print.
#[derive(Default)]
struct Messages {
    notes: Vec<String>,
    errors: Vec<String>,
}

impl Messages {
    fn output(mut self, text: String) -> Output {
        let is_good = self.errors.is_empty();
        self.notes.append(&mut self.errors);
        Output { text, errors: self.notes, is_good }
    }
}

/// What is formatted.
struct Input<'a> {
    name: &'a str,
    folder: &'a Path,
    is_text: bool,
}

/// Runs the command.
pub(crate) fn run(options: &FmtArguments) -> Result<Output, String> {
    if options.paths.is_empty() || options.paths == [Path::new("-")] {
        return standard_input(options);
    }
    let (mut files, mut changed, mut messages) = (Vec::new(), Vec::new(), Messages::default());
    for path in &options.paths {
        if path == Path::new("-") {
            return Err("the standard input (`-`) is formatted alone, without other files".to_owned());
        }
        sources(path, true, &mut files, &mut messages.errors);
    }
    for file in &files {
        match format_file(file, options, &mut messages) {
            Ok(true) => changed.push(file.display().to_string()),
            Ok(false) => {}
            Err(error) => messages.errors.push(error),
        }
    }
    if options.check {
        messages.errors.extend(changed.iter().map(|file| format!("{file}: not formatted")));
    }
    Ok(messages.output(String::new()))
}

/// Formats the standard input.
fn standard_input(options: &FmtArguments) -> Result<Output, String> {
    let source = text(Path::new("-"))?;
    let mut messages = Messages::default();
    let input = Input { name: "standard input", folder: Path::new("."), is_text: has_trees(&source) };
    let formatted =
        formatted(&source, &input, options, &mut messages).map_err(|error| format!("standard input:{error}"))?;
    if options.check && formatted != source {
        messages.errors.push("standard input: not formatted".to_owned());
    }
    Ok(messages.output(if options.check { String::new() } else { formatted }))
}

/// Formats a file. Returns whether it changes.
fn format_file(path: &Path, options: &FmtArguments, messages: &mut Messages) -> Result<bool, String> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let input = Input { name: &path.display().to_string(), folder, is_text: is_text(path) };
    for _ in 0..MAX_ATTEMPTS {
        let source = text(path)?;
        let mut new = Messages::default();
        let formatted =
            formatted(&source, &input, options, &mut new).map_err(|error| format!("{}:{error}", path.display()))?;
        let changes = formatted != source;
        match if changes && !options.check { write(path, Before::Text(&source), formatted) } else { Ok(()) } {
            Ok(()) => {
                messages.notes.append(&mut new.notes);
                messages.errors.append(&mut new.errors);
                return Ok(changes);
            }
            // What another program has saved meanwhile is formatted.
            Err(WriteError::Changed) => {}
            Err(error) => return Err(format!("{}: {error}", path.display())),
        }
    }
    Err(format!("{}: not formatted: {}", path.display(), WriteError::Changed))
}

/// Formats a source, after rustfmt if that is wanted. Adds a message for each tree that stays as it is.
fn formatted(
    source: &str,
    input: &Input<'_>,
    options: &FmtArguments,
    messages: &mut Messages,
) -> Result<String, String> {
    let Input { folder, is_text, .. } = *input;
    let width = options.width.unwrap_or_else(|| max_width(folder));
    let of = |source: &str| {
        let formatted = if is_text { format_text(source, width) } else { format(source, width) };
        formatted.map_err(|error| error.message)
    };
    let first = if options.rustfmt && !is_text { Some(rustfmt(source, folder, options)?) } else { None };
    let mut formatted = of(first.as_deref().unwrap_or(source))?;
    if !formatted.left.is_empty() {
        // The lines of the file as it is then.
        formatted.left = of(if options.check { source } else { &formatted.text })?.left;
    }
    Ok(noted(formatted, input, options, messages))
}

/// Returns a formatted source. Adds a message for each tree that stays as it is.
fn noted(formatted: Formatted, input: &Input<'_>, options: &FmtArguments, messages: &mut Messages) -> String {
    let Input { name, is_text, .. } = *input;
    for Left { line, is_comment, error } in formatted.left {
        let what = error.as_deref().unwrap_or(if is_comment { COMMENT } else { "unknown syntax" });
        let skip = if is_comment && !is_text { SKIP } else { "" };
        // Unknown syntax in a source may be that of another macro.
        if options.check && (is_comment || is_text) {
            messages.errors.push(format!("{name}:{line}: not formatted: {what}{skip}"));
        } else {
            messages.notes.push(format!("{name}:{line}: note: not formatted: {what}{skip}"));
        }
    }
    formatted.text
}

/// Formats a source with rustfmt.
fn rustfmt(source: &str, folder: &Path, options: &FmtArguments) -> Result<String, String> {
    let message = |error: std::io::Error| format!(" cannot run rustfmt: {error}; help: rustup component add rustfmt");
    let mut child = Command::new("rustfmt")
        .args(["--emit", "stdout", "--quiet", "--edition", &options.edition])
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(message)?;
    let mut input = child.stdin.take();
    let text = source.to_owned();
    // A thread of its own, so that neither side waits for the other.
    let writer = std::thread::spawn(move || input.as_mut().map(|input| input.write_all(text.as_bytes())));
    let output = child.wait_with_output().map_err(message)?;
    // It fails too if rustfmt did not read all, which its exit code says.
    let _ = writer.join();
    if !output.status.success() {
        return Err(format!(" rustfmt: {}", String::from_utf8_lossy(&output.stderr).trim()));
    }
    String::from_utf8(output.stdout).map_err(|error| format!(" rustfmt: {error}"))
}

/// Returns the width that the nearest configuration of rustfmt states.
pub(crate) fn max_width(folder: &Path) -> usize {
    let folder = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    let configurations =
        folder.ancestors().flat_map(|folder| [folder.join("rustfmt.toml"), folder.join(".rustfmt.toml")]);
    let text = configurations.into_iter().find_map(|path| text(&path).ok()).unwrap_or_default();
    let width = text.lines().find_map(|line| line.trim().strip_prefix("max_width")?.trim().strip_prefix('='));
    width.and_then(|width| width.trim().parse().ok()).unwrap_or(100)
}

/// Collects the Rust files and the texts in a folder. Hidden folders, those of builds, and links in it are left out.
fn sources(path: &Path, is_given: bool, files: &mut Vec<PathBuf>, errors: &mut Vec<String>) {
    let mut error = |error: std::io::Error| errors.push(format!("{}: {error}", path.display()));
    let metadata = if is_given { std::fs::metadata(path) } else { std::fs::symlink_metadata(path) };
    let kind = match metadata {
        Ok(kind) => kind,
        Err(problem) => return error(problem),
    };
    let is_known = is_text(path) || path.extension().is_some_and(|extension| extension == "rs");
    if kind.is_file() && is_given && !is_known {
        return error(std::io::Error::other("expected a Rust source (`.rs`) or a text of trees (`.bt`)"));
    }
    if !kind.is_dir() {
        if is_given || kind.is_file() && is_known {
            files.push(path.to_owned());
        }
        return;
    }
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let is_build = name == "node_modules" || name == "target" && path.join("CACHEDIR.TAG").exists();
    if !is_given && (is_build || name.starts_with('.')) {
        return;
    }
    let entries = std::fs::read_dir(path)
        .and_then(|entries| entries.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>, _>>());
    match entries {
        Ok(mut entries) => {
            entries.sort();
            for entry in &entries {
                sources(entry, false, files, errors);
            }
        }
        Err(problem) => error(problem),
    }
}
