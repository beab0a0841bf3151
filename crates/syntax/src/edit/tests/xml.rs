//! Files of BehaviorTree.CPP.

use std::fmt::Write as _;

use super::super::{At, Document, Notation, Numbers, Operation, command, list};

const ROBOT: &str = r#"<?xml version="1.0"?>
<!-- The robot. -->
<root BTCPP_format="4" main_tree_to_execute="Main">
  <BehaviorTree ID="Main">
    <Sequence name="day"> <!-- all of it -->
      <!-- Says so. -->
      <Say message='it&apos;s "{what}"' _skipIf="count &lt; 3"/>

      <SubTree ID="Walk" goal="{door}"/> <!-- far -->
      <Fallback><A/><B x="1"/></Fallback>
    </Sequence>
  </BehaviorTree>
  <BehaviorTree ID="Walk">
    <Control ID="Fallback">
      <Action ID="Goto"
              goal="{goal}"
              speed="0.5"/>
      <Repeat num_cycles="3">
        <Stand></Stand>
      </Repeat>
    </Control>
  </BehaviorTree>
  <TreeNodesModel>
    <SubTree ID="Walk"><input_port name="goal"/></SubTree>
  </TreeNodesModel>
</root>
"#;

fn read(text: &str) -> Document {
    Document::read(Notation::XML, text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// Applies commands in order, with the numbers that the nodes had at first.
fn edited(text: &str, commands: &[&str]) -> Result<String, String> {
    let mut document = read(text);
    let mut numbers = Numbers::of(&document);
    for text in commands {
        let operation = command(text, &document, &numbers)?;
        document.apply(&operation)?;
        numbers.add(&document);
    }
    document.write()
}

/// Returns the lines that commands change, as in a difference.
fn changed(commands: &[&str]) -> String {
    let after = edited(ROBOT, commands).unwrap_or_else(|error| panic!("{commands:?}: {error}"));
    let lines = similar::TextDiff::from_lines(ROBOT, &after);
    let changed = lines.iter_all_changes().filter(|change| change.tag() != similar::ChangeTag::Equal);
    changed.flat_map(|change| [change.tag().to_string(), change.value().to_owned()]).collect()
}

#[test]
fn an_unchanged_file_is_written_as_it_was_read() {
    let document = read(ROBOT);
    assert_eq!(document.write().as_deref(), Ok(ROBOT));
    let expected = r#"tree 1 Main
 1  Sequence "day"
 2    Say(message = "it's \"{what}\"", _skipIf = "count < 3")
 3    SubTree(ID = "Walk", goal = var(door))
 4    Fallback
 5      A
 6      B(x = 1)
tree 2 Walk
 7  Fallback
 8    Goto(goal = var(goal), speed = 0.5)
 9    Repeat(num_cycles = 3)
10      Stand
"#;
    assert_eq!(list(&document, &Numbers::of(&document)), expected);
}

#[test]
fn only_what_differs_is_written() {
    let cases = include_str!("xml.diff").split("\n\n").filter(|case| case.starts_with("> "));
    let mut count = 0;
    for case in cases {
        let (commands, lines): (Vec<_>, Vec<_>) = case.lines().partition(|line| line.starts_with("> "));
        let commands: Vec<_> = commands.iter().map(|line| line[2..].replace("\\n", "\n")).collect();
        let commands: Vec<_> = commands.iter().map(String::as_str).collect();
        let expected: String = lines.into_iter().flat_map(|line| [line, "\n"]).collect();
        assert_eq!(changed(&commands), expected, "{commands:?}");
        count += 1;
    }
    assert_eq!(count, 45);
}

#[test]
fn files_of_robots_are_written_as_they_were_read() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../btcpp/tests");
    let folders = ["tutorials/trees", "nav2"].map(|name| folder.join(name));
    let files = folders.iter().flat_map(|folder| std::fs::read_dir(folder).expect("a folder"));
    let files =
        files.map(|file| file.expect("a file").path()).filter(|file| file.extension().is_some_and(|end| end == "xml"));
    let mut count = 0;
    for file in files {
        let text = std::fs::read_to_string(&file).expect("a text");
        let mut document = read(&text);
        assert_eq!(document.write().as_deref(), Ok(&*text), "{}", file.display());
        let nodes: Vec<_> = document.trees.iter().flat_map(|tree| tree.nodes()).map(|node| node.id).collect();
        for node in nodes {
            let [disable, enable] = [true, false].map(|disabled| {
                let nodes = vec![node];
                if disabled { Operation::Disable { nodes } } else { Operation::Enable { nodes } }
            });
            if document.apply(&disable).is_ok() {
                assert_ne!(document.write().as_deref(), Ok(&*text));
                document.apply(&enable).expect("it can be undone");
            }
        }
        assert_eq!(document.write().as_deref(), Ok(&*text), "{}", file.display());
        count += 1;
    }
    assert!(count > 4, "{count}");
}

#[test]
fn a_file_of_one_tree_names_it_when_it_gets_a_second() {
    let one = r#"<root BTCPP_format="4"><BehaviorTree ID="A"><B><C/></B></BehaviorTree></root>"#;
    let two = r#"<root BTCPP_format="4" main_tree_to_execute="A"><BehaviorTree ID="A"><B><SubTree ID="D"/></B></BehaviorTree><BehaviorTree ID="D"><C/></BehaviorTree></root>"#;
    assert_eq!(edited(one, &["extract 2 D"]).as_deref(), Ok(two));
    assert_eq!(
        edited("<root/>", &["create A", "insert in tree A <B/>"]).as_deref(),
        Ok("<root>\n  <BehaviorTree ID=\"A\">\n    <B/>\n  </BehaviorTree>\n</root>")
    );
}

#[test]
fn a_tree_whose_variables_are_all_connected_or_that_has_none_is_inlined() {
    let file = |attributes: &str, inner: &str| {
        format!(
            "<root><BehaviorTree ID='A'><S><SubTree ID='T'{attributes}/></S></BehaviorTree><BehaviorTree ID='T'>{inner}</BehaviorTree></root>"
        )
    };
    for (attributes, inner) in [
        ("", "<B/>"),
        ("", "<B x='1'/>"),
        (" _autoremap='true'", "<B x='{y}'/>"),
        (" _autoremap='1'", "<Script code='y := 1'/>"),
    ] {
        let inlined = file("", inner).replace("<SubTree ID='T'/>", inner);
        assert_eq!(edited(&file(attributes, inner), &["inline 2"]).as_deref(), Ok(&*inlined));
    }
    for (attributes, inner) in [
        ("", "<B x='{y}'/>"),
        ("", "<Script code='y := 1'/>"),
        (" y='{z}'", "<B/>"),
        (" _autoremap='false'", "<B/>"),
        ("", "<B><C _skipIf='y'/></B>"),
    ] {
        assert!(
            edited(&file(attributes, inner), &["inline 2"])
                .is_err_and(|error| error.contains("so it cannot be inlined")),
            "{attributes} {inner}"
        );
    }
}

#[test]
fn what_cannot_be_done_is_an_error_and_changes_nothing() {
    for (command, error) in [
        ("inline 3", "the tree `Walk` has ports or conditions where it is used, so it cannot be inlined"),
        (
            "remove Walk",
            "the tree is used by a node, `SubTree(ID = \"Walk\", goal = var(door))`; help: inline or delete it first",
        ),
        (
            "annotate 2 3",
            "weights, scores and cases are properties of the parent in a file; help: change the argument of the parent",
        ),
        (
            "insert after 2 wait(secs(2))",
            "`wait(secs(2))`: a port of `wait` needs its name, as in `port = \"2s\"`; help: write a node of XML, such as `Repeat(num_cycles = 3) { Walk }`",
        ),
        (
            "insert after 2 if a { b } else { c }",
            "`if a`: expected a name with ports; help: write a node of XML, such as `Repeat(num_cycles = 3) { Walk }`",
        ),
        (
            "insert after 2 a { 2 => b }",
            "`b`: XML has only names, ports and children; help: write a node of XML, such as `Repeat(num_cycles = 3) { Walk }`",
        ),
        ("insert after 2 <a", "the text is not XML: "),
        ("insert after 2 <a></b>", "the text is not XML: "),
        ("insert after 2 <root><BehaviorTree><a/></BehaviorTree><BehaviorTree/></root>", "expected one tree, found 2"),
        ("create Walk", "a tree `Walk` already exists"),
        ("disable 1", "the root cannot be disabled"),
        ("disable 2", "`Say` has `_skipIf` already; help: remove it first"),
        ("argument 2 ID x", "`Say` cannot have the port `ID`: only `SubTree` has it"),
        ("argument 2 name x", "`Say` cannot have the port `name`: it is the label"),
        ("label 2 \"\\u0001\"", "XML cannot contain the character U+0001"),
        ("note 2 \"\\u0000\"", "XML cannot contain the character U+0000"),
        ("insert after 2 A(x = \"\\u{8}\")", "XML cannot contain the character U+0008"),
        ("replace 2 \"walk to\"", "`walk to` is not the name of a node in XML"),
        ("insert after 2 root", "`root` is not the name of a node in XML"),
        ("wrap 2 btcpp::Sequence", "`btcpp::Sequence` is not the name of a node in XML"),
        (
            "wrap 2 invert",
            "`invert` is a word of `tree!`; help: write the node of BehaviorTree.CPP, such as `Sequence` or `Inverter`",
        ),
        ("remove Main", "the file names the tree as the one to execute"),
        ("rename Walk \"W\\ufffe\"", "XML cannot contain the character U+FFFE"),
        ("create \"W\\uffff\"", "XML cannot contain the character U+FFFF"),
        (
            "insert after 2 A(x = [\"p;q\", 1])",
            "`A(x = [\"p;q\", 1])`: port `x`: a list in XML is written as `a;b`, in which `\"p;q\"` cannot be an item",
        ),
        ("replace 2 A(x = [])", "`A(x = [])`: port `x`: an attribute in XML has no empty list"),
        (
            "insert after 2 A(x = null)",
            "`A(x = null)`: port `x`: an attribute in XML cannot be `null`; help: leave it out",
        ),
        ("rename 2 Sequence", "`Sequence` is not a valid tree name: it is that of a node, or has control characters"),
    ] {
        let found = edited(ROBOT, &[command]).expect_err(command);
        assert!(found.starts_with(error), "{command}: {found}");
    }
    for (text, error) in [
        ("", "1:1: expected <root>, found no element"),
        ("<tree/>", "1:2: expected <root>, found <tree>"),
        ("<root>\n<a>", "2:2: <a> is not closed; help: write </a>"),
        (
            "<?xml version='1.0' encoding='ISO-8859-1'?><root/>",
            "1:45: the file states the encoding `ISO-8859-1`; help: save it as UTF-8 to edit it",
        ),
    ] {
        assert_eq!(Document::read(Notation::XML, text).unwrap_err().to_string(), error);
    }
    let broken = "<root><BehaviorTree ID='A'><B/><C/></BehaviorTree><BehaviorTree ID='D'><E/></BehaviorTree></root>";
    let document = read(broken);
    assert_eq!(
        document.trees[0].broken.as_ref().map(ToString::to_string).as_deref(),
        Some("1:8: expected 1 node in tree `A`, found 2")
    );
    assert_eq!(edited(broken, &["label 1 \"e\""]).as_deref(), Ok(&*broken.replace("<E/>", "<E name=\"e\"/>")));
}

#[test]
fn in_version_3_trees_are_used_as_it_has_them_and_nodes_have_no_conditions() {
    let file = |inner: &str| format!("<root><BehaviorTree ID='A'><S>{inner}</S></BehaviorTree></root>");
    let extracted = edited(&file("<B x='{y}'/>"), &["extract 2 T"]).expect("it can be extracted");
    assert!(extracted.contains("<SubTreePlus ID=\"T\" __autoremap=\"true\"/>"), "{extracted}");
    assert_eq!(
        edited(&extracted, &["inline 2", "remove T"]).map(|text| text.contains("<S><B x='{y}'/></S>")),
        Ok(true)
    );
    for (command, error) in [
        ("disable 2", "version 3 of the format has no `_skipIf`, so a node cannot be disabled"),
        ("note 2 \"a\"", "version 3 of the format has no descriptions of nodes"),
    ] {
        assert_eq!(edited(&file("<B/>"), &[command]), Err(error.to_owned()));
    }
}

#[test]
fn a_node_whose_conditions_come_before_that_of_a_disabled_one_is_not_disabled() {
    for (condition, reason) in [
        ("_failureIf", "`B` has `_failureIf`, which is evaluated before `_skipIf`; help: remove it first"),
        ("_successIf", "`B` has `_successIf`, which is evaluated before `_skipIf`; help: remove it first"),
    ] {
        let file =
            format!("<root BTCPP_format='4'><BehaviorTree ID='A'><S><B {condition}='x'/></S></BehaviorTree></root>");
        assert_eq!(edited(&file, &["disable 2"]), Err(reason.to_owned()));
    }
}

#[test]
fn a_node_with_a_variable_of_its_tree_alone_is_not_extracted() {
    let file = "<root BTCPP_format='4'><BehaviorTree ID='A'><S><Script code='_p := 3'/></S></BehaviorTree></root>";
    let error = "the nodes use `_p`, which is a variable of their tree alone";
    assert_eq!(edited(file, &["extract 2 T"]), Err(error.to_owned()));
}

#[test]
fn comments_before_a_blank_line_and_neighbors_stay_as_they_are() {
    let file = "<root BTCPP_format=\"4\">
  <BehaviorTree ID=\"A\">
    <S>
      <!-- All of them. -->
      <?keep me?>

      <!-- The first. -->
      <B x=\"1\" />
         <C/>
      <!-- The last ones. -->

      <D
      />
    </S>
  </BehaviorTree>
</root>
";
    for (commands, changes) in [
        (&["label 2 \"b\""][..], &[("x=\"1\" />", "x=\"1\" name=\"b\" />")][..]),
        (&["label 2 \"b\"", "label 2 \"\""], &[]),
        (&["disable 3"], &[("<C/>", "<C _skipIf=\"true\"/>")]),
        (&["disable 4", "enable 4"], &[]),
        (&["delete 2"], &[("\n\n      <!-- The first. -->\n      <B x=\"1\" />", "")]),
        (&["delete 4"], &[("\n\n      <D\n      />", "")]),
        (&["move 2 after 3", "move 2 before 3"], &[("me?>\n\n", "me?>\n\n")]),
    ] {
        let expected = changes.iter().fold(file.to_owned(), |text, (from, to)| text.replace(from, to));
        assert_eq!(edited(file, commands).as_deref(), Ok(&*expected), "{commands:?}");
    }
}

#[test]
fn comments_in_a_node_that_is_unwrapped_stay_around_its_children() {
    let file = |inner: &str| {
        format!(
            "<root BTCPP_format=\"4\">\n  <BehaviorTree ID=\"A\">\n    <S>\n{inner}    </S>\n  </BehaviorTree>\n</root>\n"
        )
    };
    let before = "      <!-- Over. -->\n      <T> <!-- of T -->\n        <!-- First. -->\n        <B/>\n        <C/> <!-- c -->\n        <!-- End. -->\n      </T> <!-- behind -->\n      <D/>\n";
    let after = "      <!-- Over. -->\n      <!-- of T -->\n      <!-- First. -->\n      <B/>\n      <C/> <!-- c -->\n      <!-- End. -->\n      <!-- behind -->\n      <D/>\n";
    assert_eq!(edited(&file(before), &["unwrap 2"]).as_deref(), Ok(&*file(after)));
    let far = |space: &str| format!("{space}<B/>\n{space}<!-- Far. -->\n\n{space}<!-- Near. -->\n{space}<C/>\n");
    let wrapped = format!("      <T>\n{}      </T>\n", far("        "));
    assert_eq!(edited(&file(&wrapped), &["unwrap 2"]).as_deref(), Ok(&*file(&far("      "))));
    let twice = "      <T> <!-- t -->\n        <U> <!-- u -->\n          <B/>\n        </U>\n      </T>\n";
    let once = "      <!-- t -->\n      <!-- u -->\n      <B/>\n";
    assert_eq!(edited(&file(twice), &["unwrap 3", "unwrap 2"]).as_deref(), Ok(&*file(once)));
    assert_eq!(edited(&file(twice), &["unwrap 2", "unwrap 3"]).as_deref(), Ok(&*file(once)));
}

#[test]
fn deep_and_large_texts_are_refused() {
    for text in ["(".repeat(5000), "<a>".repeat(300) + &"</a>".repeat(300), "[".repeat(5000), "a { ".repeat(5000)] {
        assert!(edited(ROBOT, &[&format!("insert after 2 {text}")]).is_err());
        assert!(edited(ROBOT, &[&format!("argument 2 message {text}")]).is_ok(), "it is text");
    }
    let wraps = ["wrap 1 A"; 200];
    assert!(edited(ROBOT, &wraps[..150]).is_ok());
    assert!(edited(ROBOT, &wraps).is_err());
}

#[test]
fn nodes_are_copied_as_xml_and_pasted_with_their_comments() {
    let mut document = read(ROBOT);
    let id = |document: &Document, index: usize| document.trees[0].nodes()[index].id;
    let copied = document.copy(&[id(&document, 1), id(&document, 3)]).expect("there are such nodes");
    let expected = "<!-- Says so. -->\n<Say message='it&apos;s \"{what}\"' _skipIf=\"count &lt; 3\"/>\n<Fallback><A/><B x=\"1\"/></Fallback>";
    assert_eq!(copied, expected);
    let at = At::In { r#in: id(&document, 4), list: 0, index: 0 };
    document.apply(&Operation::Insert { text: copied, at }).expect("it is XML");
    assert!(
        document.write().is_ok_and(|text| text.contains("<Fallback><A><!-- Says so. --><Say ")),
        "{:?}",
        document.write()
    );
}

/// Returns the trees with all that their nodes are, but for their ids.
fn shown(document: &Document) -> String {
    fn add(node: &super::super::Node, level: usize, out: &mut String) {
        let super::super::Node { head, label, above, disabled, .. } = node;
        _ = writeln!(out, "{:level$}{head} {label:?} {above:?} {disabled}", "");
        node.children().for_each(|child| add(child, level + 1, out));
    }
    let mut out = String::new();
    for tree in &document.trees {
        _ = writeln!(out, "tree {}", tree.name);
        tree.root.iter().for_each(|root| add(root, 1, &mut out));
    }
    out
}

/// Numbers that look random.
struct Random(u64);

impl Random {
    fn below(&mut self, count: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).expect("31 bits") % count.max(1)
    }

    fn of<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        &all[self.below(all.len())]
    }
}

