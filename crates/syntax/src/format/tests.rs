//! Formatted trees.

use proptest::prelude::*;

use super::compare::has_same_tokens;
use super::expression::comments;
use super::trees::{Left, NotRust, Trees, format_some};

fn format(source: &str, width: usize) -> Result<String, NotRust> {
    super::format(source, width).map(|formatted| formatted.text)
}

/// Formats a body in a function, and checks that formatting again changes nothing.
fn body(source: &str) -> String {
    let source = format!("fn f() {{\n    tree! {{ {source} }}\n}}\n");
    let formatted = format(&source, 60).expect("it is Rust");
    assert_eq!(format(&formatted, 60).as_ref(), Ok(&formatted), "a second time");
    let lines: Vec<_> = formatted.lines().collect();
    lines[1..lines.len() - 1]
        .iter()
        .map(|line| line.strip_prefix("    ").unwrap_or(line))
        .collect::<Vec<_>>()
        .join("\n")
}

#[test]
fn what_fits_stands_on_one_line() {
    assert_eq!(
        body("selector{sequence{near , attack},patrol ,}"),
        "tree! { selector { sequence { near, attack } patrol } }"
    );
    assert_eq!(body("for Guard :\n  selector {\n a,\n b }"), "tree! { for Guard : selector { a, b } }");
    assert_eq!(body("run"), "tree! { run }");
}

#[test]
fn what_does_not_fit_has_a_line_for_each_child() {
    assert_eq!(
        body(
            "for Guard: selector { sequence \"fight\" { enemy_within( 10.0 ), attack }, timeout(secs(5)) \"home\" { patrol } rest }"
        ),
        "\
tree! {
    for Guard: selector {
        sequence \"fight\" { enemy_within(10.0), attack }
        timeout(secs(5)) \"home\" { patrol }
        rest,
    }
}"
    );
}

#[test]
fn comments_and_blank_lines_stay() {
    let tree = "\
tree! {
    // The most important comes first.
    selector {
        sequence { near, attack } // fight

        // Else:
        #[allow(unreachable)]
        patrol, // for ever
        rest,
        // nothing more
    }
}";
    let inner = tree.strip_prefix("tree! {").and_then(|tree| tree.strip_suffix('}')).expect("a tree");
    let source = format!("fn f() {{\n    tree! {{{}}}\n}}\n", inner.replace('\n', "\n    ").replace("    \n", "\n"));
    let formatted = format(&source, 60).expect("it is Rust");
    assert_eq!(
        formatted,
        source.replace("        #[allow(unreachable)]\n            patrol,", "        #[allow(unreachable)] patrol,")
    );
    assert_eq!(format(&formatted, 60).as_ref(), Ok(&formatted));
}

#[test]
fn arms_have_patterns_with_braces_and_nodes_with_branches() {
    let formatted = "\
fn f() {
    tree! {
        match mood {
            Mood::Angry { level: 1..=3 } if is_new => sequence { a, b }
            Mood::Shy { level: 4 } => if near && !tired { walk } else { rest }
            7 => if near { a } else if tired { b } else { c }
            _ => machine { state idle { graze } }
        }
    }
}
";
    let source = formatted.replace("\n            ", "  ").replace("{ a }", "{\na}").replace(" => ", "=>");
    for source in [formatted, &source] {
        let found = super::format(source, 100).expect("it is Rust");
        assert_eq!((found.left, found.text.as_str()), (vec![], formatted), "{source}");
    }
}

#[test]
fn branches_scores_and_machines() {
    assert_eq!(
        body("if near && !tired { attack } else if hurt { sequence {flee , hide} } else { patrol }"),
        "\
tree! {
    if near && !tired {
        attack,
    } else if hurt {
        sequence { flee, hide }
    } else {
        patrol,
    }
}"
    );
    assert_eq!(
        body(
            "match |npc:&Npc| npc.mood { Mood::Calm | Mood::Shy=>idle, Mood::Angry => sequence { shout, fight }, _ => wander }"
        ),
        "\
tree! {
    match |npc: &Npc| npc.mood {
        Mood::Calm | Mood::Shy => idle,
        Mood::Angry => sequence { shout, fight }
        _ => wander,
    }
}"
    );
    assert_eq!(
        body("utility_selector(keep = 0.1) { |n: &Npc| n.fear*2.0 => flee, 0.5=>rest }"),
        "\
tree! {
    utility_selector(keep = 0.1) {
        |n: &Npc| n.fear * 2.0 => flee,
        0.5 => rest,
    }
}"
    );
    assert_eq!(
        body(
            "machine \"sheep\" { state graze { eat, enter: stop, wolf -> fear, success -> success } any { !calm && near -> fear } state fear { run } }"
        ),
        "\
tree! {
    machine \"sheep\" {
        state graze {
            eat,
            enter: stop,
            wolf -> fear,
            success -> success,
        }
        any { !calm && near -> fear }
        state fear { run }
    }
}"
    );
}

