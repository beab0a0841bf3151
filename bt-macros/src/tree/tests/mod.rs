//! The stages without the compiler: text in, syntax, messages or Rust out.

use proc_macro2::TokenStream;

use super::{ast, check, parse};
use crate::errors::Errors;

mod broken;
mod machines;

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
        ast::Node::Machine(machine) => {
            let state = |state: &ast::State| {
                let nodes = state.nodes.iter().map(|(node, _)| sketch(node));
                let hook =
                    |word: &str, hook: &Option<ast::Node>| hook.as_ref().map(|hook| format!("{word}:{}", sketch(hook)));
                let hooks = [hook("enter", &state.enter), hook("exit", &state.exit)].into_iter().flatten();
                let transitions = state
                    .transitions
                    .iter()
                    .map(|transition| format!("{}->{}", sketch(&transition.guard), transition.to));
                format!("{}[{}]", state.name, nodes.chain(hooks).chain(transitions).collect::<Vec<_>>().join(" "))
            };
            format!("machine[{}]", machine.states.iter().chain(&machine.any).map(state).collect::<Vec<_>>().join(" "))
        }
        ast::Node::Not { child, .. } => format!("!{}", sketch(child)),
        ast::Node::Allowing { names, node } => {
            let sign = |expected| if expected { '?' } else { '#' };
            let names: Vec<_> = names.iter().map(|it| format!("{}{}", sign(it.expected), it.name)).collect();
            format!("{}{}", names.concat(), sketch(node))
        }
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
fn generic_arguments_may_stand_anywhere_in_a_path() {
    assert_eq!(syntax("s { T::<A, B>::f, !T::<A>::g(1) }"), "s[<T ::< A , B >:: f> !<T ::< A >:: g (1)>]");
    assert_eq!(syntax("T::<A>::own(3) { a }"), "T ::< A >:: own(3)[<a>]");
    assert_eq!(syntax("T::<A>::own < a >"), "T ::< A >:: own[<a>]");
    assert_eq!(syntax("s < T::<A<B>>::f, a >"), "s[<T ::< A < B >>:: f> <a>]");
    assert_eq!(
        syntax("machine { state a { x, T::<A, B>::near -> b, T::<A, C>::near -> b } state b { y } }"),
        "machine[a[<x> <T ::< A , B >:: near>->b <T ::< A , C >:: near>->b] b[<y>]]"
    );
    assert_eq!(
        faults("machine { state a { x, T::<A, B>::f -> b, T::<A, C>::f -> b, f::<A, B>() -> b } state b { y } }"),
        [""; 0]
    );
    assert_eq!(faults("sequence { a::<u8> b }").len(), 1, "a comma is missing");
}

