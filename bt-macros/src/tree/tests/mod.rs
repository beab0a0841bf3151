//! Tests of the stages without the compiler: text in; syntax, messages or Rust out.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};

use bt_syntax::errors::Errors;
use bt_syntax::{ast, check, parse};

mod branches;
mod broken;
#[cfg(feature = "live")]
mod live;
mod machines;
mod selections;

fn tokens(text: &str) -> TokenStream {
    text.parse().expect("the text is tokens")
}

/// Returns the syntax of a valid tree in a canonical form.
fn syntax(text: &str) -> String {
    let mut errors = Errors::default();
    let list = tokens(text).into();
    let tree = parse::tree(&list, &mut errors);
    assert_eq!(errors.messages(), [""; 0]);
    let context = tree.context.map(|ast::Context { lifetimes, ty, .. }| {
        let bound = if lifetimes.is_empty() { String::new() } else { format!("<{}>", quote!(#(#lifetimes),*)) };
        format!("for{bound} {}: ", ty.to_token_stream())
    });
    let context = context.unwrap_or_default();
    context + &sketch(&tree.root)
}

fn sketch(node: &ast::Node<'_>) -> String {
    match node {
        ast::Node::Inner(inner) => {
            let args = inner.args.as_ref().map(|args| format!("({})", args.stream)).unwrap_or_default();
            let label = inner.label.as_ref().map(|label| format!(" {:?}", label.value())).unwrap_or_default();
            let child = |child: &ast::Child<'_>| {
                let dots = if child.dots.is_some() { ".." } else { "" };
                let weight = child.weight.as_ref().map(|weight| format!("{weight} => ")).unwrap_or_default();
                let cfgs = child.cfgs.iter().map(|cfg| format!("#cfg({cfg}) ")).collect::<Vec<_>>().concat();
                cfgs + &weight + dots + &sketch(&child.node)
            };
            let children: Vec<_> = inner.children.iter().map(child).collect();
            let path = inner.path.word.map_or_else(|| inner.path.tokens.to_string(), |word| word.to_string());
            format!("{path}{args}{label}[{}]", children.join(" "))
        }
        ast::Node::Machine(machine) => {
            let state = |state: &ast::State<'_>| {
                let nodes = state.nodes.iter().map(|(node, _)| sketch(node));
                let hook = |word: &str, hook: &Option<ast::Node<'_>>| {
                    hook.as_ref().map(|hook| format!("{word}:{}", sketch(hook)))
                };
                let hooks = [hook("enter", &state.enter), hook("exit", &state.exit)].into_iter().flatten();
                let transitions = state.transitions.iter().map(|transition| {
                    format!("{}->{}", sketch(&transition.guard), transition.to.as_ref().expect("a target"))
                });
                format!("{}[{}]", state.name, nodes.chain(hooks).chain(transitions).collect::<Vec<_>>().join(" "))
            };
            format!("machine[{}]", machine.states.iter().chain(&machine.any).map(state).collect::<Vec<_>>().join(" "))
        }
        ast::Node::If(branch) => {
            let ast::If { word, condition, label, then, otherwise, .. } = &**branch;
            let label = label.as_ref().map(|label| format!(" {:?}", label.value())).unwrap_or_default();
            let otherwise = otherwise.as_ref().map(|node| format!(" {}", sketch(node))).unwrap_or_default();
            format!("{}{label}[{} {}{otherwise}]", word.name(), sketch(condition), sketch(then))
        }
        ast::Node::Match(selection) => {
            let ast::Match { word, function, label, arms, .. } = &**selection;
            let function = function.as_ref().map(|function| function.tokens.to_string()).unwrap_or_default();
            let label = label.as_ref().map(|label| format!(" {:?}", label.value())).unwrap_or_default();
            let arms: Vec<_> = arms.iter().map(|arm| format!("{} => {}", arm.pattern, sketch(&arm.node))).collect();
            format!("{} {function}{label}[{}]", word.name(), arms.join(" "))
        }
        ast::Node::Not { child, .. } => format!("!{}", sketch(child)),
        ast::Node::Allowing { names, node } => {
            let sign = |it: &ast::Allowed<'_>| if it.attribute == ast::Attribute::Expect { '?' } else { '#' };
            let names: Vec<_> = names.iter().map(|it| format!("{}{}", sign(it), it.name)).collect();
            format!("{}{}", names.concat(), sketch(node))
        }
        ast::Node::Leaf(leaf) => format!("<{}>", leaf.tokens),
        ast::Node::Missing(_) | ast::Node::Skipped(_) => "?".to_owned(),
    }
}

