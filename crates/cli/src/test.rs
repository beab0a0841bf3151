//! The command `bt test`.

use std::collections::BTreeMap;
use std::io::BufReader;
use std::ops::RangeInclusive;
use std::path::Path;

use bt_core::observe::{Recorded, TickRecord};
use bt_core::testing::RecordedTest;
use bt_words::{did_you_mean, is_identifier};

use crate::command::{TestArguments, Ticks};
use crate::input::{create, name, open};
use crate::output::Output;

/// Writes a unit test that repeats recorded ticks.
pub(crate) fn run(arguments: &TestArguments) -> Result<Output, String> {
    let path = &*arguments.recording;
    let fault = |error: String| format!("{}: {error}", name(path));
    let recorded = read(path).map_err(fault)?;
    let agent = agent(&recorded, arguments.agent.as_deref()).map_err(fault)?;
    let Ticks { first, last } = arguments.ticks.unwrap_or(Ticks { first: 0, last: u64::MAX });
    let tree = match &arguments.tree {
        Some(tree) => tree.clone(),
        None if is_identifier(&recorded.name) => format!("{}()", recorded.name),
        None => {
            return Err(fault(format!(
                "`{}` is not a function; help: specify the tree with `--tree EXPR`",
                recorded.name
            )));
        }
    };
    let version = version(&recorded, agent, first..=last);
    let description = recorded.description_of(version).unwrap_or(&recorded.description);
    let ticks = recorded.ticks_in(version);
    let of_agent = ticks.iter().filter(|tick| tick.agent == agent);
    let recorded_ticks = of_agent.clone().next().zip(of_agent.clone().next_back());
    let test_name = arguments.name.clone().unwrap_or_else(|| match arguments.ticks {
        Some(_) if last < u64::MAX => format!("ticks_{first}_to_{last}"),
        Some(_) => format!("ticks_from_{first}"),
        None => "recorded_ticks".to_owned(),
    });
    if !is_identifier(&test_name) {
        return Err(format!("`{test_name}` is not the name of a function"));
    }
    let mut test = RecordedTest::new(&test_name, &tree, &arguments.context);
    if let Some(clock) = &arguments.clock {
        test = test.clock(clock.trim_end_matches(';'));
    }
    let source = test.source(description, of_agent, first..=last).map_err(|error| {
        let all = match recorded_ticks {
            Some((from, to)) if to.number < first || from.number > last => {
                format!("; the ticks {} to {} of the agent are", from.number, to.number)
            }
            _ => String::new(),
        };
        fault(format!("{error}{all}"))
    })?;
    let errors: Vec<_> = recorded.dropped.iter().map(|dropped| fault(format!("not read: {dropped}"))).collect();
    let text = match &arguments.output {
        None => source,
        Some(path) => {
            create(path, &source)?;
            String::new()
        }
    };
    Ok(Output { text, errors, is_good: true })
}

/// Returns the version of the tree at the first tick of an agent in a range.
fn version(recorded: &Recorded, agent: u64, range: RangeInclusive<u64>) -> usize {
    let is_within = |tick: &TickRecord| tick.agent == agent && range.contains(&tick.number);
    recorded.ticks.iter().position(is_within).map_or(recorded.changes.len(), |tick| recorded.version_of(tick))
}

fn read(path: &Path) -> Result<Recorded, String> {
    let input = open(path).map_err(|error| error.to_string())?;
    Recorded::read(BufReader::new(input)).map_err(|error| error.to_string())
}

/// Returns the number of the agent with this name or number, or of the only one.
fn agent(recorded: &Recorded, wanted: Option<&str>) -> Result<u64, String> {
    let mut agents: BTreeMap<u64, Option<&str>> = recorded.ticks.iter().map(|tick| (tick.agent, None)).collect();
    for (agent, name) in &recorded.names {
        agents.insert(*agent, Some(name));
    }
    let all = || {
        let shown = agents.iter().take(MOST_NAMES).map(|(agent, name)| match name {
            Some(name) => format!("{name:?} ({agent})"),
            None => agent.to_string(),
        });
        let more = agents.len().checked_sub(MOST_NAMES).filter(|more| *more > 0);
        let more = more.map(|more| format!("{more} more"));
        shown.chain(more).collect::<Vec<_>>().join(", ")
    };
    let Some(wanted) = wanted else {
        return match agents.keys().collect::<Vec<_>>()[..] {
            [agent] => Ok(*agent),
            [] => Err("the recording has no ticks".to_owned()),
            _ => Err(format!("there are several agents: select one with `--agent NAME_OR_NUMBER`: {}", all())),
        };
    };
    let named: Vec<_> = agents.iter().filter(|(_, name)| **name == Some(wanted)).map(|(agent, _)| *agent).collect();
    match *named {
        [agent] => return Ok(agent),
        [_, _, ..] => {
            let numbers: Vec<_> = named.iter().map(u64::to_string).collect();
            return Err(format!("several agents are named `{wanted}`: select one by number: {}", numbers.join(", ")));
        }
        [] => {}
    }
    match wanted.parse() {
        Ok(agent) if agents.contains_key(&agent) => Ok(agent),
        _ => {
            let names = agents.values().flatten().copied();
            let help = did_you_mean(wanted, names);
            Err(format!("unknown agent `{wanted}`{help}; the agents are {}", all()))
        }
    }
}

/// The maximum number of agents in a message.
const MOST_NAMES: usize = 20;
