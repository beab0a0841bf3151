//! Trees in the XML of BehaviorTree.CPP.

mod folder;

use folder::Folder;

const DOOR: &str = r#"<root BTCPP_format="4" main_tree_to_execute="Main">
  <!-- A comment. -->
  <BehaviorTree ID="Main">
    <Fallback name="enter">
      <Inverter><IsClosed/></Inverter>
      <SubTree ID="Open" door="{door}" tries="3"/>
      <Smash _skipIf="strength &lt; 3"/>
    </Fallback>
  </BehaviorTree>
  <BehaviorTree ID="Open">
    <Sequence>
      <Script code="left := tries"/>
      <RetryUntilSuccessful num_attempts="{tries}"><OpenDoor door="{door}"/></RetryUntilSuccessful>
      <Sleep msec="1500"/>
    </Sequence>
  </BehaviorTree>
</root>
"#;

#[test]
fn check_and_draw() {
    let folder = Folder::new("xml-check");
    folder.write("door.xml", DOOR);
    let leaves = ["--leaf", "IsClosed", "--leaf", "OpenDoor", "--leaf", "Smash"];
    let (success, output, errors) = folder.bt(&[&["check", "door.xml"][..], &leaves].concat());
    assert!(success && errors.is_empty(), "{errors}");
    assert!(output.starts_with("door.xml: OK ("), "{output}");
    let (success, _, errors) = folder.bt(&[&["check", "door.xml"][..], &leaves[..4]].concat());
    assert!(!success);
    assert_eq!(errors.lines().next(), Some("door.xml:7:8: tree \"Main\": unknown node `Smash`"));
    let (_, drawing, _) = folder.bt(&["draw", "door.xml"]);
    assert_eq!(drawing.lines().next(), Some("btcpp::Fallback \"enter\""), "{drawing}");

    folder.write("bad.xml", &DOOR.replace("num_attempts", "num_atempts").replace("tries\"/>", "tries +\"/>"));
    let (success, _, errors) = folder.bt(&["check", "bad.xml"]);
    assert!(!success);
    assert_eq!(
        errors,
        "bad.xml:12:36: script `code`: found the end of the script; expected a value or a variable\n\
         bad.xml:13:29: unknown port `num_atempts` of RetryUntilSuccessful; help: did you mean `num_attempts`?\n"
    );
}

#[test]
fn a_conversion_says_what_of_models_it_leaves_out() {
    let folder = Folder::new("xml-models");
    let ports = "<input_port name=\"place\" type=\"int\" default=\"3\">Where to go.</input_port><output_port name=\"at\" type=\"int\"/><input_port name=\"by\"/>";
    let model = format!("<TreeNodesModel><Action ID=\"Goto\">{ports}</Action></TreeNodesModel>");
    let text = format!("<root BTCPP_format=\"4\"><BehaviorTree ID=\"a\"><Goto/></BehaviorTree>{model}</root>");
    folder.write("a.xml", &text);
    let (success, _, errors) = folder.bt(&["convert", "a.xml", "b.xml"]);
    let lost = "b.xml: left out: 2 types of ports, 1 description of a port, 1 direction of a port\n";
    assert!(success && errors == lost, "{errors}");
    let models = "<Action ID=\"Goto\" editable=\"true\"><MetadataFields/></Action><Condition ID=\"Wait\"/><SubTree ID=\"b\"/><Style/>";
    folder.write("c.xml", &format!("<root BTCPP_format=\"4\" project_name=\"p\" main_tree_to_execute=\"a\"><BehaviorTree ID=\"a\" _description=\"far\" _x=\"1\"><Sequence><Wait _uid=\"3\"/><SubTree ID=\"b\" _autoremap=\"true\"/></Sequence></BehaviorTree><BehaviorTree ID=\"b\"><Goto _skipIf=\"x\"/></BehaviorTree><TreeNodesModel>{models}</TreeNodesModel></root>"));
    let lost = "attribute `project_name` of <root>, 1 attribute `_x` of <BehaviorTree>, 1 attribute `_uid` of <Wait>, \
                1 attribute `editable` of <Action>, 1 element <MetadataFields>, 1 model of a tree, 1 element <Style>";
    let (success, _, errors) = folder.bt(&["convert", "c.xml", "d.json"]);
    assert_eq!((success, errors), (true, format!("d.json: left out: 1 {lost}\n")));
    assert!(folder.bt(&["convert", "d.json", "e.xml"]).0);
    let written = folder.read("e.xml");
    assert!(written.contains("<BehaviorTree ID=\"a\" _description=\"far\">"), "{written}");
    assert!(written.contains("    <Condition ID=\"Wait\"/>\n"), "{written}");
}

