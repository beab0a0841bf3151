//! The stages without the compiler: text in, syntax, messages or Rust out.

use proc_macro2::{Group, TokenStream, TokenTree};

use super::{ast, check, parse};
use crate::errors::Errors;

fn tokens(text: &str) -> TokenStream {
    text.parse().expect("the text is tokens")
}

/// The syntax of a tree, written in one way, if there is nothing wrong with it.
fn syntax(text: &str) -> String {
    let mut errors = Errors::default();
    let tree = parse::tree(tokens(text), &mut errors);
    assert_eq!(errors.messages(), [""; 0]);
    let context = tree.context.map(|context| format!("for {context}: ")).unwrap_or_default();
    context + &sketch(&tree.root)
}

fn sketch(node: &ast::Node) -> String {
    match node {
        ast::Node::Inner(inner) => {
            let args = inner.args.as_ref().map(|args| format!("({})", args.stream())).unwrap_or_default();
            let label = inner.label.as_ref().map(|label| format!(" {:?}", label.value())).unwrap_or_default();
            let child = |child: &ast::Child| {
                let weight = child.weight.as_ref().map(|weight| format!("{weight} => ")).unwrap_or_default();
                weight + &sketch(&child.node)
            };
            let children: Vec<_> = inner.children.iter().map(child).collect();
            format!("{}{args}{label}[{}]", inner.path.tokens, children.join(" "))
        }
        ast::Node::Not { child, .. } => format!("!{}", sketch(child)),
        ast::Node::Leaf(leaf) => format!("<{}>", leaf.tokens),
        ast::Node::Missing(_) => "?".to_owned(),
    }
}

/// What is wrong with a tree.
fn faults(text: &str) -> Vec<String> {
    let mut errors = Errors::default();
    let tree = parse::tree(tokens(text), &mut errors);
    check::tree(tree, &mut errors);
    errors.messages()
}

#[test]
fn lists_stand_in_braces_or_angle_brackets() {
    assert_eq!(syntax("selector { a, b, }"), "selector[<a> <b>]");
    assert_eq!(syntax("selector < a, b >"), "selector[<a> <b>]");
    assert_eq!(syntax("selector<sequence<a>>"), "selector[sequence[<a>]]");
    assert_eq!(syntax("a { b { c } d < e > !f {} g }"), "a[b[<c>] d[<e>] !f[] <g>]");
}

#[test]
fn words_take_arguments_and_a_label() {
    assert_eq!(syntax("retry(1 + 2) \"again\" { a }"), "retry(1 + 2) \"again\"[<a>]");
    assert_eq!(syntax("own::deco(x, y) { a }"), "own :: deco(x , y)[<a>]");
}

#[test]
fn the_context_comes_first() {
    assert_eq!(syntax("for Ctx<'_>: a"), "for Ctx < '_ >: <a>");
    assert_eq!(syntax("for (u8, dyn Trait): a"), "for (u8 , dyn Trait): <a>");
    assert_eq!(syntax("for a::B: c::d"), "for a :: B: <c :: d>");
}

#[test]
fn leaves_are_passed_on_as_they_are() {
    assert_eq!(syntax("a::b::<u8, u16>(1, 2)"), "<a :: b ::< u8 , u16 > (1 , 2)>");
    assert_eq!(syntax("<T as Trait<u8>>::leaf"), "<< T as Trait < u8 >>:: leaf>");
    assert_eq!(syntax("::a::b"), "<:: a :: b>");
    assert_eq!(syntax("&a.b.c(3)?.0"), "<& a . b . c (3) ?. 0>");
    assert_eq!(syntax("(x + y)"), "<x + y>");
    assert_eq!(syntax("(x).leaf()"), "<(x) . leaf ()>");
    assert_eq!(syntax("leaf!(x)"), "<leaf ! (x)>");
    assert_eq!(syntax("crate::a"), "<crate :: a>");
}

#[test]
fn closures_know_where_they_end() {
    assert_eq!(syntax("s { |x: &T| f::<A, B>(x), a }"), "s[<| x : & T | f ::< A , B > (x)> <a>]");
    assert_eq!(syntax("s { move || x > y, a }"), "s[<move || x > y> <a>]");
    assert_eq!(syntax("s < |x: &V<T>| f::<A>(x), a >"), "s[<| x : & V < T >| f ::< A > (x)> <a>]");
    assert_eq!(syntax("s < |x: &T| -> R<T> { x > y }, a >"), "s[<| x : & T | -> R < T > { x > y }> <a>]");
    assert_eq!(syntax("s < |x: &T| x.y >= 3, a >"), "s[<| x : & T | x . y >= 3> <a>]");
}

#[test]
fn weights_stand_before_arrows() {
    assert_eq!(
        syntax("r { 3 => a, x * 2.0 => b { c } d, |x: &T| match x { _ => 3 } }"),
        "r[3 => <a> x * 2.0 => b[<c>] <d> <| x : & T | match x { _ => 3 }>]"
    );
    assert_eq!(syntax("r < 3 => a, b >"), "r[3 => <a> <b>]");
    assert_eq!(faults("random_selector { 3 => a, 0.5 => b, c, x => d }"), [""; 0]);
    assert_eq!(faults("random_selector { 0 => a, -1.5 => b, 1 + => c, 1e999 => d }").len(), 4);
    assert_eq!(
        faults("selector { 3 => a }"),
        ["a weight stands only before the children of `random_selector` and `random_sequence`"]
    );
}

