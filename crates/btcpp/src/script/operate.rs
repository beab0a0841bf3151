//! The operators on values.

use std::cmp::Ordering;

use bt_core::board::Untyped;

use crate::script::expression::{Binary, Compare, Unary};
use crate::script::scope::Scope;

/// The largest number of bytes of a text that a script creates.
const MAX_TEXT: usize = 1024 * 1024;

fn is_number(value: &Untyped) -> bool {
    matches!(value, Untyped::Int(_) | Untyped::Real(_))
}

fn kind(value: &Untyped) -> String {
    match value {
        Untyped::Int(_) | Untyped::Real(_) => "a number".to_owned(),
        _ => value.to_string(),
    }
}

const fn real(holds: bool) -> Untyped {
    Untyped::Real(if holds { 1.0 } else { 0.0 })
}

/// Evaluates an operator before a value.
pub(super) fn unary(operator: Unary, value: &Untyped) -> Result<Untyped, String> {
    if !is_number(value) {
        return Err(format!("`{}` needs a number, but its operand is {}", operator.symbol(), kind(value)));
    }
    let number = value.to_real()?;
    Ok(match operator {
        Unary::Negate => Untyped::Real(-number),
        Unary::Complement => Untyped::Real(complement(number)?),
        Unary::Not => real(number == 0.0),
    })
}

/// Returns the complement of the integer part.
#[allow(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    reason = "the result of an operator is a real number"
)]
fn complement(number: f64) -> Result<f64, String> {
    // 2 to the power of 63 is the first number that `i64` cannot represent. BehaviorTree.CPP accepts it, and NaN too.
    let limit = -(i64::MIN as f64);
    if number > limit || number < -limit {
        return Err(format!("`~` needs an integer of 64 bits, but its operand is {number}"));
    }
    let int = if number < limit { number as i64 } else { i64::MIN };
    Ok(!int as f64)
}

/// Evaluates an operator between two values. The result is `None` for a number that is joined with a number.
pub(super) fn binary(operator: Binary, left: Untyped, right: &Untyped) -> Result<Option<Untyped>, String> {
    match (is_number(&left), is_number(right)) {
        (true, true) => return numbers(operator, &left, right),
        _ if operator == Binary::Join => {}
        (false, false) if operator == Binary::Plus => {}
        _ => return Err(mixed(operator.symbol(), &left, right)),
    }
    let may_join = match (&left, right) {
        (Untyped::Text(_), Untyped::Text(_)) => true,
        (Untyped::Text(_), other) | (other, Untyped::Text(_)) => is_number(other),
        _ => false,
    };
    if !may_join {
        return Err(mixed(operator.symbol(), &left, right));
    }
    join(left, right).map(|text| Some(Untyped::Text(text)))
}

/// Returns a text or a number, followed by another one.
pub(super) fn join(left: Untyped, right: &Untyped) -> Result<String, String> {
    let mut text = match left {
        Untyped::Text(text) => text,
        number => number.to_text()?,
    };
    let number;
    let right = match right {
        Untyped::Text(text) => text,
        other => {
            number = other.to_text()?;
            &number
        }
    };
    if text.len() + right.len() > MAX_TEXT {
        return Err(format!("the text has {} bytes; expected at most {MAX_TEXT}", text.len() + right.len()));
    }
    text.push_str(right);
    Ok(text)
}

fn mixed(symbol: &str, left: &Untyped, right: &Untyped) -> String {
    format!("`{symbol}` has no meaning for {} and {}", kind(left), kind(right))
}

/// Evaluates arithmetic between two numbers.
pub(super) const fn arithmetic(operator: Binary, left: f64, right: f64) -> Option<f64> {
    Some(match operator {
        Binary::Plus => left + right,
        Binary::Minus => left - right,
        Binary::Times => left * right,
        Binary::Divide => left / right,
        _ => return None,
    })
}

#[allow(clippy::cast_precision_loss, reason = "the result of an operator is a real number")]
fn numbers(operator: Binary, left: &Untyped, right: &Untyped) -> Result<Option<Untyped>, String> {
    if let Some(result) = arithmetic(operator, left.to_real()?, right.to_real()?) {
        return Ok(Some(Untyped::Real(result)));
    }
    let bits = |operate: fn(i64, i64) -> i64| -> Result<Untyped, String> {
        Ok(Untyped::Real(operate(left.to_int()?, right.to_int()?) as f64))
    };
    let logic = |operate: fn(bool, bool) -> bool| -> Result<Untyped, String> {
        Ok(real(operate(left.to_bool()?, right.to_bool()?)))
    };
    let result = match operator {
        Binary::BitAnd => bits(|left, right| left & right),
        Binary::BitOr => bits(|left, right| left | right),
        Binary::BitXor => bits(|left, right| left ^ right),
        Binary::And => logic(|left, right| left && right),
        Binary::Or => logic(|left, right| left || right),
        _ => return Ok(None),
    };
    result.map(Some).map_err(|reason| format!("operand of `{}`: {reason}", operator.symbol()))
}

/// Evaluates a comparison.
pub(super) fn compare(operator: Compare, left: &Untyped, right: &Untyped, scope: &Scope) -> Result<bool, String> {
    use Untyped::{Other, Text};
    Ok(match (left, right) {
        (Text(left), Text(right)) => ordered(operator, left.cmp(right)),
        (Text(text), Other(other)) => ordered(operator, text.cmp(&format!("{other:?}"))),
        (Other(other), Text(text)) => ordered(operator, format!("{other:?}").cmp(text)),
        (Other(_), _) | (_, Other(_)) => return Err(mixed(operator.symbol(), left, right)),
        _ => reals(operator, compared(left, scope)?, compared(right, scope)?),
    })
}

/// Returns the number that a number, or text beside a number, stands for in a comparison.
fn compared(value: &Untyped, scope: &Scope) -> Result<f64, String> {
    match value {
        Untyped::Text(text) => match text.as_str() {
            "true" => Ok(1.0),
            "false" => Ok(0.0),
            name => match scope.constants.get(name) {
                Some(constant) => Ok(f64::from(*constant)),
                None => value.to_real(),
            },
        },
        _ => value.to_real(),
    }
}

fn ordered(operator: Compare, ordering: Ordering) -> bool {
    match operator {
        Compare::Equal => ordering.is_eq(),
        Compare::NotEqual => ordering.is_ne(),
        Compare::Less => ordering.is_lt(),
        Compare::Greater => ordering.is_gt(),
        Compare::LessEqual => ordering.is_le(),
        Compare::GreaterEqual => ordering.is_ge(),
    }
}

/// Compares two numbers. As in BehaviorTree.CPP, an ordering holds unless the opposite one does, so that it holds for NaN.
fn reals(operator: Compare, left: f64, right: f64) -> bool {
    let is_same = (left - right).abs() <= f64::from(f32::EPSILON);
    match operator {
        Compare::Equal => is_same,
        Compare::NotEqual => !is_same,
        Compare::Less => left.partial_cmp(&right).is_none_or(Ordering::is_lt),
        Compare::Greater => left.partial_cmp(&right).is_none_or(Ordering::is_gt),
        Compare::LessEqual => left.partial_cmp(&right).is_none_or(Ordering::is_le),
        Compare::GreaterEqual => left.partial_cmp(&right).is_none_or(Ordering::is_ge),
    }
}