#[test]
fn a_conversion_keeps_the_order_of_arguments() {
    let folder = Folder::new("xml-order");
    let text = "sequence { b(z = 1, a = 2), Many(y = 3, b = 4) { c } }\n";
    folder.write("a.bt", text);
    assert_eq!(folder.bt(&["convert", "a.bt", "a.xml"]), (true, String::new(), String::new()));
    let written = folder.read("a.xml");
    assert!(written.contains("<b z=\"1\" a=\"2\"/>") && written.contains("<Many y=\"3\" b=\"4\">"), "{written}");
    assert!(folder.bt(&["convert", "a.bt", "c.bt"]).0);
    assert_eq!(folder.read("c.bt"), text);
    assert!(folder.bt(&["convert", "a.xml", "b.bt"]).0);
    let written = folder.read("b.bt");
    assert!(written.contains("b(z = \"1\", a = \"2\"), Many(y = \"3\", b = \"4\") { c }"), "{written}");
}

#[test]
fn the_kind_of_a_node_survives_a_conversion_or_is_left_out() {
    let folder = Folder::new("xml-kinds");
    let nodes = "<Condition ID=\"IsNear\"/><Control ID=\"Many\"><Action ID=\"Go\"/></Control>";
    folder.write(
        "a.xml",
        &format!("<root BTCPP_format=\"4\"><BehaviorTree ID=\"a\"><Sequence>{nodes}</Sequence></BehaviorTree></root>"),
    );
    assert_eq!(folder.bt(&["convert", "a.xml", "a.json"]), (true, String::new(), String::new()));
    assert!(folder.bt(&["convert", "a.json", "b.xml"]).0);
    let written = folder.read("b.xml");
    let models = "<Action ID=\"Go\"/>\n    <Condition ID=\"IsNear\"/>\n    <Control ID=\"Many\"/>\n";
    assert!(written.contains(models), "{written}");
    let (success, _, errors) = folder.bt(&["convert", "a.xml", "a.bt"]);
    assert_eq!((success, &*errors), (true, "a.bt: left out: 2 fields `category`\n"));
}

#[test]
fn convert_there_and_back() {
    let folder = Folder::new("xml-convert");
    folder.write("door.xml", DOOR);
    let (success, _, errors) = folder.bt(&["convert", "door.xml", "door.bt"]);
    assert!(success, "{errors}");
    assert_eq!(errors, "door.bt: left out: 1 comment\n");
    let (success, _, errors) = folder.bt(&["convert", "door.bt", "again.xml"]);
    assert!(success && errors.is_empty(), "{errors}");
    let again = folder.read("again.xml");
    assert!(again.contains("<Smash _skipIf=\"strength &lt; 3\"/>"), "{again}");
    assert!(again.contains("<SubTree ID=\"Open\" door=\"{door}\" tries=\"3\"/>"), "{again}");
    let (success, _, errors) = folder.bt(&["convert", "again.xml", "door.json"]);
    assert!(success && errors.is_empty(), "{errors}");
    let (success, _, errors) = folder.bt(&["convert", "door.json", "last.xml"]);
    assert!(success, "{errors}");
    let last = folder.read("last.xml");
    let trees =
        |text: &str| text.split("<TreeNodesModel>").next().map(|trees| trees.replace("</root>", "").trim().to_owned());
    assert_eq!(trees(&last), trees(&again));

    folder.write("machine.bt", "sequence { cooldown(secs(1)) { attack } }");
    let (success, _, errors) = folder.bt(&["convert", "machine.bt", "machine.xml"]);
    assert!(!success);
    assert_eq!(errors, "machine.bt:1:12: `cooldown` has no counterpart in BehaviorTree.CPP\n");
}

