//! Evaluates the statements of a script.

use bt_core::board::{Board, HasBoard, Untyped, Variable as _};

use crate::script::expression::{Assign, Assignment, Binary, Choose, Compare, Expression, Name};
use crate::script::operate::{arithmetic, binary, compare, join, unary};
use crate::script::scope::Scope;
use crate::script::variable::Variable;

/// A context of any type. Evaluation is compiled once, not for each type of context.
pub(super) struct Boards<'c, C: ?Sized>(pub(super) &'c mut C);

impl<C: HasBoard + ?Sized> HasBoard for Boards<'_, C> {
    fn board(&self) -> &Board {
        self.0.board()
    }

    fn board_mut(&mut self) -> &mut Board {
        self.0.board_mut()
    }

    fn shared_board(&self) -> Option<&Board> {
        self.0.shared_board()
    }
}

/// One run of a script.
pub(super) struct Evaluation<'r> {
    boards: &'r mut dyn HasBoard,
    variables: &'r [Variable],
    scope: &'r Scope,
    /// The variables that exist since the left side of a `:=` was evaluated. A right side can set them by `=`.
    created: Vec<usize>,
}

/// A value, or `None` for that of a variable that is not set.
type Value = Option<Untyped>;

impl<'r> Evaluation<'r> {
    pub(super) fn new(boards: &'r mut dyn HasBoard, variables: &'r [Variable], scope: &'r Scope) -> Self {
        Self { boards, variables, scope, created: Vec::new() }
    }

    /// Evaluates an expression. Returns why it cannot be evaluated as an error.
    pub(super) fn value(&mut self, expression: &Expression) -> Result<Value, String> {
        match expression {
            Expression::Literal(literal) => Ok(Some(literal.clone())),
            Expression::Name(name) => self.name(*name),
            Expression::Unary(operator, operand) => {
                let operand = self.value(operand)?.ok_or_else(|| no_value(operator.symbol()))?;
                unary(*operator, &operand).map(Some)
            }
            Expression::Chain(first, rest) => self.chain(first, rest),
            Expression::Compare(first, rest) => self.compare(first, rest),
            Expression::Choose(choose) => self.choose(choose),
            Expression::Assign(assign) => self.assign(assign),
        }
    }

    fn name(&self, name: Name) -> Result<Value, String> {
        let key = &self.variables[name.variable].key;
        if name.is_bare
            && let Some(constant) = self.scope.constants.get(key.name())
        {
            return Ok(Some(Untyped::Real(f64::from(*constant))));
        }
        let boards = [Some(self.boards.board()), self.boards.shared_board()];
        if let Some(value) = boards.iter().flatten().find_map(|board| board.untyped(key)) {
            return Ok(Some(value));
        }
        let is_declared = self.created.contains(&name.variable)
            || boards.iter().flatten().any(|board| board.is_declared(key))
            || self.scope.has(key.name());
        if is_declared {
            Ok(None)
        } else {
            Err(format!("variable `{}` does not exist, and no constant of this name", key.name()))
        }
    }

    fn chain(&mut self, first: &Expression, rest: &[(Binary, Expression)]) -> Result<Value, String> {
        let mut left = self.value(first)?;
        for (operator, right) in rest {
            let right = self.value(right)?;
            let (Some(present), Some(right)) = (left, right) else { return Err(no_value(operator.symbol())) };
            left = binary(*operator, present, &right)?;
        }
        Ok(left)
    }

    fn compare(&mut self, first: &Expression, rest: &[(Compare, Expression)]) -> Result<Value, String> {
        let mut left = self.value(first)?;
        for (operator, right) in rest {
            let right = self.value(right)?;
            let (Some(present), Some(next)) = (&left, &right) else { return Err(no_value(operator.symbol())) };
            if !compare(*operator, present, next, self.scope)? {
                return Ok(Some(Untyped::Real(0.0)));
            }
            left = right;
        }
        Ok(Some(Untyped::Real(1.0)))
    }

    fn choose(&mut self, choose: &Choose) -> Result<Value, String> {
        let condition = self.value(&choose.condition)?.ok_or_else(|| no_value("?"))?;
        let holds = condition.to_real().map_err(|reason| format!("condition of `?`: {reason}"))? != 0.0;
        self.value(if holds { &choose.then } else { &choose.otherwise })
    }

    fn assign(&mut self, assign: &Assign) -> Result<Value, String> {
        let symbol = || assign.operator.symbol();
        let Some(index) = assign.target else {
            return Err(format!("the left side of `{}` is not a variable; help: `==` compares", symbol()));
        };
        let variables = self.variables;
        let key = &variables[index].key;
        let name = key.name();
        if !(self.boards.board().is_declared(key) || self.scope.has(name) || self.created.contains(&index)) {
            if assign.operator != Assignment::Create {
                return Err(format!("variable `{name}` does not exist; help: `:=` creates a variable"));
            }
            self.created.push(index);
        }
        let new = self.value(&assign.value)?.ok_or_else(|| no_value(symbol()))?;
        let board = self.boards.board_mut();
        let old = board.untyped(key);
        let new = match assign.operator {
            Assignment::Create | Assignment::Set => match (new, &old) {
                (Untyped::Int(_) | Untyped::Real(_), Some(Untyped::Text(_))) => {
                    return Err(format!("variable `{name}` is text, which a number cannot be assigned to"));
                }
                (Untyped::Text(text), Some(Untyped::Int(_) | Untyped::Real(_))) if board.has_free_type(key) => {
                    let constant = self.scope.constants.get(&text).map(ToString::to_string);
                    Untyped::Text(constant.unwrap_or(text))
                }
                (new, _) => new,
            },
            Assignment::Combine(operator) => {
                let old = old.ok_or_else(|| format!("variable `{name}` is not set, which `{}` needs", symbol()))?;
                combine(operator, old, new).map_err(|reason| format!("variable `{name}`: {reason}"))?
            }
        };
        let convert = self.scope.convert(name);
        board.set_untyped(key, new, convert)?;
        Ok(board.untyped(key))
    }
}

/// Returns the value of a variable that is combined with the right side of an assignment.
fn combine(operator: Binary, old: Untyped, new: Untyped) -> Result<Untyped, String> {
    match (&old, &new) {
        (Untyped::Int(_) | Untyped::Real(_), Untyped::Int(_) | Untyped::Real(_)) => {
            let result = arithmetic(operator, old.to_real()?, new.to_real()?);
            Ok(result.map_or(old, Untyped::Real))
        }
        (Untyped::Text(_), Untyped::Text(_)) if operator == Binary::Plus => join(old, &new).map(Untyped::Text),
        // BehaviorTree.CPP accepts a value of any other type, and ignores it.
        (_, Untyped::Other(_)) => Ok(old),
        _ => Err(format!("`{}` has no meaning for {old} and {new}", Assignment::Combine(operator).symbol())),
    }
}

fn no_value(symbol: &str) -> String {
    format!("an operand of `{symbol}` has no value")
}