/// Returns some command for a document of so many nodes.
fn some_command(random: &mut Random, nodes: usize) -> String {
    let node = |random: &mut Random| 1 + random.below(nodes);
    let place = |random: &mut Random| {
        let (kind, at) = (*random.of(&["before", "after", "in"]), node(random));
        format!("{kind} {at}")
    };
    let value = |random: &mut Random| {
        *random.of(&[
            "3",
            "03",
            "0.5",
            "1e3",
            "-1",
            "true",
            "{a}",
            "{ a }",
            "{=}",
            "",
            "a \"b\" <c> & 'd'",
            "é\\n",
            "&amp;",
            "1;2;3",
            "x > 3 && y",
        ])
    };
    let text = |random: &mut Random| {
        *random.of(&[
            "A",
            "A(x = 1) \"l\"",
            "Sequence { A, B { C } }",
            "!A",
            "#[disabled] A",
            "// Over.\nA",
            "\"walk to\"",
            "<A/>",
            "<Control ID='S'> <!-- a --> <A/>\n <B x = '>'/> </Control><C></C>",
            "<!-- a -->\n<A>\n    <!-- b -->\n    <B/>\n</A>",
        ])
    };
    let one = node(random);
    match random.below(17) {
        0 => format!("insert {} {}", place(random), text(random)),
        1 => format!("delete {one}"),
        2 => format!("duplicate {one}"),
        3 | 4 => format!("move {one} {}", place(random)),
        5 => format!("move {one} {} {}", one + 1, place(random)),
        6 => format!("wrap {one} {}", random.of(&["Delay(msec = 1)", "!", "Sequence"])),
        7 => format!("wrap {one} {} Sequence", one + 1),
        8 => format!("unwrap {one}"),
        9 => format!("replace {one} {}", random.of(&["B", "Fallback", "\"run to\"(x = 1)"])),
        10 => format!("argument {one} {} {}", random.of(&["x", "y", "_skipIf", "num_cycles"]), value(random)),
        11 => format!("label {one} {:?}", value(random)),
        12 => format!("note {one} {:?}", random.of(&["Be loud.", "two\nlines", "", " a ", "&#10;"])),
        13 => format!("{} {one}", random.of(&["disable", "enable"])),
        14 => format!("extract {one} T{}", random.below(5)),
        15 => format!("inline {one}"),
        _ => {
            random.of(&["rename 1 T0", "rename 2 \"T 1\"", "create T3", "remove T1", "insert in tree T3 A"]).to_string()
        }
    }
}