#[test]
fn what_xml_cannot_contain_is_refused() {
    let folder = Folder::new("xml-control");
    let arguments =
        "sequence {\n    a(x = \"p\\0q\", y = \"\\u{fffe}\"),\n    b \"\\u{7}\",\n    c(x = \"\\t\\n\\u{85}\"),\n}\n";
    folder.write("a.bt", arguments);
    let (success, _, errors) = folder.bt(&["convert", "a.bt", "a.xml"]);
    let expected = "a.bt:2:7: attribute `x`: XML cannot contain the character U+0000\n\
        a.bt:2:19: attribute `y`: XML cannot contain the character U+FFFE\n\
        a.bt:3:5: attribute `name`: XML cannot contain the character U+0007\n";
    assert_eq!((success, &*errors), (false, expected));
    folder.write(
        "b.json",
        r#"{"title": "t\u0001", "root": "1", "nodes": {"1": {"name": "Wait", "properties": {"milliseconds": 1}}}}"#,
    );
    let (success, _, errors) = folder.bt(&["convert", "b.json", "a.xml"]);
    assert_eq!((success, &*errors), (false, "b.json: XML cannot contain the character U+0001\n"));
}

#[test]
fn a_list_that_is_not_read_back_is_refused() {
    let folder = Folder::new("xml-lists");
    folder.write(
        "a.bt",
        "sequence {\n    a(x = [1, \"p;q\"], y = []),\n    a(x = [[1, 2], [3]]),\n    a(x = [var(c), 1]),\n}\n",
    );
    let (success, _, errors) = folder.bt(&["convert", "a.bt", "a.xml"]);
    let item = "parameter `x`: a list in XML is written as `a;b`, in which";
    let expected = format!(
        "a.bt:2:7: {item} `\"p;q\"` cannot be an item\n\
         a.bt:2:23: parameter `y`: an attribute in XML has no empty list\n\
         a.bt:3:7: {item} `[1,2]` cannot be an item\n\
         a.bt:4:7: {item} `\"{{c}}\"` cannot be an item\n"
    );
    assert_eq!((success, errors), (false, expected));
    folder.write("b.bt", "sequence { a(x = [1, 2.5], y = [\"p\", \"q r\"]), a(x = null, y = [true]) }\n");
    let (success, _, errors) = folder.bt(&["convert", "b.bt", "b.xml"]);
    assert_eq!((success, &*errors), (true, "b.xml: left out: 1 argument `null`\n"));
    let written = folder.read("b.xml");
    assert!(written.contains("<a x=\"1;2.5\" y=\"p;q r\"/>\n      <a y=\"true\"/>"), "{written}");
    folder.write("t.bt", "tree a \"The first\" { b }\n\ntree b { c }\n");
    let (success, _, errors) = folder.bt(&["convert", "t.bt", "t.xml"]);
    assert_eq!((success, &*errors), (true, "t.xml: left out: 1 title of a tree\n"));
    folder.write("c.bt", "tree a { b(x = 1) }\n\ntree b(x = [[1]]) { c(x = var(x)) }\n");
    let (success, _, errors) = folder.bt(&["convert", "c.bt", "c.xml"]);
    assert_eq!((success, errors), (false, format!("c.bt: tree \"b\": {item} `[1]` cannot be an item\n")));
}

