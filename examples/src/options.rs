//! The command-line options of an example.

use std::io::IsTerminal;

use crate::watch::HAS_INSPECTOR;

/// The command-line options of an example.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is an option of the command line")]
pub struct Options {
    /// Print a trace instead of drawing.
    pub headless: bool,
    /// The number of ticks to run, if headless.
    pub ticks: u32,
    /// The seed of the random numbers.
    pub seed: u64,
    /// The number of agents, if the example supports it.
    pub agents: usize,
    /// Use one core only, if the example supports several.
    pub one_core: bool,
    /// The file of a tree, in the example that runs any tree; in a browser, its text. It lives as long as the program.
    pub tree: Option<&'static str>,
    /// Serve the inspector.
    pub inspect: bool,
    /// Let pages of the inspector edit the trees, and write their files.
    pub edit: bool,
}

impl Options {
    /// Reads the command line. Without a terminal, the example is headless. `--help` prints the options and exits.
    ///
    /// # Errors
    ///
    /// Returns a message about the first invalid option.
    pub fn from_command_line(ticks: u32) -> Result<Self, String> {
        if std::env::args().skip(1).any(|argument| argument == "--help" || argument == "-h") {
            println!("{USAGE}\n\n{HELP}");
            std::process::exit(0);
        }
        let headless = !(std::io::stdout().is_terminal() && std::io::stdin().is_terminal());
        Self::parse(std::env::args().skip(1), Self { headless, ..Self::headless(ticks, 1) })
    }

    /// Returns headless options, for tests.
    pub const fn headless(ticks: u32, seed: u64) -> Self {
        Self { headless: true, ticks, seed, agents: 10_000, one_core: false, tree: None, inspect: false, edit: false }
    }

    pub(crate) fn parse(arguments: impl IntoIterator<Item = String>, default: Self) -> Result<Self, String> {
        let mut options = default;
        let mut arguments = arguments.into_iter();
        while let Some(argument) = arguments.next() {
            match argument.as_str() {
                "--headless" => options.headless = true,
                "--ticks" => options.ticks = number(&argument, arguments.next())?,
                "--agents" => options.agents = number(&argument, arguments.next())?,
                "--one-core" => options.one_core = true,
                "--inspect" | "--edit" if !HAS_INSPECTOR => {
                    return Err("this program was built without the inspector\nhelp: add `--features inspect` before `--`; in bt-bevy, `--features inspector`".to_owned());
                }
                "--inspect" => options.inspect = true,
                "--edit" => (options.inspect, options.edit) = (true, true),
                "--tree" => {
                    let tree = arguments.next().ok_or_else(|| format!("missing file after `--tree`\n{USAGE}"))?;
                    options.tree = Some(tree.leak());
                }
                "--seed" => options.seed = number(&argument, arguments.next())?,
                other => return Err(format!("unknown option `{other}`\n{USAGE}")),
            }
        }
        Ok(options)
    }
}

const USAGE: &str = "options: --headless, --ticks N, --seed S, --agents N, --one-core, --tree FILE, --inspect, --edit";

const HELP: &str = "\
--headless   print a trace instead of drawing in the terminal
--ticks N    number of ticks, if headless
--seed S     seed of the random numbers
--agents N   number of agents, in examples with many
--one-core   use one core, in examples that use all
--tree FILE  the largest tree in a Rust file, in the example that runs any tree
--inspect    show the agents in the browser; needs cargo run --features inspect
--edit       edit their trees there, and write the files; those in Rust need cargo run --features inspect,live
--help       print this

In the terminal, q or Ctrl-C ends the example.";

fn number<T: std::str::FromStr>(option: &str, value: Option<String>) -> Result<T, String> {
    let value = value.ok_or_else(|| format!("missing number after `{option}`\n{USAGE}"))?;
    value.parse().map_err(|_| format!("invalid value for `{option}`: expected a number, found `{value}`\n{USAGE}"))
}

#[cfg(test)]
mod tests {
    use super::Options;

    fn parse(text: &str) -> Result<Options, String> {
        let default = Options { headless: false, ..Options::headless(5, 1) };
        Options::parse(text.split_whitespace().map(str::to_owned), default)
    }

    #[test]
    fn options_are_parsed() {
        let options = parse("--headless --seed 7 --ticks 30").expect("valid options");
        assert_eq!(options, Options::headless(30, 7));
        let options = parse("--agents 3 --one-core").expect("valid options");
        assert_eq!((options.agents, options.one_core, options.inspect), (3, true, false));
        assert_eq!(parse("").expect("no option is required").ticks, 5);
    }

    #[test]
    fn the_inspector_needs_its_feature() {
        for (option, edits) in [("--inspect", false), ("--edit", true)] {
            let options = parse(option);
            if cfg!(feature = "inspect") {
                let options = options.expect("valid options");
                assert!(options.inspect && options.edit == edits, "only --edit lets pages edit");
            } else {
                assert!(options.unwrap_err().contains("--features inspect"));
            }
        }
    }

    #[test]
    fn invalid_options_are_reported() {
        assert_eq!(parse("--tick 3").unwrap_err(), format!("unknown option `--tick`\n{}", super::USAGE));
        assert!(parse("--ticks").unwrap_err().starts_with("missing number after `--ticks`\n"));
        assert!(parse("--seed x").unwrap_err().starts_with("invalid value for `--seed`: expected a number, found `x`"));
    }
}
