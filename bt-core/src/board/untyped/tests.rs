use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::task::Wake;
use alloc::{format, vec};
use core::fmt::Debug;
use core::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::board::entry::Value;
use crate::board::{Board, BoardValue, Convert, Key, Untyped};

#[derive(Clone, PartialEq, Debug)]
struct Pose(u32);

fn name(name: &str) -> Key<()> {
    Key::named(name)
}

fn text(text: &str) -> Untyped {
    Untyped::Text(text.to_string())
}

/// Returns a variable of this type after a value is assigned, or the error.
fn assigned<T: Value + PartialEq>(before: T, value: Untyped) -> Result<T, String> {
    let mut board = Board::new();
    board.set(&Key::new("x"), before);
    board.set_untyped(&name("x"), value, None)?;
    Ok(board.get::<T>(&Key::new("x")).unwrap().clone())
}

fn is_set<T: Value + PartialEq + Debug>(board: &Board, name: &'static str, value: T) {
    assert_eq!(board.try_get(&Key::new(name)), Ok(Some(&value)));
}

#[test]
fn numbers_and_text_of_all_types_are_read() {
    fn read<T: Value>(value: T) -> String {
        let mut board = Board::new();
        board.set(&Key::new("x"), value.clone());
        let read = board.untyped(&name("x")).unwrap();
        assert_eq!(format!("{read:?}"), format!("{:?}", BoardValue::new(value).untyped()));
        format!("{read:?}")
    }
    let ints =
        [read(1i8), read(1i16), read(1i32), read(1i64), read(1isize), read(1u8), read(1u16), read(1u32), read(1u64)];
    assert!(ints.iter().all(|int| int == "Int(1)"));
    assert_eq!([read(1usize), read(true), read(false)], ["Int(1)", "Int(1)", "Int(0)"]);
    assert_eq!([read(u64::MAX / 2), read(1u64 << 63)], ["Int(9223372036854775807)", "Real(9.223372036854776e18)"]);
    assert_eq!([read(0.5f32), read(0.25f64)], ["Real(0.5)", "Real(0.25)"]);
    assert_eq!([read("a"), read("b".to_string()), read('c')], [r#"Text("a")"#, r#"Text("b")"#, r#"Text("c")"#]);
    assert_eq!(read(Pose(1)), "Other(Pose(1))");
    assert_eq!(read(vec![1]), "Other([1])");
}

#[test]
fn a_variable_that_is_not_set_has_no_value() {
    let mut board = Board::new();
    assert!(board.untyped(&name("x")).is_none() && !board.is_declared(&name("x")));
    board.key::<u8>("x").unwrap();
    assert!(board.untyped(&name("x")).is_none() && board.is_declared(&name("x")));
    board.set_untyped(&name("x"), Untyped::Real(7.0), None).unwrap();
    is_set(&board, "x", 7u8);
}

#[test]
fn numbers_are_checked() {
    assert_eq!(assigned(0u8, Untyped::Int(255)), Ok(255));
    let error = "variable `x` has type `u8`, which 256 cannot be assigned to: it is out of range";
    assert_eq!(assigned(0u8, Untyped::Int(256)), Err(error.to_string()));
    assert!(assigned(0u64, Untyped::Int(-1)).is_err());
    assert_eq!(assigned(0u64, Untyped::Real(1e19)), Ok(10_000_000_000_000_000_000));
    assert!(assigned(0i64, Untyped::Real(1e19)).is_err());
    let error = "variable `x` has type `i8`, which 1.5 cannot be assigned to: it is not a whole number";
    assert_eq!(assigned(0i8, Untyped::Real(1.5)), Err(error.to_string()));
    assert_eq!(assigned(0i64, Untyped::Real(-9_223_372_036_854_775_808.0)), Ok(i64::MIN));
    assert!([f64::NAN, f64::INFINITY, f64::MAX].iter().all(|real| assigned(0i64, Untyped::Real(*real)).is_err()));
    assert_eq!(assigned(0.0, Untyped::Int((1 << 53) - 1)), Ok(9_007_199_254_740_991.0));
    assert!(assigned(0.0, Untyped::Int(1 << 53)).is_err());
    assert_eq!(assigned(0f32, Untyped::Real(0.1)), Ok(0.1));
    assert_eq!(
        [0.5, 0.0, 2.0, f64::NAN].map(|real| assigned(false, Untyped::Real(real)).unwrap()),
        [true, false, true, true]
    );
    assert!(assigned(false, Untyped::Real(-1.0)).is_err());
    assert_eq!([0, 1].map(|int| assigned(false, Untyped::Int(int)).unwrap()), [false, true]);
    assert!(assigned(false, Untyped::Int(2)).is_err());
}

#[test]
fn text_starts_with_the_number() {
    assert_eq!(["12", "-3", "2.7", "7 km"].map(|int| assigned(0i32, text(int)).unwrap()), [12, -3, 2, 7]);
    assert!(["", " 1", "+1", "a", "true", "99999999999"].iter().all(|int| assigned(0i32, text(int)).is_err()));
    let reals =
        ["0.5", ".5", "5.", "1e2x", "1e", "0x10", "-inf", "1e-320"].map(|real| assigned(0.0, text(real)).unwrap());
    assert_eq!(format!("{reals:?}"), "[0.5, 0.5, 5.0, 100.0, 1.0, 0.0, -inf, 1e-320]");
    assert!(assigned(0.0, text("NaN(1)")).is_ok());
    assert!([".", "-", "e1", "é", "1e999", "1e-999", " 1"].iter().all(|real| assigned(0.0, text(real)).is_err()));
    assert_eq!(["1", "true", "TRUE", "True"].map(|is| assigned(false, text(is))), [const { Ok(true) }; 4]);
    assert_eq!(["0", "false", "FALSE", "False"].map(|is| assigned(true, text(is))), [const { Ok(false) }; 4]);
    assert!(assigned(false, text("yes")).is_err());
}

#[test]
fn text_variables_take_numbers_and_text() {
    let string = String::new;
    assert_eq!(assigned(string(), text("a")), Ok("a".to_string()));
    assert_eq!(assigned(string(), Untyped::Int(-3)), Ok("-3".to_string()));
    assert_eq!(assigned(string(), Untyped::Real(2.5)), Ok("2.500000".to_string()));
    assert_eq!(assigned(string(), Untyped::Real(0.007_812_5)), Ok("0.007812".to_string()));
    assert_eq!(assigned(string(), Untyped::Real(f64::INFINITY)), Ok("inf".to_string()));
    assert_eq!(assigned('a', text("é")), Ok('é'));
    assert!(assigned('a', text("ab")).is_err());
    let error = "variable `x` has type `&str`, which text cannot be assigned to";
    assert_eq!(assigned("a", text("b")), Err(error.to_string()));
}

#[test]
fn a_new_variable_has_the_type_of_the_value_or_of_the_conversion() {
    let mut board = Board::new();
    let one_half: Convert = Arc::new(|value: &Untyped| match value {
        Untyped::Int(1) => Ok(BoardValue::new(0.5f32)),
        _ => Err("expected 1".to_string()),
    });
    let values = [
        ("i", Untyped::Int(1)),
        ("r", Untyped::Real(0.5)),
        ("t", text("a")),
        ("p", Untyped::Other(BoardValue::new(Pose(1)))),
    ];
    for (of, value) in values {
        board.set_untyped(&name(of), value, None).unwrap();
    }
    board.set_untyped(&name("c"), Untyped::Int(1), Some(&one_half)).unwrap();
    is_set(&board, "i", 1i64);
    is_set(&board, "r", 0.5f64);
    is_set(&board, "t", "a".to_string());
    is_set(&board, "p", Pose(1));
    is_set(&board, "c", 0.5f32);
    let error = board.set_untyped(&name("d"), text("a"), Some(&one_half)).unwrap_err();
    assert_eq!(error, "variable `d`: expected 1");
    assert!(!board.is_declared(&name("d")));
}

#[test]
fn other_types_take_their_own_values_and_those_of_a_conversion() {
    assert_eq!(assigned(Pose(1), Untyped::Other(BoardValue::new(Pose(2)))), Ok(Pose(2)));
    let error = "variable `x` has type `bt_core::board::untyped::tests::Pose`, which text cannot be assigned to";
    assert_eq!(assigned(Pose(1), text("2")), Err(error.to_string()));
    assert!(assigned(1u8, Untyped::Other(BoardValue::new(Pose(2)))).is_err());

    let mut board = Board::new();
    board.set(&Key::new("x"), Pose(0));
    let pose: Convert =
        Arc::new(|value: &Untyped| value.to_text().map(|text| BoardValue::new(Pose(u32::from(text == "7")))));
    board.set_untyped(&name("x"), text("7"), Some(&pose)).unwrap();
    is_set(&board, "x", Pose(1));
    let other: Convert = Arc::new(|_: &Untyped| Ok(BoardValue::new(1u8)));
    assert!(board.set_untyped(&name("x"), text("7"), Some(&other)).is_err());
}

#[test]
fn text_makes_a_number_of_a_script_real_until_a_key_fixes_its_type() {
    let mut board = Board::new();
    let x = name("x");
    board.set_untyped(&x, Untyped::Int(1), None).unwrap();
    assert!(board.has_free_type(&x));
    board.set_untyped(&x, text("2.5"), None).unwrap();
    is_set(&board, "x", 2.5f64);
    board.set_untyped(&x, text("true"), None).unwrap();
    is_set(&board, "x", 1.0f64);
    board.set(&Key::new("x"), 3.5f64);
    assert!(!board.has_free_type(&x));
    assert!(board.set_untyped(&x, text("true"), None).is_err());
    // A variable of a script that is unset can have another type.
    board.set_untyped(&name("y"), Untyped::Int(1), None).unwrap();
    board.unset(&name("y"));
    assert!(!board.is_declared(&name("y")));
    board.set_untyped(&name("y"), text("a"), None).unwrap();
    is_set(&board, "y", "a".to_string());
}

#[test]
fn each_write_is_a_change_and_wakes_watchers() {
    struct Count(AtomicU64);
    impl Wake for Count {
        fn wake(self: Arc<Self>) {
            self.0.fetch_add(1, Relaxed);
        }
    }
    let (mut board, x) = (Board::new(), name("x"));
    for changes in 1..4 {
        board.set_untyped(&x, Untyped::Int(1), None).unwrap();
        assert_eq!(board.changes(&x), changes);
    }
    board.set_untyped(&x, text("1"), None).unwrap();
    assert!(board.set_untyped(&x, text("a"), None).is_err());
    assert_eq!(board.changes(&x), 4);
    let count = Arc::new(Count(AtomicU64::new(0)));
    board.watch::<f64>(&Key::new("x"), &count.clone().into());
    board.set_untyped(&x, Untyped::Int(1), None).unwrap();
    assert!(board.set_untyped(&x, text("a"), None).is_err());
    assert_eq!(count.0.load(Relaxed), 1);
}
