//! Parts of trees, what is read, and that both agree.

use bt_behavior3::{Arity, Diagnostic, NodeNames, Place};
use proptest::prelude::*;
use serde_json::json;

use super::*;
use crate::errors::Errors;
use crate::plan::Tree;
use crate::{check, parse};

fn plan(text: &str) -> Tree {
    let mut errors = Errors::default();
    let tokens = text.parse::<proc_macro2::TokenStream>().expect(text).into();
    let tree = parse::tree(&tokens, &mut errors);
    let plan = check::tree(tree, &mut errors);
    assert!(errors.is_empty(), "{text}: {:?}", errors.messages());
    plan
}

/// The parts: kind, `+` for a maker, `~` for an island, key, literals.
fn parts(text: &str) -> Vec<String> {
    let parts = bind(&mut plan(text));
    let part = |(index, part): (usize, Bound)| {
        assert_eq!((part.number, part.variable.to_string()), (index, format!("__part{index}")));
        let signs = [(part.has_maker(), "+"), (part.is_island, "~")];
        let signs: String = signs.into_iter().filter_map(|(is, sign)| is.then_some(sign)).collect();
        let literals: String =
            part.template.literals.iter().flat_map(|literal| [" ".to_owned(), literal.to_string()]).collect();
        format!("{:?}{signs} {}{literals}", part.kind, part.template.key)
    };
    parts.into_iter().enumerate().map(part).collect()
}

fn found(text: &str) -> Found {
    let source = format!("fn f() {{ tree! {{{text}}} }}");
    find(&source).expect(text).remove(0)
}

fn source(text: &str) -> Source {
    read(&found(text)).unwrap_or_else(|errors| panic!("{text}: {errors:?}"))
}

/// The nodes that are read: name, properties, title, children.
fn nodes(text: &str) -> Vec<String> {
    shown(&source(text))
}

fn shown(source: &Source) -> Vec<String> {
    let [tree] = &*source.project.trees else { panic!("one tree") };
    let node = |(id, node): &(String, std::sync::Arc<bt_behavior3::NodeSpec>)| {
        assert_eq!((*id == node.id, node.place.is_some()), (true, true));
        let properties = if node.properties.is_empty() { String::new() } else { json!(node.properties).to_string() };
        let children: String = node.children.iter().flatten().flat_map(|id| [" ", id]).collect();
        let title = node.title();
        let title = if title.is_empty() { String::new() } else { format!(" {title:?}") };
        format!("{}{properties}{title}{children}", node.name)
    };
    tree.nodes.iter().map(node).collect()
}

#[test]
fn words_with_constants_are_data_and_leaves_are_parts() {
    let text = "selector \"all\" { #[allow(endless)] timeout(secs(5)) { goto(50.0) \"go\" }, !near, \
        random_selector { 3 => a, b }, parallel(success = one, failure = 2) { c, d }, if x { repeat(3) { e } } }";
    assert_eq!(
        nodes(text),
        [
            "selector \"all\" #2 #4 #6 #9 #12",
            "timeout{\"allow\":[\"endless\"],\"time\":\"5s\"} #3",
            "leaf:goto(_){\"literals\":[\"50.0\"]} \"go\"",
            "invert #5",
            "leaf:near",
            "random_selector{\"weights\":[3,1]} #7 #8",
            "leaf:a",
            "leaf:b",
            "parallel{\"failure\":2,\"success\":\"one\"} #10 #11",
            "leaf:c",
            "leaf:d",
            "if #13 #14",
            "leaf:x",
            "repeat{\"times\":3} #15",
            "leaf:e",
        ]
    );
    assert_eq!(
        parts(text),
        ["Leaf+ goto(_) 50.0", "Leaf near", "Leaf a", "Leaf b", "Leaf c", "Leaf d", "Leaf x", "Leaf e"]
    );
}