#[test]
fn an_action_of_a_state_has_a_comma() {
    assert_eq!(
        body("machine { state a { run, enter: once { late() }, exit: late() } }"),
        "\
tree! {
    machine {
        state a {
            run,
            enter: once { late() },
            exit: late(),
        }
    }
}"
    );
    assert_eq!(
        body("machine { state a { run, enter: late() } }"),
        "tree! { machine { state a { run, enter: late() } } }"
    );
}

#[test]
fn the_body_of_a_closure_is_no_list_of_children() {
    assert_eq!(
        body("sequence { |n: &mut u32| { *n += 1; Status::Running }, run }"),
        "\
tree! {
    sequence {
        |n: &mut u32| { *n += 1; Status::Running },
        run,
    }
}"
    );
    assert_eq!(body("if |n: &u32| { *n > 1 } { a } else { b }"), "tree! { if |n: &u32| { *n > 1 } { a } else { b } }");
}

#[test]
fn statements_keep_their_lines() {
    assert_eq!(
        body("for u32: |n: &mut u32| {\n        let two = 2;\n        *n += two;\n    }"),
        "\
tree! {
    for u32: |n: &mut u32| {
        let two = 2;
        *n += two;
    }
}"
    );
}

#[test]
fn what_is_not_known_stays() {
    for source in [
        "tree! < selector < a , b > >",
        "tree! { }",
        "tree! { selector { a b } c }",
        "tree! { selector { /// doc\n a , b } }",
        "macro_rules! m { ($n:expr) => { tree! { selector {  $n, b } } } }",
        "other! { selector  {a ,b} }",
        "tree! { selector { my_leaf! { a ,b }, c } }",
        "// tree! { selector  {a ,b} }\n",
        "#[rustfmt::skip] fn g() { tree! { selector  {a ,b} } }",
        "#[rustfmt::skip] let t = tree! { selector  {a ,b} };",
        "const S: &str = \"tree! { selector  {a ,b} }\";",
    ] {
        let source = format!("fn f() {{ {source} }}\n");
        assert_eq!(format(&source, 60).as_ref(), Ok(&source));
    }
    assert_eq!(format("fn f( {", 60).unwrap_err().message, "1:7: `{` is not closed; help: add `}`");
}

#[test]
fn block_comments_stay_like_others() {
    assert_eq!(
        body("selector {\n /* important */\n a , b, /* last\n  * of all */\n /* one\n two */ c, /* d */ d }"),
        "\
tree! {
    selector {
        /* important */
        a,
        b, /* last
         * of all */
        /* one
        two */
        c,
        /* d */
        d,
    }
}"
    );
}

#[test]
fn transitions_have_spaces() {
    assert_eq!(
        body(
            "machine { state a { run, |d: &u32| *d>3->b, !calm&&near->a , |d:&u32|->bool{*d>3}->b, success->failure } state b { run } }"
        ),
        "\
tree! {
    machine {
        state a {
            run,
            |d: &u32| *d > 3 -> b,
            !calm && near -> a,
            |d: &u32| -> bool { *d > 3 } -> b,
            success -> failure,
        }
        state b { run }
    }
}"
    );
    assert_eq!(body("if(near||hurt){a}else if(b){c}"), "tree! { if (near || hurt) { a } else if (b) { c } }");
}

#[test]
fn trees_in_angle_brackets_keep_them() {
    assert_eq!(body("selector<a,sequence<b,c>d>"), "tree! { selector < a, sequence < b, c > d > }");
    assert_eq!(
        body(
            "selector<sequence \"fight\" <near::<A,B>, <T as Tr<u8>>::leaf, |n:&Vec<u8>|n.len()>=2>, timeout(secs(5))<|n:&u8|->Vec<u8>{*n>3}>>"
        ),
        "\
tree! {
    selector <
        sequence \"fight\" <
            near::<A, B>,
            <T as Tr<u8>>::leaf,
            |n: &Vec<u8>| n.len() >= 2,
        >
        timeout(secs(5)) <
            |n: &u8| -> Vec<u8> { *n > 3 },
        >
    >
}"
    );
    assert_eq!(
        body("machine < state a < run, near->b > state b { random_selector<1=>a,2=>b> } >"),
        "\
tree! {
    machine <
        state a < run, near -> b >
        state b { random_selector < 1 => a, 2 => b > }
    >
}"
    );
}

