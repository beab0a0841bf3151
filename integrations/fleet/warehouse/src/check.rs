//! Checks recordings: each robot was at one machine at a time.

use std::collections::BTreeMap;
use std::error::Error;
use std::fs::{self, File};
use std::io::BufReader;
use std::path::Path;

use bt_core::observe::Recorded;

/// The ticks of a robot in an epoch, at one machine.
#[derive(Default)]
struct Epoch {
    machine: String,
    ticks: Vec<u64>,
}

/// Reads the recordings of a folder, and prints how many ticks and epochs they have.
///
/// # Errors
///
/// Returns an error if an epoch of a robot is at two machines, or if a tick of an epoch is there twice.
pub(crate) fn run(folder: &Path) -> Result<(), Box<dyn Error>> {
    let mut robots: BTreeMap<String, BTreeMap<u128, Epoch>> = BTreeMap::new();
    for entry in fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))? {
        read(&entry?.path(), &mut robots)?;
    }
    let (mut ticks, mut epochs, mut repeated) = (0, 0, 0);
    for (robot, of) in &robots {
        let mut before = 0;
        for (number, epoch) in of {
            let mut pairs = epoch.ticks.iter().zip(epoch.ticks.iter().skip(1));
            if let Some((before, next)) = pairs.find(|(before, next)| next <= before) {
                return Err(format!("{robot}, epoch {number:x}: tick {next} follows tick {before}").into());
            }
            let first = epoch.ticks.first().copied().unwrap_or(before);
            // A machine that was cut off goes on until its lease ends, from which the next one does not continue.
            repeated += before.saturating_sub(first);
            before = epoch.ticks.last().map_or(before, |last| last + 1);
            ticks += epoch.ticks.len();
        }
        epochs += of.len();
    }
    let robots = robots.len();
    println!(
        "{robots} robots, {ticks} ticks, {epochs} epochs, each at one machine; {repeated} ticks were repeated after a machine was lost"
    );
    Ok(())
}

/// Adds the ticks of a recording.
fn read(path: &Path, robots: &mut BTreeMap<String, BTreeMap<u128, Epoch>>) -> Result<(), Box<dyn Error>> {
    let recorded = Recorded::read(BufReader::new(File::open(path)?));
    let recorded = recorded.map_err(|error| format!("{}: {error}", path.display()))?;
    if let Some(error) = recorded.dropped.first() {
        return Err(format!("{}: {error}", path.display()).into());
    }
    let mut epochs = BTreeMap::new();
    for change in &recorded.variables {
        let value = change.value.as_deref().unwrap_or_default();
        match change.name.as_str() {
            "epoch" => _ = epochs.insert(change.agent, u128::from_str_radix(value.trim_matches('"'), 16)?),
            // It changes with each tick.
            "tick" => {
                let name = recorded.names.get(&change.agent).and_then(|name| name.split_once('/'));
                let (machine, robot) = name.ok_or("a robot has no name")?;
                let number = *epochs.get(&change.agent).ok_or("a tick is in no epoch")?;
                let epoch = robots.entry(robot.to_owned()).or_default().entry(number).or_default();
                if epoch.machine.is_empty() {
                    machine.clone_into(&mut epoch.machine);
                } else if epoch.machine != machine {
                    let other = &epoch.machine;
                    return Err(format!("{robot}: epoch {number:x} is at {other} and at {machine}").into());
                }
                epoch.ticks.push(value.parse()?);
            }
            _ => {}
        }
    }
    Ok(())
}
