//! Expands a checked file to the tokens of a `tree!`. Cannot fail.

use std::collections::HashMap;

use bt_behavior3::{
    Amount, Arg, Checked, Fault, Node, NodeKind, Place, Scalar, Source, Transition, When, Word, variable,
};
use bt_words::{Arity, Family, Lint, ParamType, Role};
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use serde_json::Value;
use syn::Path;

use super::parse::Input;

/// Returns the tokens of a `tree!`.
pub(super) fn tree(input: &Input, file: &Checked) -> TokenStream {
    let names = input.names.iter().map(|name| (name.name.as_str(), &name.path)).collect();
    let writer = Writer { file, names, span: input.file.span() };
    let root = writer.node(0, true);
    match &input.context {
        Some(context) => quote!(for #context: #root),
        None => root,
    }
}

/// Returns the file data of each node, in pre-order.
pub(super) fn nodes(file: &Checked) -> TokenStream {
    let nodes = file.nodes.iter().map(|node| {
        let (id, name) = (node.origin(), node.name());
        let properties = node.properties_text().to_string();
        let more = node.spec.more.to_string();
        let title = match &node.title {
            Some(title) => quote!(__bt_core::__private::Some(#title)),
            None => quote!(__bt_core::__private::None),
        };
        let place = match node.place_in_file() {
            Some((line, column)) => quote!(__bt_core::__private::Some((#line, #column))),
            None => quote!(__bt_core::__private::None),
        };
        let (is_own, is_leaf) = (node.kind == NodeKind::Own, node.children.is_empty());
        quote!(__bt_core::describe::InFile {
            id: #id, name: #name, place: #place, title: #title, properties: &#properties, more: &#more, warnings: &[], is_own: #is_own, is_leaf: #is_leaf,
        })
    });
    quote!(&[#(#nodes),*])
}

struct Writer<'a> {
    file: &'a Checked,
    names: HashMap<&'a str, &'a Path>,
    span: Span,
}

impl Writer<'_> {
    /// Returns a node and the lints that it allows; with its title as label if `is_labeled`.
    fn node(&self, index: usize, is_labeled: bool) -> TokenStream {
        let node = &self.file.nodes[index];
        let lints = Lint::ALL.into_iter().filter(|lint| node.allows(*lint));
        let allowed = lints.map(|lint| self.allowing(lint));
        let node = self.node_alone(index, is_labeled);
        quote!(#(#allowed)* #node)
    }

    fn allowing(&self, lint: Lint) -> TokenStream {
        let lint = Ident::new(lint.name(), self.span);
        quote_spanned!(self.span=> #[allow(#lint)])
    }

    fn node_alone(&self, index: usize, is_labeled: bool) -> TokenStream {
        let node = &self.file.nodes[index];
        let head = self.head(node);
        if node.children.is_empty() {
            return head;
        }
        let args = node.kind.args();
        if node.kind.word() == Some(Word::State) {
            let (name, child) = (Ident::new(args.name(), self.span), self.node(node.children[0], true));
            let transitions = self.transitions(node);
            let hooks = Word::State.row().params.iter().zip(&args.0).filter_map(|(param, arg)| match arg {
                Some(Arg::Leaf(_, leaf)) => {
                    let (keyword, path) = (Ident::new(param.name, self.span), self.names.get(leaf.as_str()));
                    Some(quote!(#keyword: #path,))
                }
                _ => None,
            });
            return quote_spanned!(self.span=> state #name { #(#hooks)* #child, #(#transitions),* });
        }
        let label = node.title.as_ref().filter(|_| is_labeled).map(|title| Literal::string(title));
        let titles: Vec<_> = node.children.iter().map(|child| self.file.nodes[*child].title.as_deref()).collect();
        let children = node.children.iter().zip(self.annotations(node)).enumerate();
        let mut children = children.map(|(index, (child, before))| {
            let is_first = !titles[..index].contains(&titles[index]);
            let child = self.node(*child, is_first);
            quote!(#before #child)
        });
        if node.kind.word().is_some_and(|word| word.row().arity() == Arity::Branches) {
            let mut children = children.by_ref().map(|child| quote!({ #child }));
            let condition = node.children.first().map(|child| self.node(*child, true));
            let (then, otherwise) = (children.nth(1), children.next().map(|node| quote!(else #node)));
            return quote_spanned!(self.span=> #head (#condition) #label #then #otherwise);
        }
        let any = if args.transitions().is_empty() {
            TokenStream::new()
        } else {
            let transitions = self.transitions(node);
            quote_spanned!(self.span=> , any { #(#transitions),* })
        };
        quote_spanned!(self.span=> #head #label { #(#children),* #any })
    }

    /// Returns the tokens before each child.
    fn annotations(&self, node: &Node) -> Vec<TokenStream> {
        let args = node.kind.args();
        let case = |case: &Scalar| {
            let case = literal(case);
            quote!(#case =>)
        };
        match (args.weights(), args.scores(), args.cases()) {
            (Some(weights), ..) => weights.iter().map(|weight| quote!(#weight =>)).collect(),
            (_, Some(scores), _) => {
                scores.iter().map(|score| self.source(score)).map(|score| quote!(#score =>)).collect()
            }
            (.., Some(cases)) if matches!(args.value(), Some(Source::Registered(_))) => {
                cases.iter().map(case).chain([quote!(_ =>)]).collect()
            }
            _ => vec![TokenStream::new(); node.children.len()],
        }
    }

    /// Returns a value that a node reads.
    fn source(&self, source: &Source) -> TokenStream {
        match source {
            Source::Number(number) => Literal::f64_unsuffixed(*number).into_token_stream(),
            Source::Registered(name) => self.names.get(name.as_str()).into_token_stream(),
            Source::Variable(name) => quote_spanned!(self.span=> __bt_core::file::variable(#name)),
        }
    }

    /// Returns the transitions of a node, with the lint that it allows for them.
    fn transitions(&self, node: &Node) -> impl Iterator<Item = TokenStream> {
        let allowed = node.allows(Lint::Unreachable).then(|| self.allowing(Lint::Unreachable));
        node.kind.args().transitions().iter().map(move |transition| {
            let transition = self.transition(transition);
            quote!(#allowed #transition)
        })
    }

    fn transition(&self, transition: &Transition) -> TokenStream {
        let to = Ident::new(&transition.to, self.span);
        match &transition.on {
            When::Success => quote_spanned!(self.span=> success -> #to),
            When::Failure => quote_spanned!(self.span=> failure -> #to),
            When::Leaf { name, negated } => {
                let (not, path) = (negated.then(|| quote!(!)), self.names.get(name.as_str()));
                quote_spanned!(self.span=> #not #path -> #to)
            }
        }
    }

    fn head(&self, node: &Node) -> TokenStream {
        let span = self.span;
        let (word, args) = match &node.kind {
            NodeKind::Word(word, args) => (word, args),
            NodeKind::Own => return self.own(node),
            NodeKind::Tree(name) => {
                let properties = node.written_properties();
                let properties = properties.map(|(name, value)| quote!((#name, __bt_core::file::Written(#value))));
                return quote_spanned!(span=> __bt_core::file::nested(#name, &[#(#properties),*]));
            }
        };
        let name = Ident::new(word.name(), span);
        match (args.value(), args.cases()) {
            (Some(Source::Variable(variable)), Some(cases)) => {
                let function = Ident::new(&format!("{}_variable", word.name()), span);
                let cases = cases.iter().map(literal);
                return quote_spanned!(span=> __bt_core::file::#function(#variable, [#(__bt_core::file::Scalar::from(#cases)),*]));
            }
            (Some(value), _) => {
                let value = self.source(value);
                return quote_spanned!(span=> #name #value);
            }
            (None, _) => {}
        }
        let params = word.row().params.iter().zip(&args.0);
        let written: Vec<_> =
            params.filter_map(|(param, arg)| self.argument(param.name, param.ty, arg.as_ref()?)).collect();
        let is_leaf = word.row().family == Family::Leaf;
        let head = if is_leaf { quote_spanned!(span=> __bt_core::leaf::#name) } else { name.into_token_stream() };
        if written.is_empty() { head } else { quote_spanned!(span=> #head(#(#written),*)) }
    }

    /// Returns an argument as it is written between a keyword and its children; `None` if it is written elsewhere.
    fn argument(&self, name: &str, ty: ParamType, arg: &Arg) -> Option<TokenStream> {
        Some(match arg {
            Arg::Number(number) => self.amount(number, |number| Literal::u32_unsuffixed(*number).into_token_stream()),
            Arg::Time(time) => self.amount(time, |time| {
                let (secs, nanos) = (time.as_secs(), time.subsec_nanos());
                quote!(::core::time::Duration::new(#secs, #nanos))
            }),
            Arg::Probability(probability) => {
                self.amount(probability, |probability| Literal::f64_unsuffixed(*probability).into_token_stream())
            }
            Arg::Threshold(threshold, _) => {
                let (name, threshold) = (Ident::new(name, self.span), Literal::usize_unsuffixed(*threshold));
                quote!(#name = #threshold)
            }
            Arg::Leaf(_, leaf) if ty == ParamType::Leaf(Role::Service) => {
                self.names.get(leaf.as_str()).into_token_stream()
            }
            Arg::Bonus(bonus) => {
                let (name, bonus) = (Ident::new(name, self.span), Literal::f64_unsuffixed(*bonus));
                quote!(#name = #bonus)
            }
            Arg::Leaf(..)
            | Arg::Weights(_)
            | Arg::Scores(_)
            | Arg::Value(_)
            | Arg::Cases(_)
            | Arg::Transitions(_)
            | Arg::Name(_) => return None,
        })
    }

    /// Returns a number or time.
    fn amount<T>(&self, amount: &Amount<T>, write: impl Fn(&T) -> TokenStream) -> TokenStream {
        match amount {
            Amount::Fixed(value) => write(value),
            Amount::Range(least, most) => {
                let (least, most) = (write(least), write(most));
                quote_spanned!(self.span=> #least..=#most)
            }
            Amount::Read(source) => self.source(source),
        }
    }

    /// Returns a custom node: a leaf with named parameters, or a decorator as a function call.
    fn own(&self, node: &Node) -> TokenStream {
        let path = self.names.get(node.name());
        let values = node.properties().iter().map(|(name, given)| {
            let at = place(node, name, self.span);
            let value = value(given, &at, &node.diagnostic(Fault::of(name, format!("property `{name}`"))).to_string());
            quote!({ #[allow(non_camel_case_types, clippy::allow_attributes, clippy::items_after_statements)] struct #at; #value })
        });
        if node.properties().is_empty() {
            return quote!(#path);
        }
        if !node.children.is_empty() {
            return quote!(#path(#(#values),*));
        }
        let fields = node.properties().keys().map(|name| Ident::new(name, self.span));
        quote!((#path { #(#fields: #values),* }))
    }
}

/// Returns a case as a literal.
fn literal(case: &Scalar) -> TokenStream {
    match case {
        Scalar::Bool(value) => quote!(#value),
        Scalar::Number(_) => case.to_string().parse().unwrap_or_default(),
        Scalar::Text(text) => quote!(#text),
    }
}

/// Returns a type name that identifies the node and the property in errors.
fn place(node: &Node, property: &str, span: Span) -> Ident {
    const MAX_LEN: usize = 80;
    let argument = Fault::of(property, String::new());
    let at = match node.diagnostic(argument).place {
        Some(Place { line, column }) => format!("line_{line}_column_{column}"),
        None => format!("node_{}", node.id),
    };
    let text = format!("{at}_{}_property_{property}", node.title.as_deref().unwrap_or(node.name()));
    let sign = |sign: char| if sign.is_ascii_alphanumeric() { sign } else { '_' };
    Ident::new(&text.chars().take(MAX_LEN).map(sign).collect::<String>(), span)
}

/// Returns a value as Rust, of the expected type. `property` identifies it in the file.
fn value(value: &Value, at: &Ident, property: &str) -> TokenStream {
    let span = at.span();
    match value {
        Value::Bool(value) => quote_spanned!(span=> __bt_core::__private::json_bool::<_, #at>(#value)),
        Value::Number(number) => match number.as_i64().map(i128::from).or(number.as_u64().map(i128::from)) {
            Some(number) => {
                let number = Literal::i128_suffixed(number);
                quote_spanned!(span=> const { __bt_core::__private::json_int::<_, #at, #number>(#property) })
            }
            None => {
                let number = number.as_f64().unwrap_or_default();
                quote_spanned!(span=> __bt_core::__private::json_float::<_, #at>(#number))
            }
        },
        Value::String(text) => match variable(text) {
            Some(name) => quote_spanned!(span=> __bt_core::__private::json_key::<_, #at>(#name)),
            None => quote_spanned!(span=> __bt_core::__private::json_text::<_, #at>(#text)),
        },
        Value::Array(values) => {
            let values = values.iter().map(|value| self::value(value, at, property));
            quote_spanned!(span=> __bt_core::__private::json_list::<_, #at, _, _>([#(#values),*]))
        }
        // `check` rejects these.
        Value::Null | Value::Object(_) => quote!(()),
    }
}
