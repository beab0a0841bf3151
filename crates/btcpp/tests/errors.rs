//! Errors in XML: what was found, what was expected, what to write instead, each with its line and column.

use bt_btcpp::{Document, Nodes, Program, XmlRegistry};
use bt_core::prelude::*;
use bt_dynamic::Registry;

#[action]
fn go(board: &mut Board, #[input] place: String, #[param(default = 1)] speed: u32) {
    board.set(&Key::new("went"), (place, speed));
}

#[action]
fn turn(board: &mut Board, #[input] by: f64) {
    board.set(&Key::new("turned"), by);
}

#[action]
fn see(_: &mut Board, #[output] count: &mut Option<i32>) {
    *count = Some(1);
}

fn registry() -> Registry<Board> {
    let mut registry = Registry::new();
    Nodes::new().constant("RED", 1).add_to(&mut registry);
    registry.add::<go>("GoTo").add::<see>("See").add::<turn>("Turn");
    registry
}

/// Returns the errors of a tree with this content.
fn errors(tree: &str) -> String {
    let xml = format!("<root BTCPP_format=\"4\">\n<BehaviorTree ID=\"Main\">\n{tree}\n</BehaviorTree>\n</root>");
    of_file(&xml)
}

fn of_file(xml: &str) -> String {
    registry().load_xml(xml).err().map(|error| error.to_string()).unwrap_or_default()
}

#[test]
fn of_nodes() {
    for (xml, expected) in [
        ("<Squence><See/></Squence>", "3:2: unknown node `Squence`; help: did you mean `Sequence`?"),
        ("<Sequence/>", "3:2: Sequence: expected at least 1 child, found 0"),
        ("<Inverter><See/><See/></Inverter>", "3:2: Inverter: expected 1 child, found 2"),
        ("<AlwaysSuccess><See/></AlwaysSuccess>", "3:2: AlwaysSuccess: expected no children, found 1"),
        ("<IfThenElse><See/></IfThenElse>", "3:2: IfThenElse: expected 2 to 3 children, found 1"),
        ("<Action/>", "3:2: missing attribute `ID` of <Action>"),
        ("<GoTo/>", "3:2: missing property `place`"),
        ("<GoTo place=\"{door}\" sped=\"3\"/>", "3:28: unknown property `sped`; help: did you mean `speed`?"),
        (
            "<GoTo place=\"{door}\" speed=\"fast\"/>",
            "3:29: property `speed`: invalid type: string \"fast\", expected u32",
        ),
        ("<See count=\"5\"/>", "3:13: property `count`: expected the name of a variable in braces, such as `{path}`"),
        (
            "<Sequence><See count=\"{x}\"/><Turn by=\"{x}\"/></Sequence>",
            "3:39: variable `{x}` has type `i32` as `count` of \"See\", not `f64`",
        ),
    ] {
        assert_eq!(errors(xml), expected, "{xml}");
    }
}

#[test]
fn of_ports() {
    for (xml, expected) in [
        ("<Repeat><See count=\"{x}\"/></Repeat>", "3:2: missing port `num_cycles` of Repeat"),
        (
            "<Repeat num_cycle=\"3\"><See count=\"{x}\"/></Repeat>",
            "3:9: unknown port `num_cycle` of Repeat; help: did you mean `num_cycles`?",
        ),
        (
            "<Repeat num_cycles=\"three\"><See count=\"{x}\"/></Repeat>",
            "3:21: port `num_cycles`: expected a whole number, found `three`",
        ),
        (
            "<Inverter strict=\"1\"><See count=\"{x}\"/></Inverter>",
            "3:11: unknown port `strict` of Inverter; note: it has no ports",
        ),
        (
            "<RunOnce then_skip=\"no\"><See count=\"{x}\"/></RunOnce>",
            "3:21: port `then_skip`: expected `true` or `false`, found `no`",
        ),
        (
            "<Precondition if=\"true\" else=\"SKIP\"><See count=\"{x}\"/></Precondition>",
            "3:31: port `else`: expected `SUCCESS`, `FAILURE`, `SKIPPED` or `RUNNING`, found `SKIP`",
        ),
        (
            "<Switch2 variable=\"{x}\" case_1=\"1\"><AlwaysSuccess/><AlwaysSuccess/><AlwaysSuccess/></Switch2>",
            "3:2: missing port `case_2` of Switch2",
        ),
        (
            "<LoopInt queue=\"1;two\" value=\"{x}\"><AlwaysSuccess/></LoopInt>",
            "3:17: port `queue`: expected a list of whole numbers such as `a;b;c`, found `two` in it",
        ),
        (
            "<TryCatch catch_on_halt=\"true\"><AlwaysSuccess/><AlwaysSuccess/></TryCatch>",
            "3:26: `catch_on_halt` is not supported: a node that is halted ticks no child",
        ),
        (
            "<Timeout msec=\"5\"><AlwaysSuccess/></Timeout>",
            "3:2: missing clock; help: use `Registry::with_clock` and implement `Clock` for the context",
        ),
        (
            "<Delay delay_msec=\"soon\"><AlwaysSuccess/></Delay>",
            "3:20: unknown value `soon`; note: expected a time in milliseconds, or one such as `1.5s`, a range, the name of a registered value or a variable, `{name}` or in a text `var(name)`",
        ),
    ] {
        assert_eq!(errors(xml), expected, "{xml}");
    }
}