#[test]
fn attributes_of_the_root_are_behind_the_context() {
    assert_eq!(body("for (): #[allow(endless)] repeat{run}"), "tree! { for (): #[allow(endless)] repeat { run } }");
    assert_eq!(
        body("for Guard: #[allow(pointless)] #[allow(endless)] repeat(none) { first_thing, second_thing }"),
        "\
tree! {
    for Guard: #[allow(pointless)]
    #[allow(endless)]
    repeat(none) {
        first_thing,
        second_thing,
    }
}"
    );
}

#[test]
fn deep_delimiters_are_an_error() {
    let nested = |open: &str, close: &str, count| format!("{}a{}", open.repeat(count), close.repeat(count));
    for text in
        [nested("(", ")", 10_000), nested("[", "]", 10_000), format!("tree! {{ {} }}", nested("s {", "}", 10_000))]
    {
        let message = format(&format!("fn f() {{ {text} }}"), 60).unwrap_err().message;
        assert!(message.starts_with("1:") && message.ends_with(": tree too deep: the limit is 200 levels"));
    }
    for text in [
        nested("(", ")", 120),
        nested("s <", ">", 10_000),
        nested("!", "", 10_000),
        nested("near -> ", "", 10_000),
        nested("1 => ", "", 10_000),
        nested("if b { c } else ", "", 1000),
    ] {
        assert!(format(&format!("fn f() {{ tree! {{ {text} }} }}"), 60).is_ok());
    }
}

#[test]
fn comments_before_labels_and_around_arrows_stay() {
    for tree in [
        "random_selector { 3 // why\n => a, b }",
        "selector { 0.1 =>\n // otherwise\n idle, b }",
        "sequence { go(DOCK) // the dock in the north\n \"to the dock\", b }",
        "selector // why\n \"npc\" { a }",
        "parallel(success = 1) /* w */ \"npc\" { a }",
        "match m { A // x\n => b, _ => c }",
    ] {
        let source = format!("fn f() {{ tree! {{ {tree} }}; }}");
        let formatted = format(&source, 60).expect("it is Rust");
        assert_eq!(comments(&formatted), comments(&source), "{formatted}");
        assert_eq!(comments(&source).map(|comments| comments.len()), Some(1));
    }
}

#[test]
fn trees_that_stay_because_of_a_comment_are_counted() {
    let source = "fn f() {\n    let t = tree! {\n selector { a, b, c,\n d /* x */, b } };\n    tree! { selector { a } };\n    tree! { selector { a } c };\n}\n";
    assert_eq!(
        super::format(source, 60).map(|formatted| formatted.left),
        Ok(vec![
            Left { line: 4, is_comment: true, error: None },
            Left {
                line: 6,
                is_comment: false,
                error: Some(
                    "expected one root node, found `c` after it; help: put several nodes in a composite, such as `sequence { … }`"
                        .to_owned()
                )
            }
        ]),
        "the first is the line of the comment"
    );
}

#[test]
fn several_trees_on_a_line_are_formatted_one_after_the_other() {
    let source =
        "fn f() { (tree!{selector{a,b,}}, tree!{selector{aaaaaaaaaaaaaaaaaaaaaaaaa,bbbbbbbbbbbbbbbbbbbbbbbbbbbb}}) }\n";
    let formatted = format(source, 60).expect("it is Rust");
    assert!(formatted.starts_with("fn f() { (tree!{ selector { a, b } }, tree!{\n    selector {\n"), "{formatted}");
    assert_eq!(format(&formatted, 60).as_ref(), Ok(&formatted));
    for source in ["tree! { sequence { a\n\n, } }", "tree! { if\n ( a || b ) { c } }"] {
        let source = format!("fn f() {{ {source}; }}\n");
        let formatted = format(&source, 60).expect("it is Rust");
        assert_eq!(format(&formatted, 60).as_ref(), Ok(&formatted));
    }
}

#[test]
fn the_ends_of_lines_are_those_of_the_file() {
    let source = "fn f() {\n    tree! {\n selector{\n a, // one\n b }\n }\n}\n";
    let formatted = format(source, 60).expect("it is Rust");
    assert!(formatted.contains("        selector {\n            a, // one\n"), "{formatted}");
    assert_eq!(format(&source.replace('\n', "\r\n"), 60), Ok(formatted.replace('\n', "\r\n")));
}

