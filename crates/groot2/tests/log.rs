//! Logs of this library, compared with those that BehaviorTree.CPP 4.10 has written: see `tests/btcpp/README.md`.

use std::fs;
use std::path::PathBuf;

use bt_btcpp::tick_once;
use bt_core::prelude::*;
use bt_groot2::{BtLog, LogChange, LogError, LogFile, Model, NodeStatus};

use self::robot::{Robot, load};

mod robot;

/// The XML and the log of a tree of BehaviorTree.CPP.
fn fixture(name: &str) -> (String, Vec<u8>) {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/btcpp/logs");
    (
        fs::read_to_string(folder.join(format!("{name}.xml"))).unwrap(),
        fs::read(folder.join(format!("{name}.btlog"))).unwrap(),
    )
}

/// Returns our log of a tree.
fn log(xml: &str) -> Vec<u8> {
    let tree = load(xml);
    let (mut robot, mut memory) = (Robot(Board::new()), tree.memory());
    let mut log = BtLog::new(Vec::new(), &Model::new(&tree).with_id(tree.title()), Duration::ZERO).unwrap();
    let ticks = xml.split_once("ticks: ").unwrap().1.split(' ').next().unwrap();
    for tick in ticks.chars() {
        match tick {
            'h' => tree.halt_with(&mut robot, &mut memory, &mut log),
            'o' => _ = tick_once(|| tree.tick_with(&mut robot, &mut memory, &mut log)),
            _ => _ = tree.tick_with(&mut robot, &mut memory, &mut log),
        }
    }
    log.finish().unwrap()
}

/// Returns a log without times, and without the models, of which BehaviorTree.CPP writes also those that are not used.
fn normalized(log: &[u8]) -> Vec<u8> {
    let file = LogFile::read(log).unwrap();
    let end = 18 + 1 + 4 + file.xml().len() + 8;
    let mut bytes = log[..19].to_vec();
    bytes.extend(file.xml().split_once("<TreeNodesModel>").unwrap().0.bytes());
    for change in log[end..].chunks(9) {
        bytes.extend([0; 6]);
        bytes.extend(&change[6..]);
    }
    bytes
}

fn changes(log: &[u8]) -> Vec<LogChange> {
    LogFile::read(log).unwrap().map(|change| LogChange { time: Duration::ZERO, ..change.unwrap() }).collect()
}

#[test]
fn logs_are_those_of_behaviortree_cpp() {
    for name in ["plain", "reactive", "loops", "subtrees", "decorators", "skips"] {
        let (xml, theirs) = fixture(name);
        let ours = log(&xml);
        let (our_file, their_file) = (LogFile::read(&*ours).unwrap(), LogFile::read(&*theirs).unwrap());
        let trees = |xml: &str| xml.split_once("<TreeNodesModel>").unwrap().0.to_owned();
        assert_eq!(trees(our_file.xml()), trees(their_file.xml()), "{name}");
        let all = changes(&theirs);
        for (at, (ours, theirs)) in changes(&ours).iter().zip(&all).enumerate() {
            assert_eq!(ours, theirs, "{name}: change {at}, after {:?}", &all[at.saturating_sub(8)..at]);
        }
        assert_eq!(changes(&ours).len(), all.len(), "{name}");
        assert!(all.len() > 20, "{name}");
        assert!(normalized(&ours) == normalized(&theirs), "{name}");
    }
}

#[test]
fn a_node_that_ends_is_idle_before_it_starts_again() {
    let (_, log) = fixture("loops");
    let mut statuses = [NodeStatus::Idle; 100];
    for change in changes(&log) {
        assert_ne!(change.status, statuses[usize::from(change.uid)], "a change");
        statuses[usize::from(change.uid)] = change.status;
    }
}

#[test]
fn times_are_those_of_the_ticks() {
    let tree = tree! { for (): selector { fail, run } };
    let mut log = BtLog::new(Vec::new(), &Model::new(&tree), secs(5)).unwrap();
    tree.tick_with(
        &mut (),
        &mut tree.memory(),
        &mut log.for_agent(0, secs(5) + Duration::from_micros(0x0102_0304_0506)),
    );
    let log = log.finish().unwrap();
    let file = LogFile::read(&*log).unwrap();
    assert_eq!(file.first(), secs(5));
    assert_eq!(log[log.len() - 27..log.len() - 18], [6, 5, 4, 3, 2, 1, 2, 0, 3]);
}

