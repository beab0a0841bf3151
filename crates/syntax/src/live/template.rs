//! Expressions with holes for their literals: `goto(50.0)` is `goto(_)` with the literal `50.0`.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote};
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::visit_mut::{self, VisitMut};
use syn::{Expr, ExprLit, Ident, Token, UnOp};

use super::flat::flat;
use super::free::is_free;
use super::literal::Literal;

/// Expressions that are one part of a tree.
#[derive(Clone, Debug)]
pub struct Template {
    /// The text with `_` for each literal.
    pub key: String,
    /// The literals, in order.
    pub literals: Vec<Literal>,
    /// For each literal, whether it is in a closure, which is called later. A change of any other literal requires that the part
    /// is created again.
    pub in_closure: Vec<bool>,
    /// Whether the expressions mention no local variable, so that they can be evaluated again.
    pub is_free: bool,
    /// The expressions; for a call, its arguments.
    pub parts: Vec<Part>,
}

/// An expression of a template, or a list of them with commas.
#[derive(Clone, Debug)]
pub struct Part {
    pub tokens: TokenStream,
    /// The number of literals in the parts before.
    first: usize,
}

impl Template {
    /// Returns the template of an expression.
    pub fn of(tokens: &TokenStream) -> Self {
        let mut template = Self::empty();
        let key = template.add(tokens);
        template.key = key;
        template
    }