#[test]
fn what_is_computed_is_a_part() {
    let text = "selector { timeout(PATIENCE) { a }, retry(count(3)) { b }, cooldown(base + secs(2)) { c }, \
        utility_selector(keep = 0.1) { hunger(2.0) => d, 3 => e, |n: &N| n.x * 2.0 => f }, \
        match mood { Mood::Calm => g, 1..=3 if x => h, _ => i }, own::twice(3) { j }, own::vote([1, 2]) { k, l }, \
        mine { 1 => m, B => n } }";
    assert_eq!(
        parts(text),
        [
            "Decorator timeout(PATIENCE)",
            "Leaf a",
            "Decorator+ retry(count(_)) 3",
            "Leaf b",
            "Decorator cooldown(base+secs(_)) 2",
            "Leaf c",
            "Score+ hunger(_) 2.0",
            "Leaf d",
            "Leaf e",
            "Score |n:&N|n.x*_ 2.0",
            "Leaf f",
            "Selection mood{Mood::Calm=>,1..=3 if x=>,_=>}",
            "Leaf g",
            "Leaf h",
            "Leaf i",
            "Decorator+ own::twice(_) 3",
            "Leaf j",
            "Composite+ own::vote([_,_]) 1 2",
            "Leaf k",
            "Leaf l",
            "Composite+ mine()[_,B] 1",
            "Leaf m",
            "Leaf n",
        ]
    );
    let nodes = nodes(text);
    for node in [
        "decorator:timeout(PATIENCE) #3",
        "decorator:retry(count(_)){\"literals\":[\"3\"]} #5",
        "utility_selector{\"keep\":0.1,\"scores\":[\"score:hunger(_) 2.0\",3,\"score:|n:&N|n.x*_ 2.0\"]} #9 #10 #11",
        "match{\"cases\":[\"Mood::Calm\",\"1 ..= 3 if x\"],\"on\":\"selection:mood{Mood::Calm=>,1..\u{200b}=3 if x=>,_=>}\"} #13 #14 #15",
        "decorator:own::twice(_){\"literals\":[\"3\"]} #17",
        "composite:own::vote([_,_]){\"literals\":[\"1\",\"2\"]} #19 #20",
    ] {
        assert!(nodes.iter().any(|found| found == node), "{node}: {nodes:#?}");
    }
}

#[test]
fn machines_and_services_have_leaves_beside_their_children() {
    let text = "service(secs(1), look(3)) { machine \"m\" { #[allow(unreachable)] state a { x, enter: draw(1), exit: sheathe, \
        near(10.0) -> b, !|n: &N| -> bool { n.far } -> success, success -> b } state b { run, failure -> a } any { #[allow(endless)] dead -> failure } } }";
    assert_eq!(
        nodes(text),
        [
            "service{\"action\":\"leaf:look(_) 3\",\"every\":\"1s\"} #2",
            "machine{\"allow\":[\"endless\"],\"any\":[\"leaf:dead -> failure\"]} \"m\" #3 #5",
            "state{\"allow\":[\"unreachable\"],\"enter\":\"leaf:draw(_) 1\",\"exit\":\"leaf:sheathe\",\"name\":\"a\",\"transitions\":\
             [\"leaf:near(_) 10.0 -> b\",\"!leaf:|n:&N|-\u{200b}>bool{n.far} -> success\",\"success -> b\"]} #4",
            "leaf:x",
            "state{\"name\":\"b\",\"transitions\":[\"failure -> a\"]} #6",
            "leaf:run{\"allow\":[\"unreachable\"]}",
        ]
    );
    assert_eq!(
        parts(text),
        [
            "Leaf+ look(_) 3",
            "Leaf x",
            "Leaf+ near(_) 10.0",
            "Leaf |n:&N|->bool{n.far}",
            "Leaf+ draw(_) 1",
            "Leaf sheathe",
            "Leaf run",
            "Leaf dead",
        ]
    );
    let uses = source(text).uses;
    let look = uses.iter().find(|used| used.key == "look(_)").expect("it is used");
    assert_eq!((look.name.as_str(), look.literals.len(), look.kind), ("leaf:look(_) 3", 1, PartKind::Leaf));
}