#[test]
fn a_comma_in_generic_arguments_ends_no_argument() {
    assert_eq!(syntax("service(f::<A, B>(), c) { d }"), "service(f ::< A , B > ())[<d>]");
    for text in [
        "service(f::<A, B>(), c) { d }",
        "service(T::<A, B>::EVERY, g::<A, B>(1)) { d }",
        "parallel(success = f::<A, B>(), failure = g::<A, B>()) { a, b }",
        "parallel(failure = one, success = f(1, 2) + 3) { a, b }",
        "random_selector { f::<A, B>() => a, T::<A>::WEIGHT => b }",
        "limit(f::<A, B>()) { a }",
    ] {
        assert_eq!(faults(text), [""; 0], "{text}");
    }
    assert_eq!(faults("parallel(success, failure = f::<A, B>()) { a }").len(), 1);
    assert_eq!(faults("parallel(1 + 2, sucess = f::<A, B>()) { a }").len(), 2);
    assert!(super::tree(tokens("service(a::, x) { d }")).to_string().contains('x'), "half typed");
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
fn an_operator_that_would_end_the_list_is_told_from_its_end() {
    let operators = [
        "selector < |x: &T| x.y >> 3 == 0, a >",
        "selector < a, |x: &T| x.y >> x.z == 0 >",
        "selector < sequence < |x: &T| x.y >> x.z == 0, a >, b >",
        "selector < sequence < |x: &T| x.y > 3, a > b >",
        "machine < state a < x, |x: &T| x.y >> 1 == 0 -> b > state b < x > >",
    ];
    for text in operators {
        let faults = faults(text);
        assert!(faults[0].starts_with("this `>` would end the list in angle brackets: put the body"), "{faults:?}");
        assert_eq!(faults.len(), 1, "{text}: {faults:?}");
    }
    let ends = [
        "selector < sequence < |x: &T| x.y > b >",
        "selector < sequence < a, |x: &T| x.y >>",
        "selector < sequence < sequence < |x: &T| x.y >> b >",
        "selector < sequence < |x: &T| x.y >, |x: &T| { x.y >> 3 == 0 } >",
    ];
    for text in ends {
        assert_eq!(faults(text), [""; 0], "{text}");
    }
}

#[test]
fn what_is_meant_can_be_allowed() {
    assert_eq!(
        syntax("s { #[allow(unreachable, endless)] a, #[allow(pointless)] !b }"),
        "s[#unreachable#endless<a> #pointless!<b>]"
    );
    assert_eq!(
        faults("machine { state a { x, #[allow(unreachable)] y -> a2 } #[allow(unreachable)] state a2 { x } }"),
        [""; 0]
    );
    assert_eq!(faults("machine { #[allow(unreachable)] state a { #[allow(pointless)] invert { x } } }"), [""; 0]);
    assert_eq!(
        syntax("s { #[expect(unreachable)] #[allow(endless)] a, #[expect(pointless)] !b }"),
        "s[?unreachable#endless<a> ?pointless!<b>]"
    );
    assert_eq!(
        faults("s { #[expect(unreachble)] a }")[0],
        "`#[expect(…)]` before a node does not know `unreachble`: did you mean `unreachable`?"
    );
    assert_eq!(
        faults("s { #[allow(unreachble)] a, b }")[0],
        "`#[allow(…)]` before a node does not know `unreachble`: did you mean `unreachable`?"
    );
    for text in ["s { #[deny(unreachable)] a }", "s { #[allow()] a }", "s { #[allow] a }", "s { #[allow(a b)] a }"] {
        assert!(faults(text)[0].starts_with("a node can bear only `#[allow(…)]` and"), "{text}");
    }
}

#[test]
fn what_is_visibly_constant_hides_what_is_behind_it() {
    let hidden = |text: &str| -> usize {
        faults(text).iter().filter(|fault| fault.starts_with("this can never run: the child before it always")).count()
    };
    assert_eq!(hidden("selector { |_: &T| true, a, b }"), 1);
    assert_eq!(hidden("mem_sequence { !|_: &T| true, a }"), 1);
    assert_eq!(hidden("sequence { |_: &T| true, a }"), 0);
    assert_eq!(hidden("parallel { |_: &T| true, a }"), 0);
    assert_eq!(hidden("selector { |x: &T| x.y | true, a }"), 0);
    assert_eq!(faults("selector { |_: &T| true, #[allow(unreachable)] a, #[allow(unreachable)] b }"), [""; 0]);
}

#[test]
fn siblings_have_labels_of_their_own() {
    assert_eq!(faults("selector { sequence \"a\" { x }, sequence \"b\" { sequence \"a\" { y } } }"), [""; 0]);
    assert_eq!(
        faults("selector { sequence \"a\" { x }, sequence \"a\" { y } }"),
        ["there is a child \"a\" already: tools tell children apart by their labels"]
    );
}

#[test]
fn an_argument_of_the_wrong_kind_is_told_the_right_one() {
    let cases = [
        ("repeat(0) { a }", "`repeat(0)` never starts its child: the least is 1"),
        ("limit(\"3\") { a }", "`limit` takes a number, as in `limit(3) { … }`"),
        ("retry(9999999999) { a }", "`retry` takes a number, as in `retry(3) { … }`: number too large"),
        ("timeout(5) { a }", "`timeout` takes a time, as in `timeout(secs(5)) { … }`; there is `millis(…)` too"),
        ("delay(0.5) { a }", "`delay` takes a time, as in `delay(millis(500)) { … }`"),
        ("parallel(success = al) { a }", "a threshold is `all`, `one` or a number; did you mean `all`?"),
        ("service(secs(1)) { a }", "`service` takes a time and an action, as in `service(secs(1), look_around) { … }`"),
        ("service { a }", "`service` takes a time and an action"),
        ("service(secs(1), a, b) { c }", "`service` takes a time and one action"),
    ];
    for (text, expected) in cases {
        let faults = faults(text);
        assert!(faults.len() == 1 && faults[0].starts_with(expected), "{text}: {faults:?}");
    }
    assert_eq!(faults("service(secs(1), look(3, 4)) { sequence { a } }"), [""; 0]);
    assert_eq!(syntax("service(secs(1), look)"), "<service (secs (1) , look)>", "a function of the user's");
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
            "expected a node, found `7`; an expression stands in parentheses",
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
fn rust_that_is_no_path_stands_in_parentheses() {
    for text in ["sequence { if x { a } else { b }, c }", "sequence { 3 + 4, c }", "sequence { true, c }"] {
        let faults = faults(text);
        assert!(faults[0].ends_with("; an expression stands in parentheses"), "{faults:?}");
        assert_eq!(faults.len(), 1, "{faults:?}");
    }
    for text in ["sequence { (b, c) }", "sequence { !(b,) }", "machine { state a { (b, c) } }"] {
        let faults = faults(text);
        assert!(faults.len() == 1 && faults[0].starts_with("parentheses hold one expression"), "{faults:?}");
    }
    assert_eq!(faults("sequence { (f(b, c)), ((b, c).0), (b) }"), [""; 0]);
    assert_eq!(faults("sequence { \"label\" }"), ["expected a node, found `\"label\"`"]);
}

#[test]
fn after_a_missing_comma_nothing_is_lost() {
    let mut errors = Errors::default();
    let tree = parse::tree(tokens("s { a b, c 3 4, d }"), &mut errors);
    assert_eq!(sketch(&tree.root), "s[<a> <b> <c> <d>]");
    assert_eq!(errors.messages().len(), 2);
}
