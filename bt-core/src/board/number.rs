//! The conversions of numbers and text that the scripts of BehaviorTree.CPP have.

/// The largest integer whose conversion to `f64` is allowed. All integers up to it are exact.
const MAX_EXACT: u64 = (1 << 53) - 1;

/// Why a value cannot be converted.
pub(super) type Reason = &'static str;

const OUT_OF_RANGE: Reason = "it is out of range";
const NO_NUMBER: Reason = "it does not start with a number";

/// A type that numbers and text convert to.
pub(super) trait Number: Sized {
    fn from_int(int: i64) -> Result<Self, Reason>;
    fn from_real(real: f64) -> Result<Self, Reason>;
    fn from_text(text: &str) -> Result<Self, Reason>;
}

macro_rules! integers {
    ($($int:ty),*) => {$(
        impl Number for $int {
            fn from_int(int: i64) -> Result<Self, Reason> {
                Self::try_from(int).map_err(|_| OUT_OF_RANGE)
            }

            fn from_real(real: f64) -> Result<Self, Reason> {
                Self::try_from(whole(real)?).map_err(|_| OUT_OF_RANGE)
            }

            fn from_text(text: &str) -> Result<Self, Reason> {
                Self::try_from(leading_int(text)?).map_err(|_| OUT_OF_RANGE)
            }
        }
    )*};
}

integers!(i8, i16, i32, i64, isize, u8, u16, u32, u64, usize);

impl Number for f64 {
    #[allow(clippy::cast_precision_loss, reason = "the integer is exact")]
    fn from_int(int: i64) -> Result<Self, Reason> {
        // `i64::MIN` is a power of two.
        if int.unsigned_abs() > MAX_EXACT && int != i64::MIN {
            return Err("it has more digits than a floating-point number");
        }
        Ok(int as f64)
    }

    fn from_real(real: f64) -> Result<Self, Reason> {
        Ok(real)
    }

    fn from_text(text: &str) -> Result<Self, Reason> {
        leading_real(text)
    }
}

impl Number for f32 {
    fn from_int(int: i64) -> Result<Self, Reason> {
        f64::from_int(int).and_then(Self::from_real)
    }

    #[allow(clippy::cast_possible_truncation, reason = "the conversion rounds")]
    fn from_real(real: f64) -> Result<Self, Reason> {
        Ok(real as f32)
    }

    fn from_text(text: &str) -> Result<Self, Reason> {
        leading_real(text).and_then(Self::from_real)
    }
}

impl Number for bool {
    fn from_int(int: i64) -> Result<Self, Reason> {
        match int {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err("it is not 0 or 1"),
        }
    }

    fn from_real(real: f64) -> Result<Self, Reason> {
        if real < 0.0 {
            return Err("it is negative");
        }
        Ok(real != 0.0)
    }

    fn from_text(text: &str) -> Result<Self, Reason> {
        match text {
            "0" | "false" | "FALSE" | "False" => Ok(false),
            "1" | "true" | "TRUE" | "True" => Ok(true),
            _ => Err("it is not `true` or `false`"),
        }
    }
}

/// Returns a whole number as an integer.
#[allow(clippy::cast_possible_truncation, clippy::cast_precision_loss, clippy::float_cmp, reason = "both are checked")]
fn whole(real: f64) -> Result<i128, Reason> {
    let int = real as i128;
    if int as f64 == real { Ok(int) } else { Err("it is not a whole number") }
}

/// Returns the length of the digits that the text starts with.
fn digits(text: &str) -> usize {
    text.bytes().take_while(u8::is_ascii_digit).count()
}

/// Returns the integer that the text starts with.
fn leading_int(text: &str) -> Result<i128, Reason> {
    let sign = usize::from(text.starts_with('-'));
    match digits(&text[sign..]) {
        0 => Err(NO_NUMBER),
        length => text[..sign + length].parse().map_err(|_| OUT_OF_RANGE),
    }
}

/// Returns the number that the text starts with, as `std::from_chars` of C++ does.
fn leading_real(text: &str) -> Result<f64, Reason> {
    let sign = usize::from(text.starts_with('-'));
    let unsigned = &text[sign..];
    let word = |word: &str| unsigned.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word));
    let negated = |real: f64| if sign == 1 { -real } else { real };
    if word("inf") {
        return Ok(negated(f64::INFINITY));
    }
    if word("nan") {
        return Ok(negated(f64::NAN));
    }
    let before = digits(unsigned);
    let mut length = before;
    if unsigned[length..].starts_with('.') {
        let after = digits(&unsigned[length + 1..]);
        if before + after > 0 {
            length += 1 + after;
        }
    }
    if length == 0 {
        return Err(NO_NUMBER);
    }
    let mantissa = length;
    if unsigned[length..].starts_with(['e', 'E']) {
        let signed = usize::from(unsigned[length + 1..].starts_with(['+', '-']));
        match digits(&unsigned[length + 1 + signed..]) {
            0 => {}
            exponent => length += 1 + signed + exponent,
        }
    }
    let real: f64 = unsigned[..length].parse().map_err(|_| NO_NUMBER)?;
    let vanishes = real == 0.0 && unsigned[..mantissa].bytes().any(|byte| matches!(byte, b'1'..=b'9'));
    if vanishes || real.is_infinite() { Err(OUT_OF_RANGE) } else { Ok(negated(real)) }
}
