use bt_core::prelude::*;

use super::{assert_values, run, scope};
use crate::script::{Script, ScriptError};

#[test]
fn faults_of_the_text() {
    let cases = [
        ("", "at byte 0: the script is empty; expected a statement such as `x := 1`"),
        (" \n", "at byte 0: the script is empty; expected a statement such as `x := 1`"),
        (
            "; x",
            "at byte 0: found `;`; expected a value or a variable; help: remove `;`, or write a statement before it",
        ),
        ("x =", "at byte 3: found the end of the script; expected a value or a variable"),
        ("x = = 1", "at byte 4: found `=`; expected a value or a variable; help: `==` compares, `=` assigns"),
        ("(1", "at byte 2: found the end of the script; expected an operator or `)`"),
        ("1 )", "at byte 2: found `)`; expected a value or a variable; help: each `)` needs a `(` before a value"),
        (
            "1 ? 2",
            "at byte 5: found the end of the script; expected `:` and the value for a condition that does not hold",
        ),
        ("'a", "at byte 0: `'` without a closing `'`"),
        ("{a", "at byte 0: `{` without a closing `}`"),
        ("{}", "at byte 0: found `{}`; expected the name of a variable between the braces"),
        ("x := 65.", "at byte 5: found `65.`; expected digits behind `.`"),
        ("3x", "at byte 0: found `3x`; expected a number, and then a space or an operator"),
        ("1e+", "at byte 0: found `1e`; expected a number; the exponent has no digits"),
        ("0xG", "at byte 0: found `0xG`; expected hexadecimal digits behind `0x`, and then a space or an operator"),
        ("1e999", "at byte 0: the number 1e999 is out of range"),
        ("\"a'", "at byte 0: `\"` without a closing `\"`"),
        (
            "é := 1",
            "at byte 0: found `é`, which no script contains outside of text; help: a variable of any name is written in braces, `{name}`",
        ),
        (
            "x . y",
            "at byte 2: found `.`, which no script contains outside of text; help: `..` joins text, and a number has digits on both sides of `.`",
        ),
    ];
    assert_values(&cases);
}

#[test]
fn nesting_is_limited() {
    let nest =
        |open: &str, inner: &str, close: &str, depth| [open.repeat(depth), inner.into(), close.repeat(depth)].concat();
    for (open, inner, close) in [
        ("(", "1", ")"),
        ("-", "1", ""),
        ("!", "1", ""),
        ("a := ", "1", ""),
        ("1 ? ", "1", " : 1"),
        ("0 ? 1 : ", "1", ""),
        ("(1 + ", "1", ")"),
    ] {
        Script::parse(&nest(open, inner, close, 100)).unwrap().run(&mut Board::new(), &scope()).unwrap();
        let ScriptError { at, reason } = Script::parse(&nest(open, inner, close, 101)).unwrap_err();
        assert!(at > 0);
        assert_eq!(reason, "the script nests deeper than 100; help: use a variable for a part of it");
    }
    // Right operands that bind tighter and tighter nest too.
    let deep = "(0 || 1 && 1 == 0 | 1 & 0 + 1 * ";
    assert_eq!(run(&nest(deep, "1", ")", 31)), "Real(1.0)");
    assert!(run(&nest(deep, "1", ")", 36)).ends_with("use a variable for a part of it"));
    // Chains of any length are not nested.
    let long = 8000;
    assert_eq!(run(&nest("1 + ", "1", "", long)), "Real(8001.0)");
    assert_eq!(run(&nest("1 * ", "1", " + 1 && 1 < 2", 1).replace("&& ", "/ 2 && ")), "Real(1.0)");
    assert_eq!(run(&nest("1 == ", "1", "", long)), "Real(1.0)");
    assert_eq!(run(&nest("1;", "1", "", 30_000)), "Int(1)");
}

#[test]
fn sizes_are_limited() {
    let long = " ".repeat(64 * 1024 + 1);
    assert_eq!(run(&long), "at byte 0: the script has 65537 bytes; expected at most 65536");
    let text = format!("x := '{}'", "a".repeat(1024));
    let doubled = |count, double: &str| format!("{text}{}; 1", format!("; {double}").repeat(count));
    for double in ["x += x", "x := x .. x", "x := x + x"] {
        assert_eq!(run(&doubled(10, double)), "Int(1)");
        assert!(run(&doubled(11, double)).ends_with("the text has 2097152 bytes; expected at most 1048576"));
    }
}
