//! What the conversion of XML has to know of the nodes of Nav2.

/// The nodes of Nav2 that need no robot.
pub(crate) const NAMES: [&str; 8] = [
    "RecoveryNode",
    "PipelineSequence",
    "RoundRobin",
    "PersistentSequence",
    "NonblockingSequence",
    "RateController",
    "SingleTrigger",
    "GoalUpdatedController",
];

/// The property of a decorator whose parent resets it as soon as it has ended.
pub(crate) const RESET: &str = "reset";

/// The property that `PersistentSequence` writes.
pub(crate) const CHILD: &str = "current_child_idx";

/// Returns `true` if a node of Nav2 writes the variable that one of its ports names.
pub(crate) fn is_output(node: &str, port: &str) -> bool {
    (node, port) == ("PersistentSequence", CHILD)
}

/// Returns `true` if a decorator keeps what it has seen until its parent resets it.
pub(crate) fn is_latching(node: &str) -> bool {
    matches!(node, "RateController" | "SingleTrigger" | "GoalUpdatedController")
}

/// Returns `true` if a node does not reset this child as soon as the child has ended.
pub(crate) fn is_retaining(node: &str, child: usize) -> bool {
    match node {
        "PipelineSequence" | "NonblockingSequence" => true,
        "WhileDoElse" => child == 0,
        _ => is_latching(node),
    }
}
