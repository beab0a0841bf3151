//! What a story is asked to do.

use std::io::IsTerminal;

/// What a story is asked to do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// Print a trace instead of drawing.
    pub headless: bool,
    /// After how many ticks to stop, headless.
    pub ticks: u32,
    /// What the random numbers start from.
    pub seed: u64,
    /// How many agents there are, where the story has a choice.
    pub agents: usize,
    /// Use one core only, where the story could use more.
    pub one_core: bool,
    /// Let the agents be watched in the browser.
    pub inspect: bool,
}

impl Options {
    /// Reads the command line. Without a terminal a story is headless.
    /// What is wrong with it is said together with how it is used.
    ///
    /// # Errors
    ///
    /// What is wrong with it.
    pub fn from_command_line(ticks: u32) -> Result<Self, String> {
        let headless = !(std::io::stdout().is_terminal() && std::io::stdin().is_terminal());
        Self::parse(std::env::args().skip(1), Self { headless, ..Self::headless(ticks, 1) })
    }

    /// So many ticks without a terminal, for tests.
    pub const fn headless(ticks: u32, seed: u64) -> Self {
        Self { headless: true, ticks, seed, agents: 10_000, one_core: false, inspect: false }
    }

    fn parse(arguments: impl IntoIterator<Item = String>, default: Self) -> Result<Self, String> {
        let mut options = default;
        let mut arguments = arguments.into_iter();
        while let Some(argument) = arguments.next() {
            match argument.as_str() {
                "--headless" => options.headless = true,
                "--ticks" => options.ticks = number(&argument, arguments.next())?,
                "--agents" => options.agents = number(&argument, arguments.next())?,
                "--one-core" => options.one_core = true,
                "--inspect" => options.inspect = true,
                "--seed" => options.seed = number(&argument, arguments.next())?,
                other => return Err(format!("unknown option `{other}`; {USAGE}")),
            }
        }
        Ok(options)
    }
}

const USAGE: &str = "the options are --headless, --ticks N, --seed S, --agents N, --one-core and --inspect";

fn number<T: std::str::FromStr>(option: &str, value: Option<String>) -> Result<T, String> {
    let value = value.ok_or_else(|| format!("`{option}` needs a number; {USAGE}"))?;
    value.parse().map_err(|_| format!("`{option}` needs a number, not `{value}`; {USAGE}"))
}

#[cfg(test)]
mod tests {
    use super::Options;

    fn parse(text: &str) -> Result<Options, String> {
        let default = Options { headless: false, ..Options::headless(5, 1) };
        Options::parse(text.split_whitespace().map(str::to_owned), default)
    }

    #[test]
    fn options_are_read() {
        let options = parse("--headless --seed 7 --ticks 30").expect("they are right");
        assert_eq!(options, Options::headless(30, 7));
        let options = parse("--agents 3 --one-core --inspect").expect("they are right");
        assert_eq!((options.agents, options.one_core, options.inspect), (3, true, true));
        assert_eq!(parse("").expect("none are needed").ticks, 5);
    }

    #[test]
    fn wrong_options_say_what_is_right() {
        assert_eq!(parse("--tick 3").unwrap_err(), format!("unknown option `--tick`; {}", super::USAGE));
        assert!(parse("--ticks").unwrap_err().starts_with("`--ticks` needs a number;"));
        assert!(parse("--seed x").unwrap_err().starts_with("`--seed` needs a number, not `x`"));
    }
}