#[test]
fn conditions_and_actions_that_are_more_than_a_leaf_are_one_part() {
    assert_eq!(parts("service(secs(1), sequence { a, c }) { b }"), ["Leaf~ sequence{a,c}", "Leaf b"]);
    let machine = "machine { state a { x, b && c -> b, !(b && c) -> failure } state b { y, success -> a, enter: !z } }";
    assert_eq!(
        parts(machine),
        ["Leaf x", "Leaf~ sequence{b,c}", "Leaf~ invert(){sequence{b,c}}", "Leaf y", "Leaf~ invert(){z}"]
    );
    let used = source(machine).uses;
    let islands: Vec<_> =
        used.iter().filter(|used| used.is_island).map(|used| (&*used.text, used.place.column)).collect();
    assert_eq!(islands.len(), 3, "{islands:?}");
}

#[test]
fn what_cannot_be_taken_apart_is_one_part() {
    for (text, part) in [
        ("within(|n: &mut N| &mut n.w) { sequence { a(5), b } }", "Leaf~ within(|n:&mut N|&mut n.w){sequence{a(5),b}}"),
        ("sequence { a, ..b }", "Leaf~ sequence{a,..b}"),
        ("sequence { a \"x\", #[cfg(test)] b }", "Leaf~ sequence{a\"x\",#[cfg(test)]b}"),
        ("parallel(success = n) { a, b }", "Leaf~ parallel,n,one{a,b}"),
        ("random_selector { x => a, 3 => b }", "Leaf~ random_selector{x=>a,3=>b}"),
        ("service(PERIOD, a) { b }", "Leaf~ service(PERIOD,a){b}"),
        ("utility_selector(keep = k) { 1 => a, 2 => b }", "Leaf~ utility_selector(k){1=>a,2=>b}"),
        ("own(x) { a }", "Leaf~ own(x){a}"),
    ] {
        assert_eq!(parts(text), [part], "{text}");
        let source = source(text);
        assert_eq!(shown(&source), [format!("island:{}", &part[6..]).replace("->", "-\u{200b}>")]);
        assert!(source.uses.len() == 1 && source.uses[0].is_island);
    }
    // What is around it is data.
    assert_eq!(
        parts("selector { a(1), sequence \"x\" { ..b }, c }"),
        ["Leaf+ a(_) 1", "Leaf~ sequence{..b}", "Leaf c"]
    );
}

#[test]
fn parts_are_those_that_are_read() {
    for text in [
        "selector { a(1), a(2), own(3) { timeout(x) { b } }, match m { A => c, _ => within(w) { d } } }",
        "machine { state a { x(1), y(2) -> b } state b { z, enter: u(3), exit: v, success -> a } }",
        "utility_selector { a(1) => b(2), c => d } ",
    ] {
        let of_macro: Vec<_> = bind(&mut plan(text)).into_iter().map(|part| (part.kind, part.template.key)).collect();
        let uses = source(text).uses;
        let mut of_uses: Vec<_> = uses.into_iter().map(|used| (used.kind, used.key)).collect();
        of_uses.dedup();
        for part in &of_macro {
            assert!(of_uses.contains(part), "{part:?} of {text}");
        }
        for used in &of_uses {
            assert!(of_macro.contains(used), "{used:?} of {text}");
        }
    }
}

#[test]
fn a_leaf_of_the_library_is_a_word_unless_it_is_a_part() {
    let text = "machine { state a { selector { wait(secs(2)), wait(x), succeed, fail(), wait }, run -> b } state b { run, success -> a } }";
    let none = source(text).with_words(|_| false);
    assert_eq!(
        shown(&none)[2..],
        [
            "selector #4 #5 #6 #7 #8",
            "wait{\"time\":\"2s\"}",
            "leaf:wait(x)",
            "succeed",
            "fail",
            "leaf:wait",
            "state{\"name\":\"b\",\"transitions\":[\"success -> a\"]} #10",
            "run{\"allow\":[\"unreachable\"]}"
        ]
    );
    let uses: Vec<_> = none.uses.iter().map(|used| used.name.as_str()).collect();
    assert_eq!(uses, ["leaf:run", "leaf:wait(x)", "leaf:wait"], "the condition is no node");
    let all = source(text).with_words(|_| true);
    assert_eq!(shown(&all), nodes(text));
    assert_eq!(all.uses.len(), 6);
}