/// Returns the errors of a tree.
fn messages(text: &str) -> Vec<String> {
    let mut errors = Errors::default();
    let list = tokens(text).into();
    let tree = parse::tree(&list, &mut errors);
    check::tree(tree, &mut errors);
    errors.messages()
}

/// Returns the only error of a tree.
fn only_message(text: &str) -> String {
    let messages = messages(text);
    assert_eq!(messages.len(), 1, "{text}: {messages:?}");
    messages[0].clone()
}

#[test]
fn lists_use_braces_or_angle_brackets() {
    assert_eq!(syntax("selector { a, b, }"), "selector[<a> <b>]");
    assert_eq!(syntax("selector < a, b >"), "selector[<a> <b>]");
    assert_eq!(syntax("< selector < sequence < a > > >"), syntax("selector { sequence { a } }"));
    assert_eq!(syntax("for G<'_>: <selector<a,b>>"), syntax("for G<'_>: selector { a, b }"));
    assert_eq!(syntax("< <G as Leaves>::a >"), syntax("<G as Leaves>::a"));
    assert_eq!(messages("< selector < a > "), ["unclosed `<`: expected `>` after the last node"]);
    assert_eq!(
        messages("< a, b >"),
        [
            "expected one root node, found `,` after it\nhelp: put several nodes in a composite, such as `sequence { … }`"
        ]
    );
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
    assert_eq!(syntax("for <T as A>::B: c"), "for < T as A > :: B: <c>");
    assert_eq!(syntax("for<'a, 'b> Ctx<'a, 'b>: a"), "for<'a , 'b> Ctx < 'a , 'b >: <a>");
}

