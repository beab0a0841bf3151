//! Parses a script by the binding power of its operators.

use std::collections::HashMap;

use bt_core::board::{Key, Untyped};

use crate::script::error::ScriptError;
use crate::script::expression::{Assign, Assignment, Binary, Choose, Expression, Name, Unary};
use crate::script::token::{Kind, Token, tokens};
use crate::script::variable::{Access, Variable};

/// The largest number of bytes of a script.
const MAX_TEXT: usize = 64 * 1024;

/// The largest number of parentheses, signs, assignments and choices within each other.
const MAX_NESTING: usize = 100;

/// The largest number of expressions within each other, right operands included. It limits the stack that a script needs.
const MAX_DEPTH: usize = 250;

const ASSIGNMENT: u8 = 2;
const CHOICE: u8 = 4;
const COMPARISON: u8 = 10;
/// Tighter than any operator between two values.
const PREFIX: u8 = 20;

/// Returns the statements and the variables of a script.
pub(super) fn parse(text: &str) -> Result<(Vec<Expression>, Vec<Variable>), ScriptError> {
    if text.len() > MAX_TEXT {
        return Err(ScriptError::new(0, format!("the script has {} bytes; expected at most {MAX_TEXT}", text.len())));
    }
    let mut parser =
        Parser { tokens: tokens(text)?, next: 0, nesting: 0, depth: 0, uses: Vec::new(), by_name: HashMap::new() };
    let mut statements = Vec::new();
    while parser.peek().kind != Kind::End {
        statements.push(parser.expression(0)?);
        while parser.peek().kind == Kind::Semicolon {
            parser.advance();
        }
    }
    if statements.is_empty() {
        return Err(ScriptError::new(0, "the script is empty; expected a statement such as `x := 1`"));
    }
    Ok((statements, parser.uses.into_iter().map(Use::variable).collect()))
}

struct Parser<'t> {
    tokens: Vec<Token<'t>>,
    next: usize,
    nesting: usize,
    depth: usize,
    uses: Vec<Use>,
    by_name: HashMap<&'t str, usize>,
}

/// How often a variable is read, and whether it is written.
struct Use {
    key: Key<()>,
    reads: usize,
    is_written: bool,
}

impl Use {
    fn variable(self) -> Variable {
        let access = match (self.reads > 0, self.is_written) {
            (true, true) => Access::ReadWrite,
            (true, false) => Access::Read,
            (false, _) => Access::Write,
        };
        Variable { key: self.key, access }
    }
}