#[test]
fn errors_are_those_of_the_macro_with_their_places_in_the_file() {
    let text = "mod a {\n    fn f() {\n        tree! { for N: selector {\n            cooldwn(secs(5)) { a }\n            \"é\" b\n        } }\n    }\n}\n";
    let errors = read(&find(text).expect("it is complete")[0]).expect_err("a word is unknown");
    let errors: Vec<_> = errors.iter().map(ToString::to_string).collect();
    assert!(errors[0].starts_with("4:13: unknown keyword `cooldwn`; help: did you mean `cooldown`?"), "{errors:?}");
    assert!(errors[1].starts_with("5:13: expected a node, found `\"é\"`"), "{errors:?}");
    let errors = read(&found("")).expect_err("it is empty");
    assert!(errors[0].to_string().starts_with("1:17: expected a node, found an empty tree"), "{errors:?}");
    let deep = format!("{}a{}", "invert { ".repeat(260), " }".repeat(260));
    let error = read(&found(&deep)).expect_err("it is deep")[0].to_string();
    assert!(error.ends_with(": tree too deep: the limit is 200 levels"), "{error}");
    let node = &source("\n  selector { a,\n b }").project.trees[0].nodes[2].1;
    assert_eq!(node.place, Some(Place { line: 3, column: 2 }));
}

#[test]
fn what_is_read_is_a_valid_file() {
    let text = "selector { service(millis(500), look(3)) { machine { state a { wait(1), near(1) -> b } state b { x, !|n: &N| -> bool { true } -> a } } }, \
        utility_selector { f(1) => a, 2 => b }, match m { 0 => c, 0 => d, 1..=3 => c, _ => e }, own(3) { a }, within(w) { q } }";
    let Source { project, uses, .. } = source(text);
    let arity = |used: &Use| match used.kind {
        PartKind::Leaf => Some(Arity::Zero),
        PartKind::Decorator => Some(Arity::One),
        PartKind::Composite => Some(Arity::Many),
        PartKind::Score | PartKind::Selection => None,
    };
    let names = NodeNames::new(uses.iter().filter_map(|used| Some((used.name.clone(), arity(used)?))));
    let values = uses.iter().filter(|used| arity(used).is_none()).map(|used| used.name.clone());
    assert!(values.clone().all(|name| bt_behavior3::is_value_name(&name)));
    let checked = project.check(None, &names.with_values(values));
    assert!(checked.is_ok(), "{:?}", checked.err());
}

#[test]
fn words_that_are_names_of_parts_are_no_words() {
    assert_eq!(
        nodes("selector { Sequence, wait, Self::selector, r#if }")[1..],
        ["leaf:Sequence", "leaf:wait", "leaf:Self::selector", "leaf:r#if"]
    );
}

#[test]
fn values_are_shown_as_in_the_static_tree() {
    let uses = source("utility_selector { a::hunger => x, variable(\"mood\") => y, |n: &N| n.x + 1.0 => match n::mood { A => z, _ => w } }").uses;
    let texts: Vec<_> = uses.iter().map(|used| used.text.as_str()).filter(|text| !text.is_empty()).collect();
    assert_eq!(texts, ["a::hunger", "{mood}", "|n: &N| n.x + 1.0", "mood"]);
}

#[test]
fn thresholds_are_written_where_the_source_has_them() {
    assert_eq!(nodes("parallel { a, b }")[0], "parallel #2 #3");
    assert_eq!(nodes("mem_parallel(failure = all) { a, b }")[0], "mem_parallel{\"failure\":\"all\"} #2 #3");
}

/// Pieces of sources, of which random ones are half typed.
const PIECES: [&str; 36] = [
    "tree! {",
    "selector {",
    "}",
    "(",
    ")",
    "machine { state a {",
    "-> b",
    "x",
    "goto(50.0)",
    ",",
    "timeout(secs(5)) {",
    "|n: &N| n.x > -5",
    "match mood {",
    "A =>",
    "_ =>",
    "utility_selector {",
    "3 =>",
    "..nodes",
    "#[cfg(x)]",
    "#[allow(endless)]",
    "!",
    "\"label\"",
    "if x {",
    "else {",
    "service(secs(1), look) {",
    "within(w) {",
    "own(3) {",
    "for N:",
    "'a",
    "&",
    "fn f() {",
    "mod m {",
    "&&",
    "<",
    ">",
    "any {",
];

