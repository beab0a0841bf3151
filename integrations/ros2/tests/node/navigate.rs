//! The example `navigate`: Nav2's default tree over clients of real actions, whose servers are another process.

use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};

use crate::common::domain;

/// Returns the program. Cargo builds examples with all tests, but not with `--test node` alone.
fn program() -> PathBuf {
    let test = std::env::current_exe().expect("the path of the test");
    let folder = test.ancestors().nth(2).expect("the folder of the build");
    let program = folder.join("examples/navigate");
    assert!(program.exists(), "run `cargo build --examples` first");
    program
}

/// The servers, until they are dropped.
struct Servers(Option<Child>);

impl Servers {
    fn start(arguments: &[&str]) -> Self {
        let start = Command::new(program()).arg("servers").args(arguments).stdout(Stdio::piped()).spawn();
        Self(Some(start.expect("the servers start")))
    }

    /// Ends the servers. Returns what they have done but for planning.
    fn end(mut self) -> Vec<String> {
        let mut child = self.0.take().expect("they run");
        child.kill().expect("they can be ended");
        let mut done = lines(&child.wait_with_output().expect("their output"));
        // The path is planned once or again, as long as the robot needs.
        done.retain(|line| line != "compute_path_to_pose");
        done
    }
}

impl Drop for Servers {
    fn drop(&mut self) {
        if let Some(child) = &mut self.0 {
            _ = child.kill();
            _ = child.wait();
        }
    }
}

fn lines(output: &Output) -> Vec<String> {
    String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect()
}

/// Runs the robot to its end.
fn robot(arguments: &[&str]) -> Vec<String> {
    let output = Command::new("timeout").arg("60").arg(program()).args(arguments).output().expect("the robot runs");
    assert!(output.status.success(), "{output:?}");
    lines(&output)
}

#[test]
fn the_robot_recovers_and_arrives() {
    let domain = domain().to_string();
    let servers = Servers::start(&[&domain]);
    let robot = robot(&[&domain]);
    assert!(robot.last().is_some_and(|line| line.starts_with("Success after ")), "{robot:?}");
    let fails = ["follow_path", "clear local_costmap", "follow_path"];
    let clears = ["clear local_costmap", "clear global_costmap"];
    assert_eq!(servers.end(), [&fails[..], &clears, &fails, &["spin", "follow_path"]].concat());
}

#[test]
fn a_halt_cancels_the_goal_and_waits_for_the_acknowledgement() {
    let domain = domain().to_string();
    let servers = Servers::start(&["endless", &domain]);
    let robot = robot(&["halt", &domain]);
    assert_eq!(robot.last().map(String::as_str), Some("acknowledged"), "{robot:?}");
    assert_eq!(servers.end(), ["follow_path", "follow_path canceled"]);
}
