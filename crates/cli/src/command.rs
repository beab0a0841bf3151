//! The arguments of all commands.

use std::path::PathBuf;
use std::str::FromStr;

use bt_behavior3::bt_words::Lint;
use bt_core::draw::Form;
use clap::{Arg, ArgAction, ArgMatches, Args, Error, FromArgMatches, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;

/// Checks, draws and converts files of the Behavior3 editor, XML of BehaviorTree.CPP and texts of trees, formats trees, and writes tests from recordings.
#[derive(Parser)]
#[command(name = "bt", version, after_help = EXIT_CODES)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// Ends the help of each command.
const EXIT_CODES: &str =
    "Exit codes:\n  0  no errors\n  1  a file cannot be read, or has errors\n  2  the arguments are invalid";

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Report all errors in the trees of files, including unconnected nodes
    #[command(after_help = EXIT_CODES)]
    Check(CheckArguments),
    /// Draw a tree as text, DOT, Mermaid or SVG
    #[command(after_help = EXIT_CODES)]
    Draw(DrawArguments),
    /// Print a tree as the content of `tree!`
    #[command(after_help = EXIT_CODES)]
    ToRust(FileArguments),
    /// Write a file in another notation: as text (`.bt`), as XML of BehaviorTree.CPP (`.xml`), or for the Behavior3 editor
    #[command(after_help = EXIT_CODES)]
    Convert(ConvertArguments),
    /// Print what was added, removed, moved and changed between two versions of a tree
    #[command(
        after_help = "Exit codes:\n  0  the trees are the same\n  1  they differ, or a file is invalid\n  2  the arguments are invalid"
    )]
    Diff(DiffArguments),
    /// Edit trees in the browser, or by operations
    ///
    /// Without `--apply` and `--list`, serves a page on this machine until stopped (Ctrl-C), prints the address of the page, and opens it. The address contains a token: anyone with the
    /// token can change these files, but no others. A file that does not exist is created when it is first saved, if its name ends with `.bt`, `.json` or `.xml`.
    ///
    /// An operation is a word with its arguments. A node is identified by its number, which `--list` prints, or by its label in quotes. Operations do not change numbers; new nodes
    /// get the next numbers. A place is `before 2`, `after 2`, `in 2` (after the last child), `in 2 index 0`, `in 2 list 1` (the second list, such as that of `else`) or `in tree NAME`.
    /// An argument is identified by its index, from 0, or by its name. `label 3` and `note 3` without a text remove it.
    #[command(after_help = edit_help())]
    Edit(EditArguments),
    /// Format the trees in Rust sources and in texts (`.bt`)
    ///
    /// A node that fits is written on one line. A comma follows a leaf, but not a brace. Comments, blank lines, everything outside of trees, and trees with unknown syntax
    /// stay unchanged. In a Rust source, so do trees in an item or a statement with `#[rustfmt::skip]`.
    #[command(
        after_help = "Exit codes:\n  0  all trees are formatted, except those in notes\n  1  a file cannot be formatted, or, with --check, would change\n  2  the arguments are invalid"
    )]
    Fmt(FmtArguments),
    /// Print a unit test that repeats recorded ticks
    ///
    /// Each leaf repeats its recorded results, so the test needs no game world. The test asserts the statuses of the tree and the log of each tick. The test starts with a
    /// new agent, at a tick before the selected ticks in which the tree was not running and nothing was kept across runs.
    #[command(
        after_help = "Exit codes:\n  0  the test is printed\n  1  the recording cannot be read, or a test cannot repeat the ticks\n  2  the arguments are invalid"
    )]
    Test(TestArguments),
    /// Create a project with a first tree and a test
    #[command(after_help = EXIT_CODES)]
    New(NewArguments),
    /// Print the keywords that the Behavior3 editor lacks, as custom nodes
    Palette,
    /// Print completions for a shell
    Completions {
        /// The shell
        shell: Shell,
    },
}

/// The names that a file does not declare.
#[derive(Args)]
pub(crate) struct Names {
    /// Declare a leaf that is not among the custom nodes of the file; for arguments without names in a text, with its parameters: `near(meters)`
    #[arg(long, value_name = "NAME", value_parser = declared)]
    pub(crate) leaf: Vec<Declared>,
    /// Declare a decorator that is not among the custom nodes of the file
    #[arg(long, value_name = "NAME", value_parser = declared)]
    pub(crate) decorator: Vec<Declared>,
    /// Declare a composite that is not among the custom nodes of the file
    #[arg(long, value_name = "NAME", value_parser = declared)]
    pub(crate) composite: Vec<Declared>,
    /// Declare a value that the program registers
    #[arg(long, value_name = "NAME")]
    pub(crate) value: Vec<String>,
}

/// A node that an option declares: `near(meters)`.
#[derive(Clone)]
pub(crate) struct Declared {
    pub(crate) name: String,
    /// The names of its parameters, if they are given.
    pub(crate) parameters: Option<Vec<String>>,
}

