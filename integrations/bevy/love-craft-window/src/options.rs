//! The command line.

use web_time::SystemTime;

/// The options of the command line.
#[derive(Clone, Copy)]
pub(crate) struct Options {
    pub(crate) seed: u64,
    /// The number of chibis of a crowd without levels.
    pub(crate) chibis: Option<usize>,
    /// Print how long frames take.
    pub(crate) fps: bool,
    pub(crate) inspect: bool,
}

const USAGE: &str = "\
options: --seed S, --chibis N, --fps, --inspect
--seed S     seed of the random numbers
--chibis N   a crowd of N without levels
--fps        print how long frames take
--inspect    show the trees in the browser; needs cargo run --features inspector";

impl Options {
    /// Reads the command line. `--help` prints the options and exits.
    pub(crate) fn from_command_line() -> Result<Self, String> {
        // Another game each time.
        let seed = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(1, |since| since.as_secs());
        let mut options = Self { seed, chibis: None, fps: false, inspect: false };
        let mut arguments = std::env::args().skip(1);
        while let Some(argument) = arguments.next() {
            match argument.as_str() {
                "--help" | "-h" => {
                    println!("{USAGE}");
                    std::process::exit(0);
                }
                "--seed" => options.seed = number(&argument, arguments.next())?,
                "--chibis" => options.chibis = Some(number(&argument, arguments.next())?),
                "--fps" => options.fps = true,
                "--inspect" if cfg!(feature = "inspector") => options.inspect = true,
                "--inspect" => return Err("built without the inspector\nhelp: add `--features inspector`".to_owned()),
                other => return Err(format!("unknown option `{other}`\n{USAGE}")),
            }
        }
        Ok(options)
    }
}

fn number<T: std::str::FromStr>(option: &str, value: Option<String>) -> Result<T, String> {
    let value = value.ok_or_else(|| format!("missing number after `{option}`\n{USAGE}"))?;
    value.parse().map_err(|_| format!("invalid value for `{option}`: expected a number, found `{value}`\n{USAGE}"))
}
