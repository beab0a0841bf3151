//! Expansions of trees that follow their source, by their text.

use bt_syntax::errors::Errors;
use proc_macro2::{TokenStream, TokenTree};
use quote::quote;

use super::tokens;
use crate::subtree::subtree;
use crate::tree::{followed, live, tree};

fn expanded(text: &str) -> Option<String> {
    expanded_tokens(&tokens(text))
}

fn expanded_tokens(input: &TokenStream) -> Option<String> {
    let tokens = bt_syntax::live::flat(live::tree(input.clone(), &quote!(::bt_live::__private)));
    (tokens.contains("__SITE") && !tokens.contains("is_generated")).then_some(tokens)
}

const TREES: [&str; 12] = [
    "near",
    "for Npc: selector \"all\" { goto(50.0) \"go\", |npc: &Npc| npc.x > 5, idle }",
    "for<'w> Ctx<'w>: sequence { near(10), !far }",
    "selector { timeout(PATIENCE) { a }, retry(3) { b(x) }, repeat { c } }",
    "utility_selector(keep = 0.1) { hunger(2.0) => a, 3 => b, |n: &N| n.x * 2.0 => c }",
    "mem_utility_selector { 1 => a, f => b }",
    "match mood { Mood::Calm => a, 1..=3 if x => b, _ => c }",
    "mem_match |n: &N| n.x + 1 { 1 => a, _ => b }",
    "own::twice(3, |x: &N| x.y > 4) { sequence { own::vote([1, 2]) { a, b }, mine { 1 => c, B => d } } }",
    "service(secs(1), look(3)) { machine { state a { x, enter: draw(1), near(10.0) -> b } state b { y, success -> a } any { !dead -> failure } } }",
    "selector { within(|n: &mut N| &mut n.w) { sequence { a(5), b } }, sequence { ..nodes }, random_selector { 3 => a, b } }",
    "for N, __saved: parallel(success = n, failure = 2) { a, if x && y { b } else { c } }",
];

#[test]
fn without_bt_live_the_expansion_is_the_static_one() {
    for text in TREES.into_iter().chain(["selctor { a }", "sequence { a b }", "", "retry(0) { a }"]) {
        assert_eq!(followed(tokens(text)).to_string(), tree(tokens(text)).to_string(), "{text}");
    }
}

/// The input of the `tree!` in an expansion.
fn input_of_tree(expansion: TokenStream) -> Option<TokenStream> {
    let tokens: Vec<_> = expansion.into_iter().collect();
    tokens.iter().enumerate().find_map(|(index, token)| match token {
        TokenTree::Group(group) if matches!(&tokens[..index], [.., TokenTree::Ident(name), _] if name == "tree") => {
            Some(group.stream())
        }
        TokenTree::Group(group) => input_of_tree(group.stream()),
        _ => None,
    })
}

#[test]
fn a_subtree_expands_as_ever_and_its_tree_is_static_without_bt_live() {
    for (function, input) in [
        (
            "fn guard() -> impl Node<Npc> { tree! { selector { goto(50.0), idle } } }",
            "for Npc:selector{goto(50.0),idle}",
        ),
        (
            "fn guard(at: f32) -> impl Node<Ctx<'_>> { let x = at; bt::tree! { goto(x) } }",
            "for<'__any0>Ctx<'__any0>:goto(x)",
        ),
        ("fn guard() -> BoxNode<Npc> { tree! { for Npc: retry(2) { idle } } }", "for Npc:retry(2){idle}"),
    ] {
        let mut errors = Errors::default();
        let expanded = subtree(TokenStream::new(), tokens(function), &mut errors);
        assert!(errors.is_empty(), "{function}: {:?}", errors.messages());
        let tree_of = input_of_tree(expanded).expect(function);
        assert_eq!(bt_syntax::live::flat(tree_of.clone()), input);
        assert_eq!(followed(tree_of.clone()).to_string(), tree(tree_of.clone()).to_string(), "{function}");
        let live = expanded_tokens(&tree_of).expect(function);
        assert!(live.contains("static __SITE:::bt_live::__private::Site="), "{live}");
    }
}

#[test]
fn with_bt_live_valid_trees_follow() {
    for text in TREES {
        let live = expanded(text).expect(text);
        assert!(live.contains("static __SITE:::bt_live::__private::Site="), "{live}");
        let parsed: syn::Expr = syn::parse_str(&live).unwrap_or_else(|error| panic!("{text}: {error}: {live}"));
        assert!(matches!(parsed, syn::Expr::Block(_)));
    }
    for text in ["selctor { a }", "sequence { a b }", "", "machine { state a { x } state b { y } }"] {
        assert_eq!(expanded(text), None, "{text}");
    }
}

/// Asserts that a text contains these in order.
fn contains(text: &str, parts: &[&str]) {
    let mut rest = text;
    for part in parts {
        let (_, after) = rest.split_once(part).unwrap_or_else(|| panic!("`{part}` is not in `{rest}` of\n{text}"));
        rest = after;
    }
}

