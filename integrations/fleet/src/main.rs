//! The command `bt-fleet FLEET`, which shows the machines of a fleet in the browser.

#![forbid(unsafe_code)]

use std::ffi::OsString;
use std::io::Write as _;
use std::process::ExitCode;
use std::time::Duration;

use bt_fleet::{FleetHub, HubConfig, RecordConfig};
use bt_inspector::CollectFilter;

/// How long agents of a machine that is gone stand still.
const LEASE: Duration = Duration::from_secs(2);

const USAGE: &str = "usage: bt-fleet FLEET [--address ADDRESS] [--token] [--edit] [--keeper [--etcd URL]…] [--record FOLDER …] [--listen ENDPOINT]… [--connect ENDPOINT]… [--zenoh FILE]\n\n\
    Serves a page that shows the behavior trees of all machines of a fleet.\n\n\
    --address ADDRESS    address and port of the page (default: 127.0.0.1:7117)\n\
    --token              require the token in the printed URL on a loopback address, too\n\
    --edit               let the page edit documents of machines whose programs allow it, and send them to other machines\n\
    --keeper             decide which process has which agent of `Sharded` herds (lease: 2 s); a fleet has one keeper\n\
    --etcd URL           be the keeper only while this hub has a lock in this etcd, such as http://127.0.0.1:2379\n\
    --record FOLDER      record the agents of all machines in files, for `bt-inspector` and `bt test`\n\
    --record-limit MB    the size of all recordings, of which the oldest are deleted (default: 100, at least 1)\n\
    --record-agents TEXT record only agents whose names contain TEXT\n\
    --record-tree NAME   record only agents of this tree\n\
    --record-errors      record only ticks with an error, and the 32 ticks before\n\
    --listen ENDPOINT    where machines connect (default: tcp/127.0.0.1:7447), such as tcp/0.0.0.0:7447;\n                         \
    every program that reaches it can control the machines\n\
    --connect ENDPOINT   a machine or a zenoh router to connect to\n\
    --zenoh FILE         further settings of zenoh, such as TLS and access control (JSON5)";

fn main() -> ExitCode {
    match run(std::env::args_os().skip(1)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: impl Iterator<Item = OsString>) -> Result<(), String> {
    let Some(config) = parse(arguments)? else {
        println!("{USAGE}");
        return Ok(());
    };
    let config = config.on_change(|change| {
        // The page stays, even if nobody reads this anymore.
        let _ = if change.is_problem() {
            writeln!(std::io::stderr(), "{change}")
        } else {
            writeln!(std::io::stdout(), "{change}")
        };
    });
    let hub = FleetHub::serve(config).map_err(|error| error.to_string())?;
    println!("{}", hub.url());
    loop {
        std::thread::park();
    }
}

/// Returns the configuration, or `None` to show how the command is used.
fn parse(mut arguments: impl Iterator<Item = OsString>) -> Result<Option<HubConfig>, String> {
    let mut fleet = None::<String>;
    let mut options = Vec::new();
    while let Some(argument) = arguments.next() {
        let argument = text(argument)?;
        match argument.as_str() {
            "--help" | "-h" => return Ok(None),
            "--token" | "--edit" | "--keeper" | "--record-errors" => options.push((argument, OsString::new())),
            "--address" | "--etcd" | "--listen" | "--connect" | "--zenoh" | "--record" | "--record-limit"
            | "--record-agents" | "--record-tree" => {
                let missing = || format!("missing value of `{argument}`\n{USAGE}");
                let value = arguments.next().filter(|value| !value.to_string_lossy().starts_with("--"));
                let value = value.ok_or_else(missing)?;
                options.push((argument, value));
            }
            option if option.starts_with('-') => return Err(format!("unknown option `{option}`\n{USAGE}")),
            _ if fleet.is_some() => return Err(format!("expected one fleet, found also `{argument}`\n{USAGE}")),
            _ => fleet = Some(argument),
        }
    }
    let mut config = HubConfig::new(&fleet.ok_or(USAGE)?);
    if let Some(record) = recording(&options)? {
        config = config.record(record);
    }
    for (option, value) in options {
        config = match option.as_str() {
            "--token" => config.token(true),
            "--edit" => config.edit(true),
            "--keeper" => config.keeper(LEASE),
            "--etcd" => config.etcd(&text(value)?),
            "--address" => config.address(&text(value)?),
            "--listen" => config.listen(&text(value)?),
            "--connect" => config.connect(&text(value)?),
            // A path may not be valid UTF-8.
            "--zenoh" => config.zenoh(value),
            _ => config,
        };
    }
    Ok(Some(config))
}

/// Returns what is recorded, by the options for that.
fn recording(options: &[(String, OsString)]) -> Result<Option<RecordConfig>, String> {
    let value = |name: &str| options.iter().rev().find(|(option, _)| option == name).map(|(_, value)| value.clone());
    let Some(folder) = value("--record") else {
        let without = options.iter().find(|(option, _)| option.starts_with("--record-"));
        return match without {
            Some((option, _)) => Err(format!("`{option}` needs `--record FOLDER`\n{USAGE}")),
            None => Ok(None),
        };
    };
    let mut filter = CollectFilter::default();
    if let Some(agents) = value("--record-agents") {
        filter = filter.agents(&text(agents)?);
    }
    if let Some(tree) = value("--record-tree") {
        filter = filter.tree(&text(tree)?);
    }
    if value("--record-errors").is_some() {
        filter = filter.errors();
    }
    let mut config = RecordConfig::new(folder).only(filter);
    if let Some(limit) = value("--record-limit") {
        let limit = text(limit)?;
        let megabytes: u64 = limit
            .parse()
            .map_err(|_| format!("expected a number of megabytes for `--record-limit`, found `{limit}`\n{USAGE}"))?;
        config = config.limit(megabytes.saturating_mul(1_000_000));
    }
    Ok(Some(config))
}

fn text(argument: OsString) -> Result<String, String> {
    argument.into_string().map_err(|given| format!("invalid argument `{}`: it is not UTF-8", given.display()))
}