#[test]
fn edit() {
    let folder = Folder::new("xml-edit");
    folder.write("door.xml", DOOR);
    let (_, list, _) = folder.bt(&["edit", "--list", "door.xml"]);
    assert_eq!(list.lines().nth(4), Some(" 4    SubTree(ID = \"Open\", door = var(door), tries = 3)"));
    let (success, _, errors) = folder.bt(&[
        "edit",
        "--apply",
        "wrap 5 Timeout(msec = 300)",
        "--apply",
        "argument 8 num_attempts {tires}",
        "door.xml",
    ]);
    assert!(success, "{errors}");
    let wrapped = "      <Timeout msec=\"300\">\n        <Smash _skipIf=\"strength &lt; 3\"/>\n      </Timeout>\n";
    let expected = DOOR
        .replace("      <Smash _skipIf=\"strength &lt; 3\"/>\n", wrapped)
        .replace("num_attempts=\"{tries}\"", "num_attempts=\"{tires}\"");
    assert_eq!(folder.read("door.xml"), expected);
    for (operation, error) in [
        (
            "argument 9 num_atempts 2",
            "node 9 (`RetryUntilSuccessful(num_attempts = var(tires), num_atempts = 2)`): unknown port `num_atempts` of RetryUntilSuccessful",
        ),
        (
            "insert in 7 Script(code = \"1 +\")",
            "node 12 (`Script(code = \"1 +\")`): script `code`: found the end of the script",
        ),
        (
            "replace 4 SubTree(ID = \"Opn\")",
            "node 4 (`SubTree(ID = \"Opn\")`): unknown tree `Opn`; help: did you mean `Open`?",
        ),
        ("create Main", "a tree `Main` already exists"),
    ] {
        let (success, _, errors) = folder.bt(&["edit", "--apply", operation, "door.xml"]);
        assert!(!success && errors.contains(error), "{operation}: {errors}");
        assert_eq!(folder.read("door.xml"), expected);
    }
    let (success, _, errors) =
        folder.bt(&["edit", "--apply", "create Main", "--apply", "insert in tree Main <A/>", "new.xml"]);
    assert!(success, "{errors}");
    let new = "<root BTCPP_format=\"4\">\n  <BehaviorTree ID=\"Main\">\n    <A/>\n  </BehaviorTree>\n</root>\n";
    assert_eq!(folder.read("new.xml"), new);
}

#[test]
fn numbers_and_flags_are_checked_without_a_program() {
    let folder = Folder::new("xml-ports");
    let file =
        |node: &str| format!("<root BTCPP_format=\"4\">\n<BehaviorTree ID=\"A\">\n{node}\n</BehaviorTree>\n</root>\n");
    for (node, expected) in [
        ("<Repeat num_cycles=\"x\"><B/></Repeat>", "3:21: port `num_cycles`: expected a whole number, found `x`"),
        (
            "<RetryUntilSuccessful num_attempts=\"3.5\"><B/></RetryUntilSuccessful>",
            "3:37: port `num_attempts`: expected a whole number, found `3.5`",
        ),
        (
            "<Parallel success_count=\"all\"><B/><C/></Parallel>",
            "3:26: port `success_count`: expected a whole number, found `all`",
        ),
        (
            "<RunOnce then_skip=\"maybe\"><B/></RunOnce>",
            "3:21: port `then_skip`: expected `true` or `false`, found `maybe`",
        ),
    ] {
        folder.write("ports.xml", &file(node));
        let (success, _, errors) = folder.bt(&["check", "ports.xml"]);
        assert!(!success && errors.lines().next() == Some(&format!("ports.xml:{expected}")), "{errors}");
    }
    folder.write("ports.xml", &file("<Repeat num_cycles=\"{n}\"><B/></Repeat>"));
    assert!(folder.bt(&["check", "ports.xml"]).0);
}
