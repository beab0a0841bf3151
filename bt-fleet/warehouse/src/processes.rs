//! The processes of the machines.

use std::collections::BTreeMap;
use std::error::Error;
use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};

/// What a machine has said last: the number of its robots, and of what they have delivered.
pub(crate) type Said = (usize, u64);

/// The processes of the machines, by their names. They end with this value, and with this process.
#[derive(Default)]
pub(crate) struct Processes {
    children: BTreeMap<String, Child>,
    said: Arc<Mutex<BTreeMap<String, Said>>>,
}

impl Processes {
    /// Starts a machine, which adds robots.
    pub(crate) fn start(&mut self, name: &str, endpoint: &str, robots: usize) -> Result<(), Box<dyn Error>> {
        let mut command = Command::new(std::env::current_exe()?);
        command.args(["--machine", name, "--endpoint", endpoint, "--robots", &robots.to_string()]);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let output = BufReader::new(child.stdout.take().ok_or("the output is not there")?);
        let (name_of, said) = (name.to_owned(), Arc::clone(&self.said));
        std::thread::spawn(move || {
            for line in output.lines().map_while(Result::ok) {
                if let Some(now) = parse(&line) {
                    said.lock().unwrap_or_else(PoisonError::into_inner).insert(name_of.clone(), now);
                }
            }
        });
        self.children.insert(name.to_owned(), child);
        Ok(())
    }

    /// Kills a machine, which cannot say anything anymore.
    pub(crate) fn kill(&mut self, name: &str) -> Result<(), Box<dyn Error>> {
        if let Some(mut child) = self.children.remove(name) {
            child.kill()?;
            child.wait()?;
        }
        Ok(())
    }

    /// Returns what the machines have said last that run.
    pub(crate) fn said(&self) -> BTreeMap<String, Said> {
        let mut said = self.said.lock().unwrap_or_else(PoisonError::into_inner).clone();
        said.retain(|name, _| self.children.contains_key(name));
        said
    }
}

/// Reads a line of a machine.
fn parse(line: &str) -> Option<Said> {
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