    /// Returns the template of a call: a path, the arguments, and the expressions before the children if it has any.
    pub fn call(path: &TokenStream, args: &TokenStream, annotations: Option<&[TokenStream]>) -> Self {
        let mut template = Self::empty();
        let args = template.add(args);
        template.key = format!("{}({args})", flat(path.clone()));
        if let Some(annotations) = annotations {
            let before = template.add(&quote!(#(#annotations),*));
            template.key = format!("{}[{before}]", template.key);
        }
        template
    }

    /// Returns the template of a function with the patterns that its value is compared with.
    pub fn selection(function: &TokenStream, patterns: &[TokenStream]) -> Self {
        let mut template = Self::of(function);
        let texts: Vec<_> = patterns.iter().map(|pattern| flat(pattern.clone())).collect();
        // A pattern may have a condition.
        template.is_free &= patterns.iter().all(|pattern| {
            !pattern
                .clone()
                .into_iter()
                .any(|token| matches!(token, proc_macro2::TokenTree::Ident(word) if word == "if"))
        });
        template.key = format!("{}{{{}=>}}", template.key, texts.join("=>,"));
        template
    }

    /// Returns the template of what is compiled as a whole: the text is its key.
    pub(super) fn of_text(key: String) -> Self {
        Self { key, is_free: false, ..Self::empty() }
    }

    fn empty() -> Self {
        Self { key: String::new(), literals: Vec::new(), in_closure: Vec::new(), is_free: true, parts: Vec::new() }
    }

    /// Returns `true` if the part can be created again with other literals, and has a literal that requires this.
    pub fn has_maker(&self) -> bool {
        self.is_free && self.in_closure.iter().any(|inside| !inside)
    }

    /// Returns the expressions with each literal replaced. All other tokens are the user's.
    pub fn with_holes(&self, mut hole: impl FnMut(usize, TokenStream) -> TokenStream) -> Vec<TokenStream> {
        let parts = self.parts.iter().map(|part| {
            let Some(mut list) = parse(&part.tokens) else { return part.tokens.clone() };
            let mut index = part.first;
            let mut holes = Holes::new(|tokens, _, _| {
                index += 1;
                hole(index - 1, tokens)
            });
            list.iter_mut().for_each(|expression| holes.visit_expr_mut(expression));
            if index == part.first { part.tokens.clone() } else { list.into_token_stream() }
        });
        parts.collect()
    }

    /// Adds expressions. Returns their key.
    fn add(&mut self, tokens: &TokenStream) -> String {
        self.parts.push(Part { tokens: tokens.clone(), first: self.literals.len() });
        let Some(mut list) = parse(tokens) else {
            self.is_free = false;
            return flat(tokens.clone());
        };
        self.is_free &= list.iter().all(is_free);
        let (literals, in_closure) = (&mut self.literals, &mut self.in_closure);
        let mut holes = Holes::new(|_, literal, inside| {
            literals.push(literal);
            in_closure.push(inside);
            Ident::new("_", Span::call_site()).into_token_stream()
        });
        list.iter_mut().for_each(|expression| holes.visit_expr_mut(expression));
        // A comma at the end says nothing.
        list.pop_punct();
        flat(list.into_token_stream())
    }
}

/// Returns the texts of the patterns of a `match`, except the last, which are the cases of the loaded one. They differ from each other.
pub fn cases(patterns: &[TokenStream]) -> Vec<String> {
    let mut texts: Vec<String> = Vec::new();
    for pattern in patterns.iter().take(patterns.len().saturating_sub(1)) {
        let mut text = crate::text::written(pattern.clone());
        while texts.contains(&text) {
            text.push('\'');
        }
        texts.push(text);
    }
    texts
}

fn parse(tokens: &TokenStream) -> Option<Punctuated<Expr, Token![,]>> {
    Parser::parse2(Punctuated::parse_terminated, tokens.clone()).ok()
}

/// Replaces literals.
struct Holes<F> {
    hole: F,
    /// The number of closures around.
    closures: usize,
}

impl<F: FnMut(TokenStream, Literal, bool) -> TokenStream> Holes<F> {
    fn new(hole: F) -> Self {
        Self { hole, closures: 0 }
    }
}

/// Returns the literal that an expression is, possibly with a sign.
fn literal(expression: &Expr) -> Option<Literal> {
    match expression {
        Expr::Lit(ExprLit { attrs, lit }) if attrs.is_empty() => Literal::of(lit, false),
        Expr::Unary(unary) if unary.attrs.is_empty() && matches!(unary.op, UnOp::Neg(_)) => match &*unary.expr {
            Expr::Lit(ExprLit { attrs, lit }) if attrs.is_empty() => Literal::of(lit, true),
            _ => None,
        },
        _ => None,
    }
}

/// Returns `true` if an expression is a literal, possibly in parentheses.
fn is_literal(expression: &Expr) -> bool {
    match expression {
        Expr::Paren(inner) => is_literal(&inner.expr),
        Expr::Group(inner) => is_literal(&inner.expr),
        other => literal(other).is_some(),
    }
}

/// Returns `true` if an expression is a list of values. The compiler makes constants of some behind references, which methods take, too.
fn is_list(expression: &Expr) -> bool {
    match expression {
        Expr::Paren(inner) => is_list(&inner.expr),
        Expr::Group(inner) => is_list(&inner.expr),
        Expr::Array(_) | Expr::Tuple(_) | Expr::Repeat(_) | Expr::Struct(_) => true,
        _ => false,
    }
}

impl<F: FnMut(TokenStream, Literal, bool) -> TokenStream> VisitMut for Holes<F> {
    fn visit_expr_mut(&mut self, node: &mut Expr) {
        if let Some(literal) = literal(node) {
            let tokens = (self.hole)(node.to_token_stream(), literal, self.closures > 0);
            *node = Expr::Verbatim(tokens);
            return;
        }
        match node {
            Expr::Closure(closure) => {
                self.closures += 1;
                self.visit_expr_mut(&mut closure.body);
                self.closures -= 1;
            }
            // What a literal behind a reference is may live forever; one before `as` has a type of its own.
            Expr::Reference(_) | Expr::RawAddr(_) => {}
            Expr::Cast(cast) if is_literal(&cast.expr) => {}
            Expr::MethodCall(call) if is_list(&call.receiver) => {
                call.args.iter_mut().for_each(|arg| self.visit_expr_mut(arg));
            }
            Expr::Repeat(repeat) => self.visit_expr_mut(&mut repeat.expr),
            // A constant, and what is no Rust.
            Expr::Const(_) | Expr::Macro(_) | Expr::Verbatim(_) => {}
            _ => visit_mut::visit_expr_mut(self, node),
        }
    }

    fn visit_attribute_mut(&mut self, _: &mut syn::Attribute) {}
    fn visit_generic_argument_mut(&mut self, _: &mut syn::GenericArgument) {}
    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
    fn visit_macro_mut(&mut self, _: &mut syn::Macro) {}
    fn visit_pat_mut(&mut self, _: &mut syn::Pat) {}
    fn visit_type_mut(&mut self, _: &mut syn::Type) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    fn template(text: &str) -> Template {
        Template::of(&text.parse().expect(text))
    }

    /// The key, and the literals with a `|` before those in closures.
    fn of(text: &str) -> (String, String) {
        let Template { key, literals, in_closure, .. } = template(text);
        let literals: Vec<_> = { literals.iter() }
            .zip(in_closure)
            .map(|(literal, inside)| format!("{}{literal}", if inside { "|" } else { "" }))
            .collect();
        (key, literals.join(" "))
    }

    #[test]
    fn literals_are_holes() {
        for (text, key, literals) in [
            ("near", "near", ""),
            ("goto(50.0)", "goto(_)", "50.0"),
            ("goto(-50.0, \"a b\", 'c', true, 5u8,)", "goto(_,_,_,_,_)", "-50.0 \"a b\" 'c' true 5u8"),
            ("|npc: &Npc| npc.x > 5 && npc.y < -2", "|npc:&Npc|npc.x>_&&npc.y<_", "|5 |-2"),
            ("goto(3).named(\"x\")", "goto(_).named(_)", "3 \"x\""),
            ("f(x.0, y - 5)", "f(x.0,y-_)", "5"),
            ("f(1..=3, [1.0, 2.0], (4, 5))", "f(_..=_,[_,_],(_,_))", "1 3 1.0 2.0 4 5"),
            ("Goto { at: 5, ..HOME }", "Goto{at:_,..HOME}", "5"),
            ("f([0; 3])", "f([_;3])", "0"),
            ("f({ const X: u8 = 5; match x { 1 => 2, _ => 3 } })", "f({const X:u8=5;match x{1=>_,_=>_}})", "2 3"),
            // Not these.
            ("f(&5, &[1, 2], &mut g(3))", "f(&5,&[1,2],&mut g(3))", ""),
            ("f(b\"a\", b'a', c\"a\")", "f(b\"a\",b'a',c\"a\")", ""),
            ("f::<5>(5)", "f::<5>(_)", "5"),
            ("f(format!(\"{}\", 5), vec![1])", "f(format!(\"{}\",5),vec![1])", ""),
            ("f(const { 5 }, 0xFFFF_FFFF as u32, (5) as f32)", "f(const{5},0xFFFF_FFFF as u32,(5)as f32)", ""),
            ("f([1, 2].iter().map(|x| x * 3))", "f([1,2].iter().map(|x|x*_))", "|3"),
            ("|x: [u8; 4]| x[0] as f32 * 2.0", "|x:[u8;4]|x[_]as f32*_", "|0 |2.0"),
            ("340282366920938463463374607431768211456", "340282366920938463463374607431768211456", ""),
            ("a::", "a::", ""),
        ] {
            assert_eq!(of(text), (key.to_owned(), literals.to_owned()), "{text}");
        }
    }

    #[test]
    fn a_maker_needs_a_literal_outside_of_closures_and_no_local() {
        for (text, has_maker) in [
            ("goto(5)", true),
            ("goto(5, |x: &T| x.y > 3)", true),
            ("near", false),
            ("|x: &T| x.y > 3", false),
            ("goto(x, 5)", false),
            ("goto(5)?", false),
        ] {
            assert_eq!(template(text).has_maker(), has_maker, "{text}");
        }
    }

    fn signs(tokens: TokenStream) -> String {
        tokens.to_string().replace(' ', "")
    }

    #[test]
    fn only_literals_are_replaced() {
        for text in [
            "goto(-50.0, |x: &Vec<Vec<u8>>| -> bool { x[0][1] >= 3 && !matches!(x, 4) })",
            "f(if x { 1 } else { 2 }, match y { Z { a } => a, 5..=6 => 7 }, 'a: loop { break 'a 5 })",
            "Foo::<'a, 5> { x: 5, y: -(3 + 4) }.g(-5.abs(), &5)",
            "f(async move { 5 }, unsafe { g(5) }, || { let x: u8 = 5; x }, #[attr] 5, x.0.1, a..)",
        ] {
            let tokens: TokenStream = text.parse().expect(text);
            let [back] = &*template(text).with_holes(|_, tokens| tokens) else { panic!("{text}") };
            assert_eq!(signs(back.clone()), signs(tokens), "{text}");
        }
        let mut found = Vec::new();
        let holes = Template::call(&quote!(a::b), &quote!(1, x, 2), Some(&[quote!(3), quote!(y)])).with_holes(
            |index, tokens| {
                found.push((index, tokens.to_string()));
                quote!(hole(#tokens))
            },
        );
        assert_eq!(
            holes.iter().map(ToString::to_string).collect::<Vec<_>>(),
            ["hole (1) , x , hole (2)", "hole (3) , y"]
        );
        assert_eq!(found, [(0, "1".to_owned()), (1, "2".to_owned()), (2, "3".to_owned())]);
    }

    #[test]
    fn calls_and_selections_have_keys() {
        let call = Template::call(&quote!(a::b), &quote!(1, x,), Some(&[quote!(3), quote!(Y)]));
        assert_eq!((call.key.as_str(), call.is_free), ("a::b(_,x)[_,Y]", false));
        assert_eq!(Template::call(&quote!(a), &quote!(), None).key, "a()");
        let patterns = [quote!(Mood::Calm), quote!(1..=3 if x), quote!(_)];
        let selection = Template::selection(&quote!(|npc: &Npc| npc.x + 1), &patterns);
        assert_eq!(selection.key, "|npc:&Npc|npc.x+_{Mood::Calm=>,1..=3 if x=>,_=>}");
        assert_eq!(cases(&[quote!(A), quote!(1..=3), quote!(A), quote!(_)]), ["A", "1 ..= 3", "A'"]);
    }
}
