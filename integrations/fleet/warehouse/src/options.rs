//! The command line.

use std::error::Error;
use std::path::PathBuf;

const USAGE: &str = "usage: warehouse [--robots NUMBER] [--machines NUMBER] [--seconds NUMBER] [--record FOLDER] [--address ADDRESS] [--endpoint ENDPOINT]\n       \
    warehouse --machine NAME [--robots NUMBER] [--endpoint ENDPOINT]\n       \
    warehouse --check FOLDER\n\n\
    The first form starts a hub and the machines, each as a process. The second form is one machine, for a hub that was started by\n\
    `bt-fleet warehouse --keeper`; it adds robots only with `--robots`. The third form checks recordings: each robot was at\n\
    one machine at a time.\n\n\
    --robots NUMBER      how many robots there are (default: 200)\n\
    --machines NUMBER    how many processes tick them (default: 4)\n\
    --seconds NUMBER     when to end (default: never)\n\
    --record FOLDER      record all robots\n\
    --address ADDRESS    address and port of the page (default: 127.0.0.1:7117)\n\
    --endpoint ENDPOINT  where the machines find the hub (default: tcp/127.0.0.1:7447)";

/// What the program does.
pub(crate) struct Options {
    pub(crate) role: Role,
    pub(crate) story: Story,
}

pub(crate) enum Role {
    /// The hub, with its machines.
    Story,
    /// One machine with a name.
    Machine(String),
    /// Checks the recordings of a folder.
    Check(PathBuf),
}

pub(crate) struct Story {
    pub(crate) robots: usize,
    pub(crate) machines: usize,
    pub(crate) seconds: Option<u64>,
    pub(crate) record: Option<PathBuf>,
    pub(crate) address: String,
    pub(crate) endpoint: String,
}

impl Options {
    pub(crate) fn parse(mut arguments: impl Iterator<Item = String>) -> Result<Self, Box<dyn Error>> {
        let (mut role, mut robots) = (Role::Story, None);
        let mut story = Story {
            robots: 0,
            machines: 4,
            seconds: None,
            record: None,
            address: "127.0.0.1:7117".to_owned(),
            endpoint: "tcp/127.0.0.1:7447".to_owned(),
        };
        while let Some(option) = arguments.next() {
            if option == "--help" {
                println!("{USAGE}");
                std::process::exit(0);
            }
            let value = arguments.next().ok_or_else(|| format!("missing value of `{option}`\n{USAGE}"))?;
            let number = || value.parse().map_err(|_| format!("expected a number for `{option}`, found `{value}`"));
            match option.as_str() {
                "--robots" => robots = Some(number()?),
                "--machines" => story.machines = number()?,
                "--seconds" => story.seconds = Some(number()? as u64),
                "--record" => story.record = Some(value.into()),
                "--address" => story.address = value,
                "--endpoint" => story.endpoint = value,
                "--machine" => role = Role::Machine(value),
                "--check" => role = Role::Check(value.into()),
                _ => return Err(format!("unknown option `{option}`\n{USAGE}").into()),
            }
        }
        if story.machines < 2 {
            return Err(format!("expected at least 2 machines, found {}: one of them is killed", story.machines).into());
        }
        story.robots = robots.unwrap_or(if matches!(role, Role::Story) { 200 } else { 0 });
        Ok(Self { role, story })
    }
}