#[test]
fn bangs_bind_to_the_node_after_them() {
    assert_eq!(syntax("!!a"), "!!<a>");
    assert_eq!(syntax("s { !a(1), !b { c } }"), "s[!<a (1)> !b[<c>]]");
}

#[test]
fn a_path_may_be_half_typed() {
    assert_eq!(syntax("s { a::, b }"), "s[<a ::> <b>]");
    assert_eq!(syntax("s { a., b }"), "s[<a .> <b>]");
}

#[test]
fn every_fault_is_found_in_one_go() {
    assert_eq!(
        faults(
            "selctor { sequence {} invert { a, b } retry { c d } limit(1, 2) { parallel(sucess = 1, failure = 9) { e } } 7 }"
        ),
        [
            "expected `,` before the next child, found `d`",
            "expected a node, found `7`",
            "`sequence` has no children: a composite needs at least one",
            "`invert` takes exactly one child, found 2: put them into a composite, such as `invert { sequence { … } }`",
            "`retry` takes exactly one child, found 2: put them into a composite, such as `retry { sequence { … } }`",
            "`retry` takes one argument, as in `retry(3) { … }`",
            "`parallel` has no option `sucess`; did you mean `success`?",
            "a threshold of 9 can never be reached: there is 1 child here",
            "`limit` takes one argument, as in `limit(3) { … }`; found 2",
            "no keyword `selctor`; did you mean `selector`?",
        ]
    );
}

#[test]
fn a_decorator_of_ones_own_may_have_any_name_that_is_not_nearly_a_keyword() {
    assert_eq!(faults("not_twice_in_a_row { a }"), [""; 0]);
    assert_eq!(faults("self::repeta { a }"), [""; 0]);
    assert_eq!(faults("mine::invert { a }"), [""; 0]);
    assert_eq!(faults("retyr(3) { a }").len(), 1);
}

#[test]
fn after_a_missing_comma_nothing_is_lost() {
    let mut errors = Errors::default();
    let tree = parse::tree(tokens("s { a b, c 3 4, d }"), &mut errors);
    assert_eq!(sketch(&tree.root), "s[<a> <b> <c> <d>]");
    assert_eq!(errors.messages().len(), 2);
}

const VALID: [&str; 4] = [
    "for Npc: selector \"a\" { sequence { near(1, 2), !far }, own(3) < |x: &T| { x.y > z } >, (d), e::f }",
    "mem_parallel(success = all, failure = 2) { timeout(secs(5)) \"t\" { a }, &b, retry(3) { c.d(4) } }",
    "selector<sequence<a, b::<u8>()>, |x: &mut T| -> bool { true }, <T as U>::v>",
    "repeat { tree! { x } }",
];

/// Every text that comes of a valid one by leaving out, doubling or swapping tokens at any depth.
fn broken(tokens: &TokenStream) -> Vec<TokenStream> {
    let trees: Vec<TokenTree> = tokens.clone().into_iter().collect();
    let mut all = Vec::new();
    for index in 0..trees.len() {
        let with = |replaced: &[TokenTree]| -> TokenStream {
            let (before, after) = (&trees[..index], &trees[(index + replaced.len().max(1)).min(trees.len())..]);
            [before, replaced, after].concat().into_iter().collect()
        };
        all.push(with(&[]));
        all.push([&trees[..index], &trees[index..=index], &trees[index..]].concat().into_iter().collect());
        if index + 1 < trees.len() {
            all.push(with(&[trees[index + 1].clone(), trees[index].clone()]));
        }
        if let TokenTree::Group(group) = &trees[index] {
            for inner in broken(&group.stream()) {
                all.push(with(&[Group::new(group.delimiter(), inner).into()]));
            }
        }
    }
    all
}

#[test]
fn a_broken_tree_still_gives_an_expression_beside_its_errors() {
    let mut tried = 0;
    for valid in VALID {
        assert_eq!(faults(valid), [""; 0]);
        let once = broken(&tokens(valid));
        let twice = once.iter().step_by(17).flat_map(broken);
        for text in once.iter().cloned().chain(twice) {
            let shown = text.to_string();
            // Half-typed Rust of the user's is passed on, so only the block around it is sure to be an expression.
            let expanded = super::tree(text);
            let block: Vec<_> = expanded.into_iter().collect();
            assert!(matches!(block.as_slice(), [TokenTree::Group(_)]), "{shown}");
            tried += 1;
        }
    }
    assert!(tried > 1000, "{tried}");
}

#[test]
fn a_valid_tree_expands_to_an_expression_with_the_users_words() {
    for valid in VALID {
        let expanded = super::tree(tokens(valid));
        syn::parse2::<syn::Expr>(expanded.clone()).expect("an expression");
        let text = expanded.to_string();
        assert!(!text.contains("compile_error"), "{text}");
    }
}
