//! Words of this library as nodes of BehaviorTree.CPP.

use std::fmt;

use bt_behavior3::bt_words::Word;
use bt_behavior3::{Amount, Args, Node, Source, variable};

use super::{Attributes, Writer};
use crate::builtin::Builtin;

impl Writer<'_> {
    /// Adds the arguments of a word. Returns the node of BehaviorTree.CPP; `None` if there is none, which is reported.
    pub(super) fn word(
        &mut self,
        node: &Node,
        word: Word,
        args: &Args,
        attributes: &mut Attributes,
    ) -> Option<Builtin> {
        let Some(builtin) = Builtin::of(word) else {
            let reason = format!("`{}` has no counterpart in BehaviorTree.CPP", word.name());
            self.errors.push(node.diagnostic(reason));
            return None;
        };
        let value = match builtin {
            Builtin::RunOnce => Some(Ok("false".to_owned())),
            Builtin::Parallel => {
                if let Some([success, failure]) = args.thresholds() {
                    let children = node.children.len();
                    let counts = [("success_count", success, children), ("failure_count", failure, 1)];
                    let given = counts.into_iter().filter(|(_, count, default)| count != default);
                    attributes.extend(given.map(|(name, count, _)| (name.to_owned(), count.to_string())));
                }
                None
            }
            _ => args.number().map(|number| amount(number, |number| Some(number.to_string()))).or_else(|| {
                args.time().map(|time| {
                    amount(time, |time| (time.subsec_nanos() % 1_000_000 == 0).then(|| time.as_millis().to_string()))
                })
            }),
        };
        match (builtin.argument(), value) {
            (Some(port), Some(Ok(value))) => {
                let value = match variable(&value) {
                    Some(name) => format!("{{{}}}", self.name(name)),
                    None => value,
                };
                attributes.push((port.to_owned(), value));
            }
            (_, Some(Err(found))) => {
                let reason = format!("`{}`: BehaviorTree.CPP has numbers and variables, not `{found}`", word.name());
                self.errors.push(node.diagnostic(reason));
            }
            (None, Some(Ok(_))) | (_, None) => {}
        }
        Some(builtin)
    }
}

/// Returns an amount as text, or what it is if that cannot be written.
fn amount<T: fmt::Debug>(amount: &Amount<T>, fixed: impl Fn(&T) -> Option<String>) -> Result<String, String> {
    match amount {
        Amount::Fixed(value) => fixed(value).ok_or_else(|| format!("{value:?}")),
        Amount::Read(source @ Source::Variable(_)) => Ok(source.to_string()),
        Amount::Read(Source::Number(_) | Source::Registered(_)) | Amount::Range(..) => Err(amount.to_string()),
    }
}
