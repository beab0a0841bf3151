use std::collections::BTreeMap;
use std::sync::Arc;

use bt_core::board::{BoardValue, Convert};
use bt_core::prelude::*;

use super::{Access, Scope, Script};

mod faults;

#[derive(Clone, Debug)]
enum Mode {
    Fast,
}

fn scope() -> Scope {
    let constants = [("RED", 1), ("GREEN", 2)].map(|(name, value)| (name.to_owned(), value));
    Scope { constants: Arc::new(BTreeMap::from(constants)), ..Scope::default() }
}

/// Returns the value of a script on a board, or the reason why it has none.
fn run_on(board: &mut Board, script: &str) -> String {
    match Script::parse(script) {
        Ok(script) => match script.run(board, &scope()) {
            Ok(value) => value.map_or_else(|| "none".to_owned(), |value| format!("{value:?}")),
            Err(error) => error.reason,
        },
        Err(error) => error.to_string(),
    }
}

fn run(script: &str) -> String {
    run_on(&mut Board::new(), script)
}

/// Asserts what each script returns.
fn assert_values(cases: &[(&str, &str)]) {
    for (script, expected) in cases {
        assert_eq!(run(script), *expected, "{script}");
    }
}

#[test]
fn literals() {
    assert_values(&[
        ("12", "Int(12)"),
        ("0x1F", "Int(31)"),
        ("0XfF", "Int(255)"),
        ("1.5", "Real(1.5)"),
        ("1e3", "Real(1000.0)"),
        ("2.5E-1", "Real(0.25)"),
        ("true", "Real(1.0)"),
        ("false", "Real(0.0)"),
        ("'it is'", r#"Text("it is")"#),
        ("''", r#"Text("")"#),
        ("9223372036854775807", "Int(9223372036854775807)"),
        ("9223372036854775808", "Int(0)"),
        ("GREEN", "Real(2.0)"),
    ]);
}

#[test]
fn arithmetic_is_real() {
    assert_values(&[
        ("1 + 2", "Real(3.0)"),
        ("7 / 2", "Real(3.5)"),
        ("1 - 2 - 3", "Real(-4.0)"),
        ("1 + 2 * 3", "Real(7.0)"),
        ("(1 + 2) * 3", "Real(9.0)"),
        ("-3", "Real(-3.0)"),
        ("- -3", "Real(3.0)"),
        ("1 / 0", "Real(inf)"),
        (
            "9007199254740992 + 1",
            "9007199254740992 cannot be used here: it has more digits than a floating-point number",
        ),
        ("1 + 'a'", "`+` has no meaning for a number and text"),
        ("-'a'", "`-` needs a number, but its operand is text"),
    ]);
}

#[test]
fn bits_are_those_of_integers() {
    assert_values(&[
        ("6 & 3", "Real(2.0)"),
        ("6 | 3", "Real(7.0)"),
        ("6 ^ 3", "Real(5.0)"),
        ("1 | 6 & 2", "Real(3.0)"),
        ("~5", "Real(-6.0)"),
        ("~1.7", "Real(-2.0)"),
        ("~1e19", "`~` needs an integer of 64 bits, but its operand is 10000000000000000000"),
        ("1.5 & 1", "operand of `&`: 1.5 cannot be used here: it is not a whole number"),
    ]);
}

#[test]
fn logic_evaluates_both_sides() {
    assert_values(&[
        ("1 && 0", "Real(0.0)"),
        ("0.5 && true", "Real(1.0)"),
        ("0 || 1", "Real(1.0)"),
        ("1 || 0 && 0", "Real(1.0)"),
        ("!0", "Real(1.0)"),
        ("!0.5", "Real(0.0)"),
        ("2 && 1", "operand of `&&`: 2 cannot be used here: it is not 0 or 1"),
        ("-1 || 1", "operand of `||`: -1 cannot be used here: it is negative"),
        ("false && missing", "variable `missing` does not exist, and no constant of this name"),
        ("x := 0; false && (x = 1); x", "Int(1)"),
    ]);
}

#[test]
fn comparisons_are_chains() {
    assert_values(&[
        ("1 < 2 < 3", "Real(1.0)"),
        ("3 > 2 == 1", "Real(0.0)"),
        ("1 > 2 > missing", "Real(0.0)"),
        ("0.1 + 0.2 == 0.3", "Real(1.0)"),
        ("1 == 1.0000001", "Real(1.0)"),
        ("1 != 1.000001", "Real(1.0)"),
        ("'a' < 'b' <= 'b'", "Real(1.0)"),
        ("'2' > 1", "Real(1.0)"),
        ("'GREEN' == 2", "Real(1.0)"),
        ("1 == 'true'", "Real(1.0)"),
        ("RED == 'RED'", "Real(1.0)"),
        ("1 == 'x'", "text cannot be used here: it does not start with a number"),
        // NaN and infinity, as in the original
        ("0 / 0 < 1", "Real(1.0)"),
        ("0 / 0 > 1", "Real(1.0)"),
        ("0 / 0 == 1", "Real(0.0)"),
        ("1 / 0 == 1 / 0", "Real(0.0)"),
    ]);
}

#[test]
fn text_is_joined() {
    assert_values(&[
        ("'a' .. 'b'", r#"Text("ab")"#),
        ("'a' + 'b'", r#"Text("ab")"#),
        ("'a' .. 3", r#"Text("a3")"#),
        ("65..'a'", r#"Text("65a")"#),
        ("'a' .. 2.5", r#"Text("a2.500000")"#),
        ("'a' .. RED", r#"Text("a1.000000")"#),
        ("'a' .. 1 + 2", "`+` has no meaning for text and a number"),
        ("1 .. 2", "none"),
        ("x := 1 .. 2", "an operand of `:=` has no value"),
        ("'a' - 'b'", "`-` has no meaning for text and text"),
    ]);
}

#[test]
fn choices() {
    assert_values(&[
        ("1 ? 2 : 3", "Int(2)"),
        ("0.0 ? 2 : 3", "Int(3)"),
        ("0 ? 1 : 0 ? 2 : 3", "Int(3)"),
        ("1 < 2 ? 'a' : missing", r#"Text("a")"#),
        ("'1' ? 2 : 3", "Int(2)"),
        ("'a' ? 2 : 3", "condition of `?`: text cannot be used here: it does not start with a number"),
        ("x := 0 ? 1 : 2; x", "Int(2)"),
    ]);
}

#[test]
fn assignments_keep_the_type() {
    assert_values(&[
        ("x := 3", "Int(3)"),
        ("x := 3; x = 4.0", "Int(4)"),
        ("x := 3; x += 1; x *= 2; x -= 3; x /= 5", "Int(1)"),
        ("x := 3.5; x = 1", "Real(1.0)"),
        ("x := 'a'; x += 'b'", r#"Text("ab")"#),
        ("x := y := 2; x + y", "Real(4.0)"),
        ("x := 1; x := '2.5'", "Real(2.5)"),
        ("x := 1; x := 'GREEN'", "Real(2.0)"),
        (
            "x := 1; x := 'a'",
            "variable `x` has type `i64`, which text cannot be assigned to: it does not start with a number",
        ),
        ("x := 1; x += 0.5", "variable `x` has type `i64`, which 1.5 cannot be assigned to: it is not a whole number"),
        ("x := 'a'; x = 3", "variable `x` is text, which a number cannot be assigned to"),
        ("x := 'a'; x += 3", "variable `x`: `+=` has no meaning for text and 3"),
        ("x := 1; x += '3'", "variable `x`: `+=` has no meaning for 1 and text"),
        ("x := 'a'; x -= 'b'", "variable `x`: `-=` has no meaning for text and text"),
        ("x = 1", "variable `x` does not exist; help: `:=` creates a variable"),
        ("x += 1", "variable `x` does not exist; help: `:=` creates a variable"),
        ("x := (x = 3)", "Int(3)"),
        ("x := x", "an operand of `:=` has no value"),
        ("(x) := 3; x", "Int(3)"),
        ("1 = 2", "the left side of `=` is not a variable; help: `==` compares"),
        ("-x := 2", "the left side of `:=` is not a variable; help: `==` compares"),
    ]);
}

#[test]
fn names() {
    assert_values(&[
        ("RED := 5; RED", "Real(1.0)"),
        ("RED := 5; @RED", "Int(5)"),
        ("RED := 5; {RED}", "Int(5)"),
        ("@x := 5; x", "Int(5)"),
        ("{a/b/_x} := 1; {a/b/_x} + 1", "Real(2.0)"),
        ("missing", "variable `missing` does not exist, and no constant of this name"),
        ("a := 1 b := 2; a + b", "Real(3.0)"),
        ("a := 1;;\n b := 2 ;", "Int(2)"),
    ]);
}

#[test]
fn variables_are_listed_once() {
    let script = Script::parse("b := RED + @a; a; c = 1; d -= {e f}").unwrap();
    let variables: Vec<_> = script.variables().collect();
    let (read, write, both) = (Access::Read, Access::Write, Access::ReadWrite);
    assert_eq!(variables, [("b", write), ("RED", read), ("a", read), ("c", write), ("d", both), ("e f", read)]);
    assert_eq!(format!("{:?}", script.clone()), r#""b := RED + @a; a; c = 1; d -= {e f}""#);
}

#[test]
fn other_values_are_copied_and_compared_by_their_debug_text() {
    let mut board = Board::new();
    board.set(&Key::new("mode"), Mode::Fast);
    assert_eq!(run_on(&mut board, "mode == 'Fast' && 'Slow' != mode"), "Real(1.0)");
    assert_eq!(run_on(&mut board, "copy := mode"), "Other(Fast)");
    assert!(matches!(board.get::<Mode>(&Key::new("copy")), Some(Mode::Fast)));
    assert!(run_on(&mut board, "mode == 1").ends_with("Mode` and a number"));
    assert!(run_on(&mut board, "mode = 'Slow'").contains("Mode`, which text cannot be assigned to"));
}

#[test]
fn a_new_variable_has_the_type_of_the_scope() {
    let scope = scope();
    let convert: Convert = Arc::new(|value| value.to_bool().map(|is| BoardValue::new(u8::from(is))));
    assert!(scope.types.set(BTreeMap::from([("x".to_owned(), Some(convert))])).is_ok());
    let mut board = Board::new();
    Script::parse("x := 1.0; y := x").unwrap().run(&mut board, &scope).unwrap();
    assert_eq!((board.get::<u8>(&Key::new("x")), board.get::<i64>(&Key::new("y"))), (Some(&1), Some(&1)));
}

#[test]
fn reads_fall_back_to_the_shared_board() {
    struct Ctx(Board, Board);
    impl HasBoard for Ctx {
        fn board(&self) -> &Board {
            &self.0
        }
        fn board_mut(&mut self) -> &mut Board {
            &mut self.0
        }
        fn shared_board(&self) -> Option<&Board> {
            Some(&self.1)
        }
    }
    let mut ctx = Ctx(Board::new(), Board::new());
    ctx.1.set(&Key::new("x"), 1i64);
    let scope = Scope::default();
    let mut run = |script: &str| Script::parse(script).unwrap().run(&mut ctx, &scope).map(|value| format!("{value:?}"));
    assert_eq!(run("x").unwrap(), "Some(Int(1))");
    assert!(run("x += 1").is_err());
    assert_eq!(run("x := x + 1").unwrap(), "Some(Real(2.0))");
    assert_eq!(ctx.1.get(&Key::<i64>::new("x")), Some(&1));
}

#[test]
fn conditions() {
    let holds = |script: &str| Script::parse(script).unwrap().holds(&mut Board::new(), &scope());
    assert_eq!(["1", "0", "0.5", "1 < 2", "0/0"].map(|script| holds(script).unwrap()), [true, false, true, true, true]);
    assert!(["2", "-1", "'a'", "1 .. 2", "missing"].iter().all(|script| holds(script).is_err()));
    let error = holds("'a'").unwrap_err();
    assert_eq!(error.to_string(), "script `'a'`: text is not a condition");
}