#[test]
fn hostile_logs_are_errors() {
    let (_, log) = fixture("plain");
    for length in (0..200).chain(log.len() - 100..log.len()) {
        let end = LogFile::read(&log[..length]).and_then(Iterator::collect::<Result<Vec<_>, _>>);
        if let Ok(changes) = end {
            assert_eq!((log.len() - length) % 9, 0, "{length}");
            assert!(!changes.is_empty());
        }
    }
    let with = |at: usize, bytes: &[u8]| {
        let mut log = log.clone();
        log[at..at + bytes.len()].copy_from_slice(bytes);
        LogFile::read(&*log).and_then(Iterator::collect::<Result<Vec<_>, _>>).unwrap_err()
    };
    assert!(matches!(with(0, b"X"), LogError::NotALog));
    assert!(matches!(with(18, &[2]), LogError::Version(2)));
    assert!(matches!(with(19, &(-1i32).to_le_bytes()), LogError::Length(-1)));
    assert!(matches!(with(19, &i32::MAX.to_le_bytes()), LogError::Length(i32::MAX)));
    assert!(matches!(with(19, &60_000_000i32.to_le_bytes()), LogError::Truncated));
    assert!(matches!(with(23, &[0xff]), LogError::Utf8));
    assert!(matches!(with(log.len() - 1, &[5]), LogError::Status(5)));
}

/// Trees that were not loaded from XML have the nodes that behave in the same way, and others under their own names.
#[test]
fn trees_of_other_notations_have_models() {
    let mut registry = bt_dynamic::Registry::<Robot>::new().with_clock();
    bt_btcpp::Nodes::new().add_to(&mut registry);
    registry.add::<tired>("Tired");
    let tree = registry
        .load(
            r#"{ "title": "day", "root": "1", "nodes": {
                "1": { "name": "Priority", "title": "a <b>", "children": ["2", "3", "4"] },
                "2": { "name": "Tired", "properties": { "limit": 3 } },
                "3": { "name": "until_failure", "children": ["5"] },
                "4": { "name": "wait", "properties": { "time": 500 } },
                "5": { "name": "btcpp::Script", "properties": { "code": "x := 'y'" } }
            } }"#,
        )
        .unwrap();
    let model = Model::new(&tree).with_id(tree.title());
    assert_eq!(
        model.xml(),
        r#"<root BTCPP_format="4">
    <BehaviorTree ID="day" _fullpath="">
        <ReactiveFallback name="a &lt;b&gt;" _uid="1">
            <Tired name="Tired" _uid="2" limit="3"/>
            <until_failure name="until_failure" _uid="3">
                <Script name="Script" _uid="4" code="x := &apos;y&apos;"/>
            </until_failure>
            <Sleep name="Sleep" _uid="5" msec="500"/>
        </ReactiveFallback>
    </BehaviorTree>
    <TreeNodesModel>
        <Control ID="ReactiveFallback"/>
        <Action ID="Script">
            <inout_port name="code"/>
        </Action>
        <Action ID="Sleep">
            <inout_port name="msec"/>
        </Action>
        <Condition ID="Tired">
            <inout_port name="limit"/>
        </Condition>
        <Decorator ID="until_failure"/>
    </TreeNodesModel>
</root>
"#
    );
    bt_btcpp::Document::read(model.xml(), |_| Err(String::new())).unwrap();
}

#[condition]
fn tired(_: &Robot, limit: u32) -> bool {
    limit > 2
}

#[test]
fn machines_and_closures_have_elements() {
    let tree = tree! {
        for Robot: machine {
            state work { |robot: &mut Robot| robot.0 = Board::new(), success -> rest }
            state rest { wait(millis(1500)) }
        }
    };
    let model = Model::new(&tree);
    bt_btcpp::Document::read(model.xml(), |_| Err(String::new())).unwrap();
    assert!(model.xml().contains(r#"msec="1500""#), "{}", model.xml());
    for node in 0..tree.description().nodes().len() {
        let node = NodeId::new(u32::try_from(node).unwrap());
        assert_eq!(model.node(model.uid(node).unwrap()), Some(node));
    }
}
