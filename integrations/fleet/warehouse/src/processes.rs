//! The processes of the machines.

use std::collections::BTreeMap;
use std::error::Error;
use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};

/// The last report of a machine: the number of its robots, and of what they have delivered.
pub(crate) type Report = (usize, u64);

/// The processes of the machines, by their names. They end with this value, and with this process.
#[derive(Default)]
pub(crate) struct Processes {
    children: BTreeMap<String, Child>,
    reports: Arc<Mutex<BTreeMap<String, Report>>>,
}

impl Processes {
    /// Starts a machine, which adds robots.
    pub(crate) fn start(&mut self, name: &str, endpoint: &str, robots: usize) -> Result<(), Box<dyn Error>> {
        let mut command = Command::new(std::env::current_exe()?);
        command.args(["--machine", name, "--endpoint", endpoint, "--robots", &robots.to_string()]);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let output = BufReader::new(child.stdout.take().ok_or("the output is not there")?);
        let (machine, reports) = (name.to_owned(), Arc::clone(&self.reports));
        std::thread::spawn(move || {
            for line in output.lines().map_while(Result::ok) {
                if let Some(report) = parse(&line) {
                    reports.lock().unwrap_or_else(PoisonError::into_inner).insert(machine.clone(), report);
                }
            }
        });
        self.children.insert(name.to_owned(), child);
        Ok(())
    }

    /// Kills a machine, which cannot do anything before it ends.
    pub(crate) fn kill(&mut self, name: &str) -> Result<(), Box<dyn Error>> {
        if let Some(mut child) = self.children.remove(name) {
            child.kill()?;
            child.wait()?;
        }
        Ok(())
    }

    /// Returns the last reports of the machines that run.
    pub(crate) fn reports(&self) -> BTreeMap<String, Report> {
        let mut reports = self.reports.lock().unwrap_or_else(PoisonError::into_inner).clone();
        reports.retain(|name, _| self.children.contains_key(name));
        reports
    }
}

/// Reads a line of a machine.
fn parse(line: &str) -> Option<Report> {
    let (robots, delivered) = line.strip_prefix("robots ")?.split_once(' ')?;
    Some((robots.parse().ok()?, delivered.parse().ok()?))
}

impl Drop for Processes {
    fn drop(&mut self) {
        for child in self.children.values_mut() {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}