#[test]
fn of_scripts() {
    for (xml, expected) in [
        (
            "<Script code=\"x := 1 +\"/>",
            "3:23: script `code`: found the end of the script; expected a value or a variable",
        ),
        (
            "<Script code=\"x = = 2\"/>",
            "3:19: script `code`: found `=`; expected a value or a variable; help: `==` compares, `=` assigns",
        ),
        ("<Script code=\"\"/>", "3:15: script `code`: the script is empty; expected a statement such as `x := 1`"),
        ("<Script code=\"x := 'open\"/>", "3:20: script `code`: `'` without a closing `'`"),
        (
            "<AlwaysSuccess _skipIf=\"x > \"/>",
            "3:29: script `_skipIf`: found the end of the script; expected a value or a variable",
        ),
        (
            "<AlwaysSuccess _while=\"(x\"/>",
            "3:26: script `_while`: found the end of the script; expected an operator or `)`",
        ),
    ] {
        assert_eq!(errors(xml), expected, "{xml}");
    }
}

#[test]
fn of_trees() {
    for (xml, expected) in [
        ("<root BTCPP_format=\"4\"/>", "1:2: the file has no <BehaviorTree>"),
        ("<tree/>", "1:2: expected <root>, found <tree>"),
        (
            "<root BTCPP_format=\"5\"><BehaviorTree ID=\"A\"><AlwaysSuccess/></BehaviorTree></root>",
            "1:21: unknown format `5`; help: write `BTCPP_format=\"4\"`",
        ),
        ("<root BTCPP_format=\"4\"><BehaviorTree ID=\"A\"/></root>", "1:25: expected 1 node in tree `A`, found 0"),
        (
            "<root BTCPP_format=\"4\"><BehaviorTree ID=\"A\"><AlwaysSuccess/><AlwaysSuccess/></BehaviorTree></root>",
            "1:25: expected 1 node in tree `A`, found 2",
        ),
        (
            "<root BTCPP_format=\"4\"><BehaviourTree ID=\"A\"/></root>",
            "1:25: unknown element <BehaviourTree>; help: did you mean `BehaviorTree`?",
        ),
        (
            "<root BTCPP_format=\"4\"><BehaviorTree ID=\"A\"><AlwaysSuccess/></BehaviorTree><BehaviorTree ID=\"B\"><AlwaysSuccess/></BehaviorTree></root>",
            "1:2: the file states no main tree; help: write `main_tree_to_execute` in <root>, or name one of `A`, `B`",
        ),
        (
            "<root BTCPP_format=\"4\" main_tree_to_execute=\"C\"><BehaviorTree ID=\"A\"><AlwaysSuccess/></BehaviorTree></root>",
            "1:46: unknown tree `C`; note: the trees are `A`",
        ),
        (
            "<root BTCPP_format=\"4\"><BehaviorTree ID=\"A\"><AlwaysSuccess/></BehaviorTree><BehaviorTree ID=\"A\"><AlwaysSuccess/></BehaviorTree></root>",
            "1:77: duplicate tree `A`",
        ),
        (
            "<root BTCPP_format=\"4\"><BehaviorTree ID=\"Door\"><SubTree ID=\"Dor\"/></BehaviorTree></root>",
            "1:49: unknown tree `Dor`; help: did you mean `Door`?",
        ),
        (
            "<root BTCPP_format=\"4\"><BehaviorTree ID=\"A\"><SubTree ID=\"A\"/></BehaviorTree></root>",
            "1:46: cycle: tree `A` contains `A`",
        ),
        (
            "<root BTCPP_format=\"4\"><BehaviorTree ID=\"A\"><SubTree/></BehaviorTree></root>",
            "1:46: missing attribute `ID` of <SubTree>",
        ),
        (
            "<root BTCPP_format=\"4\"><include path=\"b.xml\"/><BehaviorTree ID=\"A\"><AlwaysSuccess/></BehaviorTree></root>",
            "1:39: cannot include `b.xml`: a text cannot include files; help: use `load_xml_file`",
        ),
        (
            "<root BTCPP_format=\"4\" main_tree_to_execute=\"A\"><BehaviorTree ID=\"A\"><SubTree ID=\"B\"/></BehaviorTree><BehaviorTree ID=\"B\"><GoTo place=\"{p}\"/></BehaviorTree><TreeNodesModel><SubTree ID=\"B\"><input_port name=\"p\"/></SubTree><Action ID=\"GoTo\"><input_port name=\"plac\"/></Action></TreeNodesModel></root>",
            "1:71: missing port `p` of tree `B`, which its model declares without a default",
        ),
    ] {
        assert_eq!(of_file(xml), expected, "{xml}");
    }
}

