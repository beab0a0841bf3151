//! A tree with the structure of Nav2's default one.

use bt_btcpp::XmlRegistry;

use crate::robot::{Run, registry};

const LEAVES: [&str; 14] = [
    "ControllerSelector",
    "PlannerSelector",
    "GlobalUpdatedGoal",
    "IsGoalNearby",
    "ValidatePath",
    "ComputePathToPose",
    "WouldAPlannerRecoveryHelp",
    "ClearEntireCostmap",
    "FollowPath",
    "WouldAControllerRecoveryHelp",
    "GoalUpdated",
    "Spin",
    "btcpp::Wait",
    "BackUp",
];

/// Loads the tree, for a robot that follows its path and is far from its goal.
fn run() -> Run {
    let tree = registry(&LEAVES).load_xml(include_str!("navigate.xml")).expect("a valid tree");
    let mut run = Run::new(tree);
    for (leaf, status) in [("GlobalUpdatedGoal", "F"), ("IsGoalNearby", "F"), ("GoalUpdated", "F"), ("FollowPath", "R")]
    {
        run.set(leaf, status);
    }
    run
}

/// Ticks the tree. Returns the status and the actions that do something.
fn acts(run: &mut Run, milliseconds: u64) -> String {
    let names = [
        ("ComputePathToPose", "plan"),
        ("FollowPath", "follow"),
        ("ClearEntireCostmap:global_costmap", "clear_global"),
        ("ClearEntireCostmap:local_costmap", "clear_local"),
        ("Spin", "spin"),
        ("Wait", "wait"),
        ("BackUp", "back_up"),
    ];
    let all = run.at(milliseconds);
    let name = |event: &str| {
        let (minus, event) = event.strip_prefix('-').map_or(("", event), |event| ("-", event));
        names.iter().find(|(leaf, _)| *leaf == event).map(|(_, name)| format!(" {minus}{name}"))
    };
    let shown: String = all.split(' ').skip(1).filter_map(name).collect();
    format!("{}{shown}", &all[..1])
}

#[test]
fn the_path_is_planned_again_at_1_hertz() {
    let mut run = run();
    let ticks = [0, 500, 1000, 1500, 2100].map(|at| acts(&mut run, at));
    assert_eq!(ticks, ["R plan follow", "R follow", "R plan follow", "R follow", "R plan follow"]);
    assert_eq!(acts(run.set("FollowPath", "S"), 2200), "S follow");
}

#[test]
fn near_the_goal_a_valid_path_is_kept() {
    let mut run = run();
    run.set("IsGoalNearby", "S");
    assert_eq!([acts(&mut run, 0), acts(&mut run, 1000)], ["R follow", "R follow"]);
    run.set("ValidatePath", "F");
    assert_eq!(acts(&mut run, 2000), "R plan follow");
}

#[test]
fn a_failed_plan_clears_the_global_costmap() {
    let mut run = run();
    run.set("ComputePathToPose", "FS");
    assert_eq!(acts(&mut run, 0), "R plan clear_global plan follow");
}

#[test]
fn a_failed_controller_clears_the_local_costmap() {
    let mut run = run();
    run.set("FollowPath", "RFR");
    assert_eq!(acts(&mut run, 0), "R plan follow");
    assert_eq!(acts(&mut run, 100), "R follow clear_local follow");
}

#[test]
fn the_whole_recovers_with_one_action_after_the_other() {
    let mut run = run();
    run.set("FollowPath", "F").set("Spin", "R").set("WouldAPlannerRecoveryHelp", "F");
    let tries = "plan follow clear_local follow";
    let clears = "clear_local clear_global";
    assert_eq!(acts(&mut run, 0), format!("R {tries} {clears} {tries} spin"));
    assert_eq!(acts(&mut run, 100), "R spin");
    run.set("Spin", "S").set("Wait", "R");
    assert_eq!(acts(&mut run, 200), format!("R spin {tries} wait"));
    run.set("Wait", "F").set("BackUp", "R");
    assert_eq!(acts(&mut run, 300), "R wait back_up");
    run.set("BackUp", "S").set("FollowPath", "R");
    assert_eq!(acts(&mut run, 400), "R back_up plan follow");
}

#[test]
fn after_6_recoveries_the_tree_fails() {
    let mut run = run();
    run.set("FollowPath", "F");
    let tries = "plan follow clear_local follow";
    let recoveries = ["clear_local clear_global", "spin", "wait", "back_up", "clear_local clear_global", "spin"];
    let mut expected = format!("F {tries}");
    for recovery in recoveries {
        expected += &[" ", recovery, " ", tries].concat();
    }
    assert_eq!(acts(&mut run, 0), expected);
}

#[test]
fn an_error_that_no_recovery_helps_with_ends_the_tree() {
    let mut run = run();
    run.set("FollowPath", "F").set("WouldAControllerRecoveryHelp", "F").set("WouldAPlannerRecoveryHelp", "F");
    assert_eq!(acts(&mut run, 0), "F plan follow");
}

#[test]
fn a_new_goal_ends_the_recovery() {
    let mut run = run();
    run.set("FollowPath", "FFR").set("ClearEntireCostmap:global_costmap", "R");
    assert_eq!(acts(&mut run, 0), "R plan follow clear_local follow clear_local clear_global");
    run.set("GoalUpdated", "S");
    assert_eq!(acts(&mut run, 100), "R -clear_global plan follow");
}