#[test]
fn a_file_that_was_edited_is_read_as_it_was_written() {
    let flat: String = ROBOT.lines().map(str::trim).collect();
    let files =
        [ROBOT.to_owned(), ROBOT.replace('\n', "\r\n"), flat.clone(), format!("\u{feff}{flat}"), "<root/>".to_owned()];
    let (mut applied, mut refused) = (0, 0);
    for seed in 0..200 {
        let mut random = Random(seed);
        let text = random.of(&files);
        let mut document = read(text);
        let mut numbers = Numbers::of(&document);
        let mut commands = Vec::new();
        for _ in 0..random.below(12) {
            let count = document.trees.iter().map(|tree| tree.nodes().len()).sum::<usize>() + commands.len();
            let command_text = some_command(&mut random, count);
            let result = command(&command_text, &document, &numbers).and_then(|operation| document.apply(&operation));
            if result.is_err() {
                refused += 1;
                continue;
            }
            applied += 1;
            numbers.add(&document);
            commands.push(command_text);
            let written = document.write().unwrap_or_else(|error| panic!("{seed}: {commands:?}: {error}"));
            let again = Document::read(Notation::XML, &written)
                .unwrap_or_else(|error| panic!("{seed}: {commands:?}: {error}\n{written}"));
            assert_eq!(shown(&again), shown(&document), "{seed}: {commands:?}\n{written}");
            assert_eq!(again.write().as_deref(), Ok(&*written));
            let comments = |text: &str| text.matches("<!--").count();
            assert_eq!(
                written.matches("\r\n").count() == written.matches('\n').count(),
                !written.contains('\n') || text.contains('\r'),
                "{written}"
            );
            assert!(comments(&written) >= comments("<!-- The robot. -->") * usize::from(text.contains("The robot")));
        }
    }
    assert!(applied > 400, "{applied} applied, {refused} refused");
}