proptest! {
    #[test]
    fn no_source_makes_it_panic(pieces in prop::collection::vec(prop::sample::select(&PIECES[..]), 0..24)) {
        let source = pieces.join(" ");
        for tree in find(&source).unwrap_or_default() {
            let _ = read(&tree);
        }
        // What is open is closed.
        let open = |sign| source.matches(sign).count();
        let closed = format!("tree! {{ {source}{} }}", " }".repeat(open('{').saturating_sub(open('}'))));
        for tree in find(&closed).unwrap_or_default() {
            if let Ok(read) = read(&tree) {
                prop_assert_eq!(&read.project.trees.len(), &1);
                // The text without spaces is that of the same tree.
                let flat = Found { source: tree.flat.clone(), ..tree };
                let again = super::read(&flat).map_err(|errors| TestCaseError::fail(format!("{}: {errors:?}", flat.flat)))?;
                prop_assert_eq!(shown(&again), shown(&read));
            }
        }
    }
}

#[test]
fn what_no_one_writes_takes_no_time() {
    let digits = "9".repeat(1_000_000);
    for text in [
        format!("a({digits})"),
        format!("repeat({digits}) {{ a }}"),
        format!("a(0.{digits})"),
        format!("a(0x{digits})"),
    ] {
        let errors = read(&found(&text)).expect_err("the number is too long");
        assert!(errors[0].to_string().ends_with("the number is too long"), "{errors:?}");
    }
    assert!(read(&found(&format!("a(\"{digits}\")"))).is_ok());
    let deep = |depth: usize, open: &str, close: &str| {
        read(&found(&format!("{}a{}", open.repeat(depth), close.repeat(depth))))
    };
    for (open, close) in [
        ("invert { ", " }"),
        ("(", ")"),
        ("!", ""),
        ("if (", ") { b }"),
        ("a::b(", ")"),
        ("|x| ", ""),
        ("-", ""),
        ("tree! { ", "}"),
        ("match a { _ => ", " }"),
        ("sequence { b, (", ") }"),
        ("a::b { ", "}"),
        ("&& ", ""),
    ] {
        for depth in [40, 100, 1000] {
            // No crash, and soon.
            _ = deep(depth, open, close).map_err(|errors| assert!(!errors.is_empty()));
        }
    }
}

#[test]
fn mistakes_that_can_be_allowed_are_warnings() {
    let warnings = |text: &str| -> Vec<String> {
        let warning = |warning: Warning| {
            let Diagnostic { lint, reason, place, .. } = warning.diagnostic;
            let column = |place: Option<Place>| place.map_or(0, |place| place.column - 16);
            let (lint, first) =
                (lint.expect("it has one").name(), reason.split(';').next().unwrap_or_default().to_owned());
            format!("{lint} {} {}: {first}", column(place), column(warning.node))
        };
        source(text).mistakes.into_iter().map(warning).collect()
    };
    for (text, found) in [
        ("retry(1) { a }", "pointless 7 1: "),
        ("parallel(success = 3) { a, b }", "threshold 20 1: "),
        ("selector { |_: &N| true, a, b }", "unreachable 26 0: "),
        ("machine { state a { x } state b { y } }", "unreachable 31 31: unreachable state `b`"),
        ("machine { state a { x, |_: &N| true -> b, near -> b } state b { y, success -> a } }", "unreachable 43 0: "),
        ("machine { state a { x, |_: &N| true -> b } state b { y } }", "unreachable 21 0: "),
    ] {
        let warnings = warnings(text);
        assert!(matches!(&*warnings, [only] if only.starts_with(found)), "{text}: {warnings:?}");
    }
    assert_eq!(warnings("#[allow(pointless)] retry(1) { a }"), [""; 0]);
    assert_eq!(nodes("parallel(success = 3) { a, b }")[0], "parallel{\"success\":3} #2 #3");
    // All other errors are errors, alone.
    let errors = read(&found("sequence { retry(1) { a }, selctor { b } }")).expect_err("there is no such word");
    assert_eq!(errors.len(), 1, "{errors:?}");
}