impl<'t> Parser<'t> {
    fn peek(&self) -> Token<'t> {
        self.tokens[self.next]
    }

    /// Returns the next token and goes to the one behind it, unless it is the last.
    fn advance(&mut self) -> Token<'t> {
        let token = self.peek();
        if token.kind != Kind::End {
            self.next += 1;
        }
        token
    }

    fn expect(&mut self, kind: Kind, expected: &str) -> Result<(), ScriptError> {
        let token = self.peek();
        if token.kind != kind {
            return Err(ScriptError::new(token.at, format!("found {}; expected {expected}", token.found())));
        }
        self.advance();
        Ok(())
    }

    /// Parses an expression in parentheses, behind a sign, or in an assignment or a choice.
    fn nested(&mut self, power: u8) -> Result<Expression, ScriptError> {
        if self.nesting == MAX_NESTING {
            return Err(self.too_deep());
        }
        self.nesting += 1;
        let expression = self.expression(power);
        self.nesting -= 1;
        expression
    }

    fn too_deep(&self) -> ScriptError {
        let reason = format!("the script nests deeper than {MAX_NESTING}; help: use a variable for a part of it");
        ScriptError::new(self.peek().at, reason)
    }

    /// Parses an expression whose operators bind at least as tightly as this power.
    fn expression(&mut self, power: u8) -> Result<Expression, ScriptError> {
        if self.depth == MAX_DEPTH {
            return Err(self.too_deep());
        }
        self.depth += 1;
        let expression = self.operators(power);
        self.depth -= 1;
        expression
    }

    fn operators(&mut self, power: u8) -> Result<Expression, ScriptError> {
        let mut left = self.operand()?;
        loop {
            match self.peek().kind {
                Kind::Assign(operator) if power <= ASSIGNMENT => return self.assignment(left, operator),
                Kind::Question if power <= CHOICE => return self.choice(left),
                Kind::Compare(_) if power <= COMPARISON => left = self.comparison(left)?,
                Kind::Binary(operator) if power <= operator.power() => left = self.chain(left, power)?,
                _ => return Ok(left),
            }
        }
    }

    /// Parses operators from left to right.
    fn chain(&mut self, first: Expression, power: u8) -> Result<Expression, ScriptError> {
        let mut rest: Vec<(Binary, Expression)> = Vec::new();
        while let Kind::Binary(operator) = self.peek().kind {
            if operator.power() < power {
                break;
            }
            self.advance();
            rest.push((operator, self.expression(operator.power() + 1)?));
        }
        Ok(Expression::Chain(Box::new(first), rest))
    }

    fn comparison(&mut self, first: Expression) -> Result<Expression, ScriptError> {
        let mut rest = Vec::new();
        while let Kind::Compare(operator) = self.peek().kind {
            self.advance();
            rest.push((operator, self.expression(COMPARISON + 1)?));
        }
        Ok(Expression::Compare(Box::new(first), rest))
    }

    fn assignment(&mut self, left: Expression, operator: Assignment) -> Result<Expression, ScriptError> {
        self.advance();
        let target = match left {
            Expression::Name(name) => Some(name.variable),
            _ => None,
        };
        if let Some(variable) = target {
            let used = &mut self.uses[variable];
            used.is_written = true;
            if !matches!(operator, Assignment::Combine(_)) {
                used.reads -= 1;
            }
        }
        let value = self.nested(0)?;
        Ok(Expression::Assign(Box::new(Assign { target, operator, value })))
    }

    fn choice(&mut self, condition: Expression) -> Result<Expression, ScriptError> {
        self.advance();
        let then = self.nested(0)?;
        self.expect(Kind::Colon, "`:` and the value for a condition that does not hold")?;
        let otherwise = self.nested(CHOICE)?;
        Ok(Expression::Choose(Box::new(Choose { condition, then, otherwise })))
    }

    fn operand(&mut self) -> Result<Expression, ScriptError> {
        let token = self.advance();
        let unary = |operator, operand| Ok(Expression::Unary(operator, Box::new(operand)));
        match token.kind {
            Kind::Binary(Binary::Minus) => unary(Unary::Negate, self.nested(PREFIX)?),
            Kind::Tilde => unary(Unary::Complement, self.nested(PREFIX)?),
            Kind::Bang => unary(Unary::Not, self.nested(PREFIX)?),
            Kind::Open => {
                let inner = self.nested(0)?;
                self.expect(Kind::Close, "an operator or `)`")?;
                Ok(inner)
            }
            Kind::Boolean => Ok(Expression::Literal(Untyped::Real(if token.text == "true" { 1.0 } else { 0.0 }))),
            Kind::Integer => Ok(Expression::Literal(Untyped::Int(integer(token.text)))),
            Kind::Real => real(token),
            Kind::Text => Ok(Expression::Literal(Untyped::Text(token.text.to_owned()))),
            Kind::Name => Ok(match token.text.strip_prefix('@') {
                Some(name) => self.name(name, false),
                None => self.name(token.text, true),
            }),
            Kind::Braced => Ok(self.name(token.text, false)),
            _ => Err(no_operand(token)),
        }
    }

    fn name(&mut self, name: &'t str, is_bare: bool) -> Expression {
        let variable = *self.by_name.entry(name).or_insert_with(|| {
            self.uses.push(Use { key: Key::named(name), reads: 0, is_written: false });
            self.uses.len() - 1
        });
        self.uses[variable].reads += 1;
        Expression::Name(Name { variable, is_bare })
    }
}

/// Returns the value of a literal. One that `i64` cannot represent is 0, as in BehaviorTree.CPP.
fn integer(text: &str) -> i64 {
    match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        Some(hexadecimal) => i64::from_str_radix(hexadecimal, 16),
        None => text.parse(),
    }
    .unwrap_or(0)
}

fn real(token: Token<'_>) -> Result<Expression, ScriptError> {
    match Untyped::Text(token.text.to_owned()).to_real() {
        Ok(real) => Ok(Expression::Literal(Untyped::Real(real))),
        Err(_) => Err(ScriptError::new(token.at, format!("the number {} is out of range", token.text))),
    }
}

fn no_operand(token: Token<'_>) -> ScriptError {
    let help = match token.kind {
        Kind::Semicolon => "; help: remove `;`, or write a statement before it",
        Kind::Assign(Assignment::Set) => "; help: `==` compares, `=` assigns",
        Kind::Close => "; help: each `)` needs a `(` before a value",
        _ => "",
    };
    ScriptError::new(token.at, format!("found {}; expected a value or a variable{help}", token.found()))
}
