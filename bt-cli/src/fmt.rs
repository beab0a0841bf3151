//! The command `bt fmt`.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::Output;
use crate::command::FmtArguments;
use crate::format::format;
use crate::input::text;

/// Runs the command.
pub(crate) fn run(options: &FmtArguments) -> Result<Output, String> {
    if options.paths.is_empty() || options.paths == [Path::new("-")] {
        return standard_input(options).map(Output::text);
    }
    let mut files = Vec::new();
    for path in &options.paths {
        sources(path, true, &mut files)?;
    }
    let (mut changed, mut errors) = (Vec::new(), Vec::new());
    for file in &files {
        match format_file(file, options) {
            Ok(true) => changed.push(file.display().to_string()),
            Ok(false) => {}
            Err(error) => errors.push(error),
        }
    }
    if options.check {
        errors.extend(changed.iter().map(|file| format!("{file}: not formatted")));
    }
    if errors.is_empty() { Ok(Output::text(String::new())) } else { Err(errors.join("\n")) }
}

/// Formats the standard input.
fn standard_input(options: &FmtArguments) -> Result<String, String> {
    let source = text(Path::new("-"))?;
    let formatted = formatted(&source, Path::new("."), options).map_err(|error| format!("standard input:{error}"))?;
    match options.check {
        false => Ok(formatted),
        true if formatted == source => Ok(String::new()),
        true => Err("standard input: not formatted".to_owned()),
    }
}

/// Formats a file. Returns whether it changes.
fn format_file(path: &Path, options: &FmtArguments) -> Result<bool, String> {
    let message = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
    let source = std::fs::read_to_string(path).map_err(|error| message(&error))?;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let formatted = formatted(&source, folder, options).map_err(|error| format!("{}:{error}", path.display()))?;
    let changes = formatted != source;
    if changes && !options.check {
        std::fs::write(path, formatted).map_err(|error| message(&error))?;
    }
    Ok(changes)
}

/// Formats a source, after rustfmt if that is wanted.
fn formatted(source: &str, folder: &Path, options: &FmtArguments) -> Result<String, String> {
    let width = options.width.unwrap_or_else(|| max_width(folder));
    let first = if options.rustfmt { Some(rustfmt(source, folder, options)?) } else { None };
    format(first.as_deref().unwrap_or(source), width).map_err(|error| error.message)
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
fn max_width(folder: &Path) -> usize {
    let folder = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    let configurations =
        folder.ancestors().flat_map(|folder| [folder.join("rustfmt.toml"), folder.join(".rustfmt.toml")]);
    let text = configurations.into_iter().find_map(|path| std::fs::read_to_string(path).ok()).unwrap_or_default();
    let width = text.lines().find_map(|line| line.trim().strip_prefix("max_width")?.trim().strip_prefix('='));
    width.and_then(|width| width.trim().parse().ok()).unwrap_or(100)
}

/// Collects the Rust files in a folder. Folders of builds and hidden ones are left out.
fn sources(path: &Path, is_given: bool, files: &mut Vec<PathBuf>) -> Result<(), String> {
    let message = |error: std::io::Error| format!("{}: {error}", path.display());
    let kind = std::fs::metadata(path).map_err(message)?;
    if !kind.is_dir() {
        if is_given || path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path.to_owned());
        }
        return Ok(());
    }
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    if !is_given && (name == "target" || name.starts_with('.') || name == "node_modules") {
        return Ok(());
    }
    let entries: Result<Vec<_>, _> =
        std::fs::read_dir(path).map_err(message)?.map(|entry| entry.map(|entry| entry.path())).collect();
    let mut entries = entries.map_err(message)?;
    entries.sort();
    entries.iter().try_for_each(|entry| sources(entry, false, files))
}