fn declared(given: &str) -> Result<Declared, String> {
    let parts = given.strip_suffix(')').and_then(|given| given.split_once('('));
    let (name, parameters) = parts.map_or((given, None), |(name, parameters)| (name.trim(), Some(parameters)));
    if name.trim().is_empty() || [name, parameters.unwrap_or("")].iter().any(|part| part.contains(['(', ')'])) {
        return Err("expected a name, or a name with parameters, such as `near(meters)`".to_owned());
    }
    let parameters = parameters.map(|all| all.split(',').map(|name| name.trim().to_owned()).collect());
    Ok(Declared { name: name.to_owned(), parameters })
}

#[derive(Args)]
pub(crate) struct CheckArguments {
    /// The files; `-` is the standard input
    #[arg(required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// Check only this tree of a project, by id or title
    #[arg(long, value_name = "NAME")]
    pub(crate) tree: Option<String>,
    /// Declare a variable that the program sets; then variables that neither a leaf nor the program writes are reported
    #[arg(long, value_name = "NAME")]
    pub(crate) variable: Vec<String>,
    #[arg(long, value_name = "LINT", value_parser = lint, help = deny_help())]
    pub(crate) deny: Vec<Deny>,
    /// Print the result as JSON
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) names: Names,
}

/// The kinds of warnings that are errors: one, or all.
#[derive(Clone)]
pub(crate) struct Deny(pub(crate) Option<Lint>);

fn deny_help() -> String {
    format!("Make a kind of warning an error: `{}` or `all`", Lint::ALL.map(Lint::name).join("`, `"))
}

fn lint(name: &str) -> Result<Deny, String> {
    let known = Lint::named(name);
    if known.is_none() && name != "all" {
        return Err(format!("the lints are {} and all", Lint::ALL.map(Lint::name).join(", ")));
    }
    Ok(Deny(known))
}

#[derive(Args)]
pub(crate) struct FileArguments {
    /// The file; `-` is the standard input
    pub(crate) file: PathBuf,
    /// Select a tree of a project, by id or title
    #[arg(long, value_name = "NAME")]
    pub(crate) tree: Option<String>,
    #[command(flatten)]
    pub(crate) names: Names,
}

#[derive(Args)]
pub(crate) struct ConvertArguments {
    /// The file; `-` is the standard input
    pub(crate) from: PathBuf,
    /// The new file, which must not exist: text if its name ends with `.bt`, XML of BehaviorTree.CPP if it ends with `.xml`, otherwise a file of the editor
    pub(crate) to: PathBuf,
    #[command(flatten)]
    pub(crate) names: Names,
}

#[derive(Args)]
pub(crate) struct DrawArguments {
    #[command(flatten)]
    pub(crate) file: FileArguments,
    #[command(flatten)]
    pub(crate) form: Drawn,
    /// When to color the text
    #[arg(long, value_enum, default_value_t = Color::Auto)]
    pub(crate) color: Color,
}

/// The form of a drawing other than text: an option for each.
pub(crate) struct Drawn(pub(crate) Option<Form>);

impl Args for Drawn {
    fn augment_args(command: clap::Command) -> clap::Command {
        let option =
            |form: Form| Arg::new(form.name).long(form.name).help(form.help).group("form").action(ArgAction::SetTrue);
        command.args(Form::ALL.map(option))
    }

    fn augment_args_for_update(command: clap::Command) -> clap::Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for Drawn {
    fn from_arg_matches(found: &ArgMatches) -> Result<Self, Error> {
        Ok(Self(Form::ALL.into_iter().find(|form| found.get_flag(form.name))))
    }

    fn update_from_arg_matches(&mut self, found: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(found)?;
        Ok(())
    }
}

/// When text is colored.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    /// On a terminal, unless `NO_COLOR` is set
    Auto,
    Always,
    Never,
}

#[derive(Args)]
pub(crate) struct DiffArguments {
    /// The file with the old version; `-` is the standard input
    pub(crate) old: PathBuf,
    /// The file with the new version; `-` is the standard input
    pub(crate) new: PathBuf,
    /// Compare only this tree of a project, by id or title
    #[arg(long, value_name = "NAME")]
    pub(crate) tree: Option<String>,
    /// Print the result as JSON
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) names: Names,
}

/// Ends the help of `bt edit`.
fn edit_help() -> String {
    let examples = bt_syntax::edit::EXAMPLES.map(|(_, example)| format!("  {example}\n"));
    let json = r#"{"op":"label","node":3,"label":"fight"}"#;
    format!("Operations:\n{}  {json}\n\n{EDIT_CODES}", examples.concat())
}

const EDIT_CODES: &str = "Exit codes:\n  0  the operations are applied\n  1  an operation cannot be applied, and nothing is written; or a file cannot be read or written\n  2  the arguments are invalid";