#[test]
fn a_tree_in_a_line_indented_with_tabs_has_tabs() {
    let source = "fn f() {\n\tlet t = tree! { selector {aaaaaaaaaaaaaaaaaaaaaaaaaaaa, \n\t|n:&mut u32| {\n\t\t*n += 1;\n\t\t*n += 2;\n\t}} };\n}\n";
    let formatted = "fn f() {\n\tlet t = tree! {\n\t\tselector {\n\t\t\taaaaaaaaaaaaaaaaaaaaaaaaaaaa,\n\t\t\t|n:&mut u32| {\n\t\t\t\t*n += 1;\n\t\t\t\t*n += 2;\n\t\t\t},\n\t\t}\n\t};\n}\n";
    assert_eq!(format(source, 60).as_deref(), Ok(formatted));
    assert_eq!(format(formatted, 60).as_deref(), Ok(formatted));
    let wide = "fn f() {\n\t\t\ttree! { selector { aaaaaaaaaaa, bbbbbbbbb } }\n}\n";
    assert_eq!(format(wide, 57).as_deref(), Ok(wide), "a tab has 4 columns");
    assert!(format(wide, 56).is_ok_and(|text| text.contains("\n\t\t\t\tselector { aaaaaaaaaaa, bbbbbbbbb }\n")));
}

#[test]
fn nodes_from_an_expression_with_braces_keep_their_comma() {
    // They are errors, which an edited tree may have.
    let edited = |tree: &str| format_some(tree, 60, Trees::At(7)).map(|formatted| formatted.text);
    let [one, other] = ["tree! {selector{..Foo{a:1},c}}", "tree! {selector{..unsafe{n()},c}}"].map(edited);
    assert_eq!(one.as_deref(), Ok("tree! { selector { ..Foo { a: 1 }, c } }"));
    assert_eq!(other.as_deref(), Ok("tree! { selector { ..unsafe { n() }, c } }"));
}

#[test]
fn the_attributes_of_rustfmt_are_respected() {
    for source in [
        "#![rustfmt::skip]\nfn f() { tree! { selector  {a ,b} } }\n",
        "#[rustfmt::skip::macros(vec, tree)] fn f() { tree! { selector  {a ,b} } }\n",
        "#[cfg_attr(rustfmt, rustfmt_skip)] fn f() { tree! { selector  {a ,b} } }\n",
    ] {
        assert_eq!(format(source, 60).as_deref(), Ok(source));
    }
}

#[test]
fn literals_of_several_lines_stay() {
    let source = "fn f() {\n    tree! {\n        sequence {\n            say(\"one\n   two\"),\n            run,\n        }\n    }\n}\n";
    assert_eq!(format(source, 60).as_deref(), Ok(source));
}

#[test]
fn formatting_the_sources_of_this_repository_twice_changes_nothing() {
    fn visit(folder: &std::path::Path, count: &mut usize) {
        for entry in std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()) {
            if entry.is_dir() && !entry.ends_with("target") {
                visit(&entry, count);
            } else if entry.extension().is_some_and(|extension| extension == "rs") {
                let source = std::fs::read_to_string(&entry).expect("a text");
                let Ok(once) = format(&source, 120) else { continue };
                assert_eq!(format(&once, 120).as_ref(), Ok(&once), "{}", entry.display());
                *count += usize::from(source.contains("tree! {"));
            }
        }
    }
    let mut count = 0;
    for folder in
        ["src", "tests", "../../examples", "../../tests", "../explore", "../../bt-core/src", "../../integrations/bevy"]
    {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
        if folder.is_dir() {
            visit(&folder, &mut count);
        }
    }
    // In a package on its own, there are few.
    assert!(count > 0);
}