fn file_of(inner: &str) -> String {
    format!(
        "<root BTCPP_format=\"4\">\n  <BehaviorTree ID=\"A\">\n    <S>\n{inner}    </S>\n  </BehaviorTree>\n</root>\n"
    )
}

#[test]
fn a_comment_of_several_lines_is_one() {
    let a = "      <A/> <!-- of A,\n           two lines -->\n";
    let before = file_of(&format!("{a}      <C/>\n      <D/>\n"));
    for (command, after) in [
        ("move 4 before 3", format!("{a}      <D/>\n      <C/>\n")),
        ("insert after 2 N", format!("{a}      <N/>\n      <C/>\n      <D/>\n")),
        ("duplicate 2", format!("{a}{a}      <C/>\n      <D/>\n")),
        ("delete 2", "      <C/>\n      <D/>\n".to_owned()),
        ("delete 3", format!("{a}      <D/>\n")),
        ("duplicate 3", format!("{a}      <C/>\n      <C/>\n      <D/>\n")),
        ("move 2 after 4", format!("      <C/>\n      <D/>\n{a}")),
    ] {
        assert_eq!(edited(&before, &[command]).as_deref(), Ok(&*file_of(&after)), "{command}");
    }
    let others = file_of("      <A/> <?p 1\n 2 ?>\n      <B/> <![CDATA[\n]]>\n      <C/>\n");
    let after = others.replace("      <C/>\n", "      <N/>\n      <C/>\n");
    assert_eq!(edited(&others, &["insert before 4 N"]).as_deref(), Ok(&*after));
}

#[test]
fn elements_in_one_line_stay_in_it_and_have_the_comments_behind_them() {
    let before = file_of("      <A/><B/><!-- of B --><C/>\n      <D/>\n");
    for (command, after) in [
        ("label 5 \"d\"", "      <A/><B/><!-- of B --><C/>\n      <D name=\"d\"/>\n"),
        ("delete 5", "      <A/><B/><!-- of B --><C/>\n"),
        ("delete 4", "      <A/><B/><!-- of B -->\n      <D/>\n"),
        ("move 3 after 5", "      <A/>\n      <C/>\n      <D/>\n      <B/><!-- of B -->\n"),
    ] {
        assert_eq!(edited(&before, &[command]).as_deref(), Ok(&*file_of(after)), "{command}");
    }
    // Where all is in one line, a comment above a node comes behind it.
    let before = file_of("      <!-- of A -->\n      <A/>\n      <F><G/></F>\n");
    let after = file_of("      <F><G/><A/><!-- of A --></F>\n");
    assert_eq!(edited(&before, &["move 2 in 3"]).as_deref(), Ok(&*after));
    assert_eq!(edited(&after, &["delete 3"]).as_deref(), Ok(&*file_of("      <F><A/><!-- of A --></F>\n")));
}
