//! The text of a node that is compiled as a whole, from its plan.

use std::fmt::Write as _;

use proc_macro2::TokenStream;

use super::flat::flat;
use crate::plan::{Args, Guard, Located, Node, Target, Threshold, Transition};

/// Returns the text of a node, without its label. Its literals are part of the text.
pub(super) fn text(node: &Located) -> String {
    let mut text = String::new();
    write(&node.node, &mut text);
    text
}

/// Adds a node with its label.
fn labeled(node: &Located, text: &mut String) {
    write(&node.node, text);
    if let Some(label) = &node.label {
        let _ = write!(text, "{:?}", label.value());
    }
}

fn rust(tokens: &TokenStream, text: &mut String) {
    text.push_str(&flat(tokens.clone()));
}

fn write(node: &Node, text: &mut String) {
    match node {
        Node::Composite { keyword, args, children } => {
            *text += &keyword.to_string();
            for threshold in args {
                text.push(',');
                match threshold {
                    Threshold::Word(word) => *text += &word.to_string(),
                    Threshold::Number(number) => *text += &number.to_string(),
                    Threshold::Computed(value) => rust(value, text),
                }
            }
            list(children, &[], text);
        }
        Node::Random { keyword, weights, children } => {
            *text += &keyword.to_string();
            list(children, weights.as_deref().unwrap_or_default(), text);
        }
        Node::Utility { keyword, keep, scores, children, .. } => {
            let _ = write!(text, "{keyword}({})", keep.iter().map(|keep| flat(keep.clone())).collect::<String>());
            list(children, scores, text);
        }
        Node::Match { keyword, function, patterns, children, .. } => {
            let _ = write!(text, "{keyword} {}", flat(function.tokens.clone()));
            list(children, patterns, text);
        }
        Node::Machine { keyword, states, any } => {
            let _ = write!(text, "{keyword}{{");
            for state in states {
                let _ = write!(text, "{}{{", state.name);
                labeled(&state.node, text);
                for (word, hook) in [("enter:", &state.enter), ("exit:", &state.exit)] {
                    if let Some(hook) = hook {
                        *text += word;
                        labeled(hook, text);
                    }
                }
                transitions(&state.transitions, text);
                text.push('}');
            }
            transitions(any, text);
            text.push('}');
        }
        Node::Decorator { keyword, args, child } => {
            let _ = write!(text, "{keyword}(");
            match args {
                Args::None => {}
                Args::Times(times, _) => *text += &times.to_string(),
                Args::Rust(tokens) => rust(tokens, text),
                Args::Bound(variable) => *text += &variable.to_string(),
            }
            text.push(')');
            list(std::slice::from_ref(child), &[], text);
        }
        Node::Service { keyword, every, action, child } => {
            let _ = write!(text, "{keyword}({},", flat(every.clone()));
            labeled(action, text);
            text.push(')');
            list(std::slice::from_ref(child), &[], text);
        }
        Node::Own { path, args, annotations, children } => {
            let _ = write!(text, "{}({})", flat(path.clone()), flat(args.clone()));
            list(children, annotations.as_deref().unwrap_or_default(), text);
        }
        Node::Within { keyword, part, child, .. } => {
            let _ = write!(text, "{keyword}({})", flat(part.clone()));
            list(std::slice::from_ref(child), &[], text);
        }
        Node::Leaf { rust: tokens, .. } => rust(tokens, text),
        Node::Spread(tokens) => {
            *text += "..";
            rust(tokens, text);
        }
        Node::Cfg { cfgs, child } => {
            for cfg in cfgs {
                let _ = write!(text, "#[cfg({})]", flat(cfg.clone()));
            }
            labeled(child, text);
        }
        Node::Bound { node, .. } => write(node, text),
        Node::Broken => {}
    }
}

/// Adds children, each with the expression or the pattern before it.
fn list(children: &[Located], before: &[TokenStream], text: &mut String) {
    text.push('{');
    for (index, child) in children.iter().enumerate() {
        if index > 0 {
            text.push(',');
        }
        if let Some(before) = before.get(index) {
            rust(before, text);
            *text += "=>";
        }
        labeled(child, text);
    }
    text.push('}');
}

fn transitions(transitions: &[Transition], text: &mut String) {
    for Transition { guard, target, .. } in transitions {
        text.push(',');
        match guard {
            Guard::End(success) => *text += if *success { "success" } else { "failure" },
            Guard::Condition(condition) => labeled(condition, text),
        }
        *text += "->";
        match target {
            Target::State(_, name) => *text += &name.to_string(),
            Target::Out(success) => *text += if *success { "success" } else { "failure" },
        }
    }
}