#[derive(Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is an option of the command line")]
pub(crate) struct EditArguments {
    /// The files: Rust sources with `tree!`, texts (`.bt`), XML of BehaviorTree.CPP (`.xml`), or files of the editor
    #[arg(required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// Apply an operation to a file; several are applied in order, all or none
    #[arg(long, value_name = "OPERATION")]
    pub(crate) apply: Vec<String>,
    /// Print the difference, and write nothing
    #[arg(long, requires = "apply")]
    pub(crate) dry_run: bool,
    /// Write the file also if a tree becomes invalid
    #[arg(long, requires = "apply")]
    pub(crate) force: bool,
    /// Print the nodes with their numbers
    #[arg(long, conflicts_with = "apply")]
    pub(crate) list: bool,
    /// Do not open the browser
    #[arg(long, conflicts_with_all = ["apply", "list"])]
    pub(crate) no_open: bool,
    /// The port of the page; 0 selects a free port
    #[arg(long, value_name = "PORT", default_value_t = 0, conflicts_with_all = ["apply", "list"])]
    pub(crate) port: u16,
    #[command(flatten)]
    pub(crate) names: Names,
}

#[derive(Args)]
pub(crate) struct FmtArguments {
    /// Files, and folders with all of their .rs and .bt files, except hidden folders, build folders and links; without a path, or for `-`, the standard input is formatted to the standard output
    pub(crate) paths: Vec<PathBuf>,
    /// Write nothing; list the files that would change
    #[arg(long)]
    pub(crate) check: bool,
    /// Run rustfmt first, as the formatter of an editor does
    #[arg(long)]
    pub(crate) rustfmt: bool,
    /// The maximum number of characters in a line; the default is `max_width` of the nearest rustfmt.toml, or 100
    #[arg(long, value_name = "N")]
    pub(crate) width: Option<usize>,
    /// The edition for rustfmt
    #[arg(long, value_name = "E", default_value = "2024")]
    pub(crate) edition: String,
}

#[derive(Args)]
pub(crate) struct NewArguments {
    /// The folder, which must not exist; its name is that of the package
    pub(crate) path: PathBuf,
    /// Depend on bt-core in this folder; the default is that of the repository in which `bt` was built, or the registry
    #[arg(long, value_name = "FOLDER")]
    pub(crate) local: Option<PathBuf>,
}

#[derive(Args)]
pub(crate) struct TestArguments {
    /// The recording, a file of `RecordFile`; `-` is the standard input
    pub(crate) recording: PathBuf,
    /// The agent, by name or number; not needed if there is only one
    #[arg(long, value_name = "NAME_OR_NUMBER")]
    pub(crate) agent: Option<String>,
    /// The ticks, as a Rust range: `600..812`, `600..=812`, `600..`, `..812`; or one tick: `600`
    #[arg(long, value_name = "RANGE")]
    pub(crate) ticks: Option<Ticks>,
    /// The tree, as a Rust expression; the default is a call of the function with the recorded name
    #[arg(long, value_name = "EXPR")]
    pub(crate) tree: Option<String>,
    /// The context, as a Rust expression
    #[arg(long, value_name = "EXPR", default_value = "Default::default()")]
    pub(crate) context: String,
    /// The statement that sets the clock of the context `ctx` to the time `now`, if the tree depends on time; the default is one for a `ManualClock`
    #[arg(long, value_name = "STATEMENT")]
    pub(crate) clock: Option<String>,
    /// The name of the test
    #[arg(long, value_name = "NAME")]
    pub(crate) name: Option<String>,
    /// Write the test to a file, which must not exist
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

/// The numbers of the first and the last tick.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Ticks {
    pub(crate) first: u64,
    pub(crate) last: u64,
}

impl FromStr for Ticks {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number = |text: &str, default| match text.trim() {
            "" => Ok(default),
            text => text.parse().map_err(|_| format!("expected the number of a tick, found `{text}`")),
        };
        let (first, last) = match text.split_once("..") {
            None if text.trim().is_empty() => return Err("expected a range such as `600..812`".to_owned()),
            None => (number(text, 0)?, number(text, 0)?),
            Some((first, last)) => {
                let first = number(first, 0)?;
                match last.strip_prefix('=') {
                    Some(last) if last.trim().is_empty() => return Err("expected a number after `..=`".to_owned()),
                    Some(last) => (first, number(last, 0)?),
                    None if last.trim().is_empty() => (first, u64::MAX),
                    None => {
                        let end: u64 = number(last, 0)?;
                        let last = end.checked_sub(1).filter(|last| *last >= first);
                        (first, last.ok_or_else(|| format!("`{text}` has no ticks: the end is not one of them"))?)
                    }
                }
            }
        };
        if first > last {
            return Err(format!("`{text}` has no ticks: it ends before it begins"));
        }
        Ok(Self { first, last })
    }
}