#[test]
fn of_attributes_of_any_node() {
    for (xml, expected) in [
        ("<AlwaysSuccess _skipif=\"1\"/>", "3:16: unknown attribute `_skipif`; help: did you mean `_skipIf`?"),
        (
            "<GoTo place=\"a\" _onSucces=\"x:=1\"/>",
            "3:17: unknown attribute `_onSucces`; help: did you mean `_onSuccess`?",
        ),
        ("<AlwaysSuccess _uid=\"3\" _collapsed=\"true\" _description=\"text\"/>", ""),
        (
            "<SubTree ID=\"Main\" _autoremap=\"yes\"/>",
            "3:32: attribute `_autoremap`: expected `true` or `false`, found `yes`",
        ),
        ("<AlwaysSuccess _skipIf=\"1\" __autoremap=\"true\" _autoremap=\"true\"/>", ""),
    ] {
        assert_eq!(errors(xml), expected, "{xml}");
    }
}

#[test]
fn of_a_registry_without_the_nodes() {
    let xml = |node: &str| format!("<root BTCPP_format=\"4\"><BehaviorTree ID=\"Main\">{node}</BehaviorTree></root>");
    let registry = Registry::<Board>::new();
    assert_eq!(
        registry.load_xml(&xml("<Script code=\"x := 1\"/>")).err().unwrap().to_string(),
        "1:49: the registry does not have the nodes of BehaviorTree.CPP, such as Script; help: call `Nodes::new().add_to(&mut registry)`"
    );
    // Words of this library.
    assert!(registry.load_xml(&xml("<Sequence><AlwaysSuccess/></Sequence>")).is_ok());
}

#[test]
fn of_nodes_that_the_program_has_not_added() {
    for (xml, expected) in [
        ("<Wait/>", "3:2: unknown node `Wait`; help: add it to the registry as `btcpp::Wait`"),
        (
            "<PipelineSequence/>",
            "3:2: unknown node `PipelineSequence`; help: call `Nav2Nodes::add_to(&mut registry)`, with the feature `nav2`",
        ),
    ] {
        assert_eq!(errors(xml), expected, "{xml}");
    }
}

#[test]
fn of_a_node_with_a_name_of_behaviortree_cpp() {
    let mut registry = registry();
    registry.add_leaf("TryCatch", |_: &mut Board| true);
    let xml = "<root BTCPP_format=\"4\"><BehaviorTree ID=\"Main\"><TryCatch/></BehaviorTree></root>";
    assert_eq!(
        registry.load_xml(&xml.replace("<TryCatch/>", "<TryCatch><See/><See/></TryCatch>")).unwrap_err().to_string(),
        "1:49: `TryCatch` is a node of BehaviorTree.CPP; help: give the node `TryCatch` of the registry another name"
    );
}

/// A model is what an editor knows of a node: a program knows its ports itself.
#[test]
fn a_program_knows_more_than_a_model() {
    let model = "<TreeNodesModel><Action ID=\"GoTo\"><input_port name=\"place\"/></Action></TreeNodesModel>";
    let xml = |port: &str| {
        format!(
            "<root BTCPP_format=\"4\">{model}<BehaviorTree ID=\"Main\"><GoTo place=\"a\" {port}=\"2\"/></BehaviorTree></root>"
        )
    };
    assert_eq!(of_file(&xml("speed")), "");
    assert_eq!(of_file(&xml("sped")), "1:156: unknown property `sped`; help: did you mean `speed`?");
    let document = Document::read(&xml("speed"), |_| Err(String::new())).unwrap();
    let errors = document.to_project(None, &Program::default()).unwrap_err();
    assert_eq!(errors[0].to_string(), "1:150: unknown port `speed` of GoTo; note: its ports are `place`");
}