#[test]
fn leaves_are_passed_on_unchanged() {
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
fn generic_arguments_are_allowed_anywhere_in_a_path() {
    assert_eq!(syntax("s { T::<A, B>::f, !T::<A>::g(1) }"), "s[<T ::< A , B >:: f> !<T ::< A >:: g (1)>]");
    assert_eq!(syntax("T::<A>::own(3) { a }"), "T ::< A >:: own(3)[<a>]");
    assert_eq!(syntax("T::<A>::own < a >"), "T ::< A >:: own[<a>]");
    assert_eq!(syntax("s < T::<A<B>>::f, a >"), "s[<T ::< A < B >>:: f> <a>]");
    assert_eq!(
        syntax("machine { state a { x, T::<A, B>::near -> b, T::<A, C>::near -> b } state b { y } }"),
        "machine[a[<x> <T ::< A , B >:: near>->b <T ::< A , C >:: near>->b] b[<y>]]"
    );
    assert_eq!(
        messages("machine { state a { x, T::<A, B>::f -> b, T::<A, C>::f -> b, f::<A, B>() -> b } state b { y } }"),
        [""; 0]
    );
    assert_eq!(messages("sequence { a::<u8> b }").len(), 1, "a comma is missing");
}

#[test]
fn a_comma_in_generic_arguments_does_not_end_an_argument() {
    assert_eq!(syntax("service(f::<A, B>(), c) { d }"), "service(f ::< A , B > ())[<d>]");
    for text in [
        "service(f::<A, B>(), c) { d }",
        "service(T::<A, B>::EVERY, g::<A, B>(1)) { d }",
        "parallel(success = f::<A, B>(), failure = g::<A, B>()) { a, b }",
        "parallel(failure = one, success = f(1, 2) + 3) { a, b }",
        "random_selector { f::<A, B>() => a, T::<A>::WEIGHT => b }",
        "limit(f::<A, B>()) { a }",
    ] {
        assert_eq!(messages(text), [""; 0], "{text}");
    }
    assert_eq!(messages("parallel(success, failure = f::<A, B>()) { a }").len(), 1);
    assert_eq!(messages("parallel(1 + 2, sucess = f::<A, B>()) { a }").len(), 2);
    assert!(super::tree(tokens("service(a::, x) { d }")).to_string().contains('x'), "half typed");
}

#[test]
fn closures_end_where_they_should() {
    assert_eq!(syntax("s { |x: &T| f::<A, B>(x), a }"), "s[<| x : & T | f ::< A , B > (x)> <a>]");
    assert_eq!(syntax("s { move || x > y, a }"), "s[<move || x > y> <a>]");
    assert_eq!(syntax("s < |x: &V<T>| f::<A>(x), a >"), "s[<| x : & V < T >| f ::< A > (x)> <a>]");
    assert_eq!(syntax("s < |x: &T| -> R<T> { x > y }, a >"), "s[<| x : & T | -> R < T > { x > y }> <a>]");
    assert_eq!(syntax("s < |x: &T| x.y >= 3, a >"), "s[<| x : & T | x . y >= 3> <a>]");
}

#[test]
fn weights_are_followed_by_arrows() {
    assert_eq!(
        syntax("r { 3 => a, x * 2.0 => b { c } d, |x: &T| match x { _ => 3 } }"),
        "r[3 => <a> x * 2.0 => b[<c>] <d> <| x : & T | match x { _ => 3 }>]"
    );
    assert_eq!(syntax("r < 3 => a, b >"), "r[3 => <a> <b>]");
    assert_eq!(messages("random_selector { 3 => a, 0.5 => b, c, x => d }"), [""; 0]);
    assert_eq!(messages("random_selector { 0 => a, -1.5 => b, 1 + => c, 1e999 => d }").len(), 4);
    assert_eq!(
        messages("selector { 3 => a }"),
        [
            "an expression is only allowed before a child of a `random_selector`, a `random_sequence`, a `utility_selector` or your own composite"
        ]
    );
}

#[test]
fn an_operator_is_distinguished_from_the_end_of_the_list() {
    let operators = [
        "selector < |x: &T| x.y >> 3 == 0, a >",
        "selector < a, |x: &T| x.y >> x.z == 0 >",
        "selector < sequence < |x: &T| x.y >> x.z == 0, a >, b >",
        "selector < sequence < |x: &T| x.y > 3, a > b >",
        "machine < state a < x, |x: &T| x.y >> 1 == 0 -> b > state b < x > >",
    ];
    for text in operators {
        let messages = messages(text);
        assert!(
            messages[0].starts_with("this `>` would end the list in angle brackets\nhelp: put the closure body"),
            "{messages:?}"
        );
        assert_eq!(messages.len(), 1, "{text}: {messages:?}");
    }
    let ends = [
        "selector < sequence < |x: &T| x.y > b >",
        "selector < sequence < a, |x: &T| x.y >>",
        "selector < sequence < sequence < |x: &T| x.y >> b >",
        "selector < sequence < |x: &T| x.y >, |x: &T| { x.y >> 3 == 0 } >",
    ];
    for text in ends {
        assert_eq!(messages(text), [""; 0], "{text}");
    }
}

#[test]
fn lints_can_be_allowed() {
    assert_eq!(
        syntax("s { #[allow(unreachable, endless)] a, #[allow(pointless)] !b }"),
        "s[#unreachable#endless<a> #pointless!<b>]"
    );
    assert_eq!(
        messages("machine { state a { x, #[allow(unreachable)] y -> a2 } #[allow(unreachable)] state a2 { x } }"),
        [""; 0]
    );
    assert_eq!(
        messages("sequence { #[allow(pointless)] retry(1) { x }, #[expect(pointless)] limit(0) { y } }"),
        [""; 0]
    );
    assert_eq!(messages("machine { #[allow(unreachable)] state a { #[allow(pointless)] invert { x } } }"), [""; 0]);
    assert_eq!(
        syntax("s { #[expect(unreachable)] #[allow(endless)] a, #[expect(pointless)] !b }"),
        "s[?unreachable#endless<a> ?pointless!<b>]"
    );
    assert_eq!(
        messages("s { #[expect(unreachble)] a }")[0],
        "unknown lint `unreachble` in `#[expect(…)]`\nhelp: did you mean `unreachable`?"
    );
    assert_eq!(
        messages("s { #[allow(unreachble)] a, b }")[0],
        "unknown lint `unreachble` in `#[allow(…)]`\nhelp: did you mean `unreachable`?"
    );
    for text in ["s { #[disabled] a }", "machine { #[disabled] state a { b } }"] {
        let help = "`#[disabled]` is for trees in files\nhelp: put the node in a comment: `/* node, */`";
        assert_eq!(messages(text)[0], help, "{text}");
    }
    for text in ["s { #[deny(unreachable)] a }", "s { #[allow()] a }", "s { #[allow] a }", "s { #[allow(a b)] a }"] {
        assert!(messages(text)[0].starts_with("expected `#[allow(…)]` or `#[expect(…)]` before a node"), "{text}");
    }
}

#[test]
fn a_visibly_constant_child_makes_later_children_unreachable() {
    let hidden = |text: &str| -> usize {
        messages(text)
            .iter()
            .filter(|message| message.starts_with("unreachable node\nnote: the child before it only returns"))
            .count()
    };
    assert_eq!(hidden("selector { |_: &T| true, a, b }"), 1);
    assert_eq!(hidden("mem_sequence { !|_: &T| true, a }"), 1);
    assert_eq!(hidden("sequence { |_: &T| true, a }"), 0);
    assert_eq!(hidden("parallel { |_: &T| true, a }"), 0);
    assert_eq!(hidden("selector { |x: &T| x.y | true, a }"), 0);
    assert_eq!(messages("selector { |_: &T| true, #[allow(unreachable)] a, #[allow(unreachable)] b }"), [""; 0]);
}

#[test]
fn siblings_have_distinct_labels() {
    assert_eq!(messages("selector { sequence \"a\" { x }, sequence \"b\" { sequence \"a\" { y } } }"), [""; 0]);
    assert_eq!(
        messages("selector { sequence \"a\" { x }, sequence \"a\" { y } }"),
        ["duplicate label \"a\"\nnote: tools identify children by their labels\nhelp: change or remove one of them"]
    );
}

#[test]
fn a_wrong_argument_is_reported_with_the_expected_kind() {
    let cases = [
        ("repeat(0) { a }", "`repeat(0)` never starts its child\nhelp: write a larger number, or remove the node"),
        (
            "repeat(1) { a }",
            "`repeat(1)` never starts its child again\nhelp: write a larger number, or `force_success`",
        ),
        (
            "retry(1) { a }",
            "`retry(1)` never starts its child again\nhelp: write a larger number, or remove the decorator",
        ),
        ("repeat_while_success(1) { a }", "`repeat_while_success(1)` never starts its child again"),
        ("limit(0) { a }", "`limit(0)` never starts its child"),
        ("#[allow(unreachable)] retry(1) { a }", "`retry(1)` never starts its child again"),
        ("repeat(-1) { a }", "`repeat` expects a positive number, found `-1`\nhelp: write `repeat(3) { … }`"),
        ("limit(\"3\") { a }", "`limit` expects a number, found `\"3\"`\nhelp: write `limit(3) { … }`"),
        ("retry(9999999999) { a }", "`retry` expects a `u32`, found `9999999999`\nnote: number too large"),
        (
            "timeout(5) { a }",
            "`timeout` expects a time, found `5`\nhelp: write `timeout(secs(5)) { … }`, or use `millis(…)`",
        ),
        ("delay(0.5) { a }", "`delay` expects a time, found `0.5`\nhelp: write `delay(millis(500)) { … }`"),
        ("parallel(success = al) { a }", "expected `all`, `one` or a number, found `al`\nhelp: did you mean `all`?"),
        (
            "service(secs(1)) { a }",
            "`service` expects a time and an action\nhelp: write `service(secs(1), look_around) { … }`",
        ),
        ("service { a }", "`service` expects a time and an action"),
        ("service(secs(1), a, b) { c }", "`service` expects a time and one action"),
    ];
    for (text, expected) in cases {
        let messages = messages(text);
        assert!(messages.len() == 1 && messages[0].starts_with(expected), "{text}: {messages:?}");
    }
    assert_eq!(messages("service(secs(1), look(3, 4)) { sequence { a } }"), [""; 0]);
    assert_eq!(syntax("self::service(secs(1), look)"), "<self :: service (secs (1) , look)>", "a function of the user");
}

#[test]
fn a_keyword_is_not_called() {
    for (text, instead) in [
        ("selector(a, b)", "selector { … }"),
        ("s { utility_selector(a, b), c }", "utility_selector { … }"),
        ("machine { state a { invert(b), c -> a } }", "invert { … }"),
        ("timeout(secs(3))", "timeout(…) { … }"),
        ("repeat(3, a)", "repeat(…) { … }"),
        ("service(secs(1), look)", "service(…) { … }"),
        ("within(part)", "within(…) { … }"),
    ] {
        let messages = messages(text);
        let help = format!(" in braces\nhelp: write `{instead}`\nhelp: for a function of your own, write `self::");
        assert!(messages.iter().any(|message| message.contains(&help)), "{text}: {messages:?}");
    }
    assert_eq!(syntax("s { selector, a::invert(b) }"), "s[<selector> <a :: invert (b)>]", "functions of the user");
}

#[test]
fn a_state_outside_a_machine_is_reported() {
    for text in [
        "selector { state idle { walk, hurt -> flee } }",
        "selector { state idle, walk }",
        "sequence < state idle < walk, hurt -> flee >, walk >",
    ] {
        let expected = "`state` is only allowed inside a `machine`\nhelp: write `machine { state … }`";
        assert_eq!(messages(text), [expected], "{text}");
    }
    assert_eq!(syntax("s { state, b }"), "s[<state> <b>]", "a function of the user");
}

#[test]
fn children_can_be_spread_and_depend_on_the_configuration() {
    assert_eq!(syntax("s { a, ..b, ..[c, d].map(e), 3 => f }"), "s[<a> ..<b> ..<[c , d] . map (e)> 3 => <f>]");
    assert_eq!(
        syntax("s < ..b(1), #[cfg(x)] #[cfg(y)] 2 => t < c >, d >"),
        "s[..<b (1)> #cfg(x) #cfg(y) 2 => t[<c>] <d>]"
    );
    let cases = [
        ("..a", "`..` is only allowed before a child in a list"),
        ("s { !..a }", "`..` is only allowed before a child in a list"),
        ("machine { state a { ..b } }", "`..` is only allowed before a child in a list"),
        ("sequence { ..selector { a } }", "expected an expression after `..`, found a node\nhelp: remove `..`"),
        ("sequence { ..!a }", "expected an expression after `..`, found a node\nhelp: remove `..`"),
        ("invert { ..a }", "`invert` expects 1 child, found `..`, which may have none"),
        ("invert { #[cfg(x)] a }", "`invert` expects 1 child, found `#[cfg(…)]`, which may have none"),
        ("#[cfg(x)] a", "`#[cfg(…)]` is only allowed before a child in a list"),
        ("s { #[allow(unreachable)] #[cfg(x)] a }", "`#[cfg(…)]` is only allowed before a child in a list"),
        ("random_selector { 3 => a, ..b }", "the number of children is not known here"),
        ("own { 3 => a, #[cfg(x)] 4 => b }", "the number of children is not known here"),
        ("sequence { .. }", "expected a node, found nothing"),
    ];
    for (text, expected) in cases {
        let messages = messages(text);
        assert!(messages.len() == 1 && messages[0].starts_with(expected), "{text}: {messages:?}");
    }
}

#[test]
fn bangs_bind_to_the_node_after_them() {
    assert_eq!(syntax("!!a"), "!!<a>");
    assert_eq!(syntax("s { !a(1), !b { c } }"), "s[!<a (1)> !b[<c>]]");
}

#[test]
fn a_path_may_be_incomplete() {
    assert_eq!(syntax("s { a::, b }"), "s[<a ::> <b>]");
    assert_eq!(syntax("s { a., b }"), "s[<a .> <b>]");
}

#[test]
fn all_errors_are_reported_at_once() {
    assert_eq!(
        messages(
            "selctor { sequence {} invert { a, b } retry { c d } limit(1, 2) { parallel(sucess = 1, failure = 9) { e } } 7 }"
        ),
        [
            "expected a node, found `7`\nhelp: put an expression in parentheses",
            "`sequence` expects at least 1 child, found 0",
            "`invert` expects 1 child, found 2\nhelp: put the children in a composite, such as `sequence { … }`",
            "`retry` expects 1 child, found 2\nhelp: put the children in a composite, such as `sequence { … }`",
            "`retry` expects 1 argument, found 0\nhelp: write `retry(3) { … }`",
            "unknown option `sucess` for `parallel`\nhelp: did you mean `success`?",
            "threshold `failure` can never be reached: expected 9 failures, but there is only 1 child\n\
             help: change the threshold or the children, or write `#[allow(threshold)]` before this node",
            "`limit` expects 1 argument, found 2\nhelp: write `limit(3) { … }`",
            "unknown keyword `selctor`\nhelp: did you mean `selector`?\n\
             help: for a decorator or composite of your own, write `self::selctor`",
        ]
    );
}

#[test]
fn a_custom_decorator_may_have_any_name_that_is_not_near_a_keyword() {
    assert_eq!(messages("not_twice_in_a_row { a }"), [""; 0]);
    assert_eq!(messages("self::repeta { a }"), [""; 0]);
    assert_eq!(messages("mine::invert { a }"), [""; 0]);
    assert_eq!(messages("retyr(3) { a }").len(), 1);
}

#[test]
fn rust_other_than_a_path_needs_parentheses() {
    for (text, help) in [("3 + 4", "put an expression in parentheses"), ("true", "write `succeed`")] {
        let messages = messages(&format!("sequence {{ {text}, c }}"));
        assert!(messages[0].ends_with(&format!("\nhelp: {help}")), "{messages:?}");
        assert_eq!(messages.len(), 1, "{messages:?}");
    }
    for text in ["sequence { (b, c) }", "sequence { !(b,) }", "machine { state a { (b, c) } }"] {
        let messages = messages(text);
        assert!(
            messages.len() == 1 && messages[0].starts_with("expected one expression in parentheses"),
            "{messages:?}"
        );
    }
    assert_eq!(messages("sequence { (f(b, c)), ((b, c).0), (b) }"), [""; 0]);
    assert!(
        messages("sequence { \"label\" }")[0]
            .starts_with("expected a node, found `\"label\"`\nhelp: write a label after")
    );
}

#[test]
fn one_mistake_is_one_error() {
    let cases = [
        (
            "sequence { a and b, c }",
            "`and` is not allowed between nodes\nhelp: write `sequence { a, b }` for `a and b`",
        ),
        ("selector { a or !b }", "`or` is not allowed between nodes\nhelp: write `selector { a, b }` for `a or b`"),
        ("sequence { not a, c }", "`not` is not allowed before a node\nhelp: write `!`, as in `!near`"),
        (
            "sequence { a \"x\" (3), c }",
            "a label is not allowed before arguments\nhelp: write it after them: `name(arguments) \"label\"`",
        ),
        ("sequence { a && b, c }", "`&&` is not allowed between nodes\nhelp: write `sequence { a, b }` for `a && b`"),
        ("sequence { a || b }", "`||` is not allowed between nodes\nhelp: write `selector { a, b }` for `a || b`"),
        ("selector [a, b]", "expected `{` after `selector`, found `[…]`\nhelp: write `selector { … }`"),
        ("sequence { retry(3) [a], b }", "expected `{` after `retry`, found `[…]`\nhelp: write `retry { … }`"),
        ("sequence { a; b }", "expected `,` between nodes, found `;`\nhelp: write `,`"),
        ("sequence { a, b; }", "expected `,` between nodes, found `;`\nhelp: remove it"),
        ("a;", "expected `,` between nodes, found `;`\nhelp: remove it"),
        (
            "a -> b",
            "a transition is only allowed in a `machine`\nhelp: write `machine { state a { node, condition -> b } state b { … } }`",
        ),
        ("sequence: { a, b }", "expected `{` after `sequence`, found `:`\nhelp: write `sequence { … }`"),
        ("sequence: a b", "expected `{` after `sequence`, found `:`\nhelp: write `sequence { … }`"),
        ("if { a } { b }", "expected a condition after `if`, found `{…}`\nhelp: write `if a { … }`"),
        (
            "if a, b { c }",
            "expected `{` after the condition of `if`, found `,`\nhelp: write `if one && other { node }`",
        ),
        (
            "parallel(2, all) { a, b }",
            "`parallel` expects named options\nhelp: write `parallel(success = 2, failure = all)`",
        ),
        ("chance(30%) { a }", "expected a probability from 0.0 to 1.0, found `30%`\nhelp: write `0.3`"),
        (
            "random_selector { #[allow(pointless)] 3 => a, b }",
            "an attribute is only allowed before a node\nhelp: write it after the `=>`: `3 => #[allow(pointless)] …`",
        ),
        ("random_selector { 3: a, 2: b }", "expected `=>` after `3`, found `:`\nhelp: write `3 => …`"),
        ("match f { 1 => a \"x\" => b, _ => c }", "expected `,` before the next pattern, found `\"x\"`"),
        (
            "switch f { 1 => a, _ => b }",
            "expected `match`, found `switch`\nhelp: write `match f { pattern => node, … }`",
        ),
        (
            "machine { state a { x, !success -> b } state b { y, z -> a } }",
            "expected `failure`, found `!success`\nhelp: write `failure -> state`\nhelp: for a condition of your own, write `!self::success`",
        ),
        ("wait(x := 1)", "expected a value, found a name before it, `x:=`\nhelp: write `1`"),
    ];
    for (text, expected) in cases {
        assert_eq!(messages(text), [expected], "{text}");
    }
}

#[test]
fn a_label_can_follow_a_leaf() {
    let labels = |text: &str| {
        let mut errors = Errors::default();
        let list = tokens(text).into();
        let tree = parse::tree(&list, &mut errors);
        assert!(errors.is_empty(), "{text}: {:?}", errors.messages());
        let ast::Node::Inner(inner) = tree.root else { panic!("{text}") };
        let label = |child: ast::Child<'_>| match child.node {
            ast::Node::Leaf(leaf) => leaf.label.map(bt_syntax::tokens::Text::value),
            _ => None,
        };
        inner.children.into_iter().map(label).collect::<Vec<_>>()
    };
    let some = |label: &str| Some(label.to_owned());
    assert_eq!(labels("s { a \"x\", b(1).c \"y\", (d) \"z\", e }"), [some("x"), some("y"), some("z"), None]);
    assert_eq!(labels("s < |x: &T| x.y \"x\", &a \"y\", m!(b) \"z\" >"), [some("x"), some("y"), some("z")]);
}

#[test]
fn calls_behind_a_label_are_not_lost() {
    assert_eq!(
        only_message("s { a(1) \"x\".b(2), c }"),
        "expected `,` after a label, found `.b(2)`\nhelp: write the label last: `a(1).b(2) \"x\"`"
    );
}

#[test]
fn no_child_is_lost_after_a_missing_comma() {
    let mut errors = Errors::default();
    let list = tokens("s { a b, c; 4, d }").into();
    let tree = parse::tree(&list, &mut errors);
    assert_eq!(sketch(&tree.root), "s[<a> <b> <c> ? <d>]");
    assert_eq!(errors.messages().len(), 2);
}