#[test]
fn parts_are_made_once_and_again_if_a_literal_needs_it() {
    let live = expanded("for Npc: selector { goto(50.0), |npc: &Npc| npc.x > 5, idle(home, 3) }").expect("it is valid");
    contains(
        &live,
        &[
            "\"selector { goto(50.0), |npc: &Npc| npc.x > 5, idle(home, 3) }\"",
            "let __make0=move||",
            "goto((::bt_live::__private::Site::literal)(&__SITE,0,0,50.0))",
            "let __part0=__make0();",
            "let __part1=",
            "npc.x>(::bt_live::__private::Site::literal)(&__SITE,1,0,5)",
            "let __part2=",
            "idle(home,(::bt_live::__private::Site::literal)(&__SITE,2,0,3))",
            "let __whole=if!::bt_live::__private::is_live(&__SITE,&[])",
            "Both::Fixed(__bt_core::__private::Whole(__context,(__bt_core::keywords::selector)((__part0,__part1,__part2))",
            "Written{kind:::bt_live::__private::PartKind::Leaf,is_island:false,key:\"goto(_)\",literals:&[\"50.0\"],in_closure:&[false]}",
            "piece:::bt_live::__private::LeafNode(__part0).piece()",
            "maker:::bt_live::__private::Making(move||::bt_live::__private::LeafNode(__make0()).piece())",
            "LeafNode(__part1).piece(),maker:::bt_live::__private::NoMaker",
            "Both::Live(__context,&__SITE,",
            "__whole.or_broken()",
        ],
    );
    for call in ["goto((::bt", "npc.x>(::bt", "idle(home,(::bt"] {
        assert_eq!(live.matches(call).count(), 1, "{call}");
    }
}

#[test]
fn policies_scores_and_selections_are_variables() {
    let live = expanded("timeout(patience(3)) { match |n: &N| n.x + 1 { A => a, _ => b } }").expect("it is valid");
    contains(
        &live,
        &[
            "let __make0=move||(__bt_core::keywords::timeout)(patience((::bt_live::__private::Site::literal)(&__SITE,0,0,3)));let __part0=__make0();",
            "let __part1={",
            "\"|n: &N| n.x + 1\",&[\"A\",\"_\"],move|n:&N|match n.x+(::bt_live::__private::Site::literal)(&__SITE,1,0,1){A=>0,_=>1}",
            "(__context,__part0,(__bt_core::keywords::match_else)(__part1,(__part2,__part3)))",
            "PolicyPiece::new(__part0)",
            "SelectionPiece::new(__part1,&[\"A\"])",
        ],
    );
    let live = expanded("utility_selector { hunger(2.0) => a, 3 => b, thirst => c }").expect("it is valid");
    contains(
        &live,
        &[
            "let __make0=move||hunger((::bt_live::__private::Site::literal)(&__SITE,0,0,2.0));let __part0=__make0();",
            "let __part3=thirst;",
            "let __scores=(__part0,3,__part3)",
            "ScorePiece::new({let __part0=__part0;{let __scores=(__part0,);",
            "Making(move||::bt_live::__private::ScorePiece::new({let __part0=__make0();",
        ],
    );
}

#[test]
fn functions_before_children_make_a_node_in_each_tree() {
    let live = expanded("own::vote(3) { 1 => a, B => b }").expect("it is valid");
    contains(
        &live,
        &[
            "let __make0=move||::bt_live::__private::OwnNode(own::vote((::bt_live::__private::Site::literal)(&__SITE,0,0,3),[(::bt_live::__private::Site::literal)(&__SITE,0,1,1),B],((__bt_core::__private::broken)(),(__bt_core::__private::broken)()))).piece();",
            "is_live(&__SITE,&[__part0.1.is_known()])",
            "own::vote(3,[1,B],",
            "piece:__part0.0,maker:::bt_live::__private::Making(move||__make0().0)",
        ],
    );
}

#[test]
fn what_cannot_be_taken_apart_is_one_leaf() {
    let live = expanded("selector { sequence { ..nodes }, a }").expect("it is valid");
    contains(
        &live,
        &[
            "let __part0=(__bt_core::keywords::sequence)",
            "(__bt_core::keywords::selector)((__part0,__part1))",
            "is_island:true,key:\"sequence{..nodes}\"",
            "LeafNode(__bt_core::__private::located(__part0,const{",
        ],
    );
    assert_eq!(live.matches("..nodes").count(), 2, "the key and the text");
}

#[test]
fn a_tree_whose_text_is_not_its_own_is_static() {
    let fragment = |text: &str| proc_macro2::Group::new(proc_macro2::Delimiter::None, tokens(text));
    let (leaf, sum) = (fragment("goto(50.0)"), fragment("a + b"));
    assert!(expanded_tokens(&quote!(selector { #leaf, x })).is_some());
    assert_eq!(expanded_tokens(&quote!(selector { #sum, x })), None);
}