/// A tree with random spaces, line breaks and comments between its tokens.
fn tree() -> impl Strategy<Value = String> {
    let gap = || prop_oneof![8 => Just(" "), 2 => Just("\n"), 1 => Just("\n\n  "), 1 => Just(" // why\n"), 1 => Just("\n// why\n"), 1 => Just(" /* why */ "), 1 => Just("\n\t/* why\n * not */\n")];
    let leaf = prop_oneof![
        Just("attack".to_owned()),
        Just("walk( 1,2 )".to_owned()),
        Just("|n: &mut u32| *n += 1".to_owned()),
        Just("|n: &mut u32| { *n += 1; }".to_owned()),
        Just("wait(secs(5)) \"pause\"".to_owned()),
        Just("! near".to_owned()),
        (gap(), gap()).prop_map(|(before, behind)| format!("0.5{before}=>{behind}near")),
        gap().prop_map(|gap| format!("wait(secs(5)){gap}\"pause\"")),
        gap().prop_map(|gap| format!("match self.mood {{ Mood::Calm{gap}=> near, _ =>{gap}hide }}")),
        Just("near::<A, B>(3)".to_owned()),
    ];
    leaf.prop_recursive(4, 30, 4, move |child| {
        let head = prop_oneof![
            Just("selector"),
            Just("mem_sequence \"a label\""),
            Just("timeout( secs(1) )"),
            Just("if near"),
            Just("#[allow(unreachable)] retry(3)")
        ];
        let is_in_angles = prop_oneof![3 => Just(false), 1 => Just(true)];
        (head, is_in_angles, proptest::collection::vec((gap(), child, gap(), any::<bool>()), 1..4), gap()).prop_map(
            |(head, is_in_angles, children, last)| {
                let is_in_angles = is_in_angles && !head.starts_with("if");
                let mut text = format!("{head} {}", if is_in_angles { "<" } else { "{" });
                let count = children.len();
                for (index, (before, child, after, comma)) in children.into_iter().enumerate() {
                    text.push_str(before);
                    text.push_str(&child);
                    // Only braces of nodes need no comma.
                    let ends_with_list = child.ends_with(['}', '>']) && !child.starts_with('|');
                    if index + 1 < count && !ends_with_list || comma && (index + 1 < count || !ends_with_list) {
                        text.push(',');
                    }
                    text.push_str(after);
                }
                text.push_str(last);
                text.push(if is_in_angles { '>' } else { '}' });
                text
            },
        )
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, ..ProptestConfig::default() })]

    #[test]
    fn tokens_stay_the_same_and_a_second_time_changes_nothing(tree in tree(), width in 20..120_usize) {
        let source = format!("fn f() {{\n    let tree = tree! {{ {tree} }};\n}}\n");
        let formatted = format(&source, width).expect("it is Rust");
        prop_assert_eq!(comments(&formatted), comments(&source), "{}", source);
        prop_assert!(has_same_tokens(&formatted, &source), "{source}\n{formatted}");
        prop_assert_eq!(formatted.matches("// why").count(), source.matches("// why").count(), "{}", source);
        prop_assert_eq!(format(&formatted, width).expect("it is Rust"), formatted.clone(), "{}", source);
    }
}

#[test]
fn angle_brackets_around_the_root_are_in_the_lines_of_the_braces() {
    assert_eq!(
        body("< selector<sequence<near , hit>,patrol ,> >"),
        "tree! { < selector < sequence < near, hit > patrol > > }"
    );
    assert_eq!(body("for Guard: <selector<a, b>>"), "tree! { for Guard: < selector < a, b > > }");
    assert_eq!(body("<Guard as Leaves>::attack"), "tree! { <Guard as Leaves>::attack }");
    assert_eq!(
        body(
            "for Guard: < selector < sequence < near( 10.0 ), attack > // fights\n timeout(secs(5)) < patrol > rest > >"
        ),
        "\
tree! { for Guard: <
    selector <
        sequence < near(10.0), attack > // fights
        timeout(secs(5)) < patrol >
        rest,
    >
> }"
    );
    assert_eq!(
        body("// one\n < // two\n selector < a > // three\n > // four\n"),
        "\
tree! {
    // one
    < // two
        selector < a > // three
    > // four
}"
    );
}

/// Neighbors without a comma between them are no node.
#[test]
fn a_tree_with_a_missing_comma_stays_as_it_is() {
    for tree in [
        "selector {\n    hurt\n    // last\n    if armed { walk } else { run }\n    take\n    wait(secs(1))\n  }",
        "selector { hurt\n   take\n   walk }",
        "selector { hurt take, walk }",
        "selector < hurt take, walk >",
        "sequence { a, b  c { d } }",
    ] {
        let source = format!("fn f() {{\n    tree! {{ {tree} }}\n    tree! {{selector{{a,b}}}}\n}}\n");
        let formatted = super::format(&source, 100).expect("it is Rust");
        assert_eq!(formatted.text, source.replace("{selector{a,b}}", "{ selector { a, b } }"), "{tree}");
        assert!(matches!(&*formatted.left, [Left { is_comment: false, .. }]), "{:?}", formatted.left);
        let text = super::format_text(tree, 100).expect("it is closed");
        assert_eq!(text.text.trim_end(), tree);
    }
}
