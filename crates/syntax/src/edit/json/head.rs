//! The name of a node with its properties, as text: `Wait(milliseconds = 2000)`.

use bt_behavior3::bt_words::{ParamType, Word, file_forms};
use bt_behavior3::parts::file_value;
use bt_behavior3::{ALLOW, in_behavior3, is_file_name, millis};
use serde_json::Value;

use crate::edit::data::{Named, name};
use crate::errors::Errors;
use crate::file::{self, Argument};
use crate::keyword::Form;
use crate::tokens::{Group, Input};

/// A name with properties.
pub(super) type Head = Named<Value>;

impl Head {
    /// Returns it as text.
    pub(super) fn text(&self) -> String {
        self.shown(|property, value| time(&self.name, property, value).unwrap_or_else(|| file_value(value)))
    }

    /// Returns the head under the name that Behavior3 has for a word, if it has the word with these arguments: `Wait(milliseconds = 2000)` for
    /// `wait(time = secs(2))`.
    pub(super) fn in_behavior3(self) -> Self {
        match in_behavior3(&self.name, &self.values.iter().cloned().collect()) {
            Some((name, properties)) => Self { name: name.to_owned(), values: properties.into_iter().collect() },
            None => self,
        }
    }

    /// Reads it from text, on a thread with enough stack.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        if text.trim() == "!" {
            return Ok(Self::new(Word::Invert.name()));
        }
        Self::parsed(text, "expected the end of a name with arguments", Self::read)
    }

    /// Reads a head from tokens.
    pub(super) fn read(input: &Input<'_>, errors: &mut Errors) -> Option<Self> {
        let (name, args) = name(input, errors)?;
        let values = properties(&name, args, errors)?;
        Some(Self { name, values })
    }
}

/// Returns the name in a head, which is that of a word if it is one.
pub(super) fn word(head: &str) -> &str {
    head.split('(').next().unwrap_or_default().trim()
}

/// Returns the head of a node that gets another one: the lints that it allows are about its place in the tree, and stay.
pub(in crate::edit) fn replaced(old: &str, new: String) -> String {
    let (Ok(old), Ok(mut head)) = (Head::parse(old), Head::parse(&new)) else { return new };
    let allow = old.values.into_iter().find(|(name, _)| name == ALLOW);
    let Some(allow) = allow.filter(|_| head.value(ALLOW).is_none()) else { return new };
    head.values.push(allow);
    head.text()
}

/// Returns the properties that arguments mean.
fn properties(name: &str, args: Option<Group<'_>>, errors: &mut Errors) -> Option<Vec<(String, Value)>> {
    let Some(args) = args else { return Some(Vec::new()) };
    let given = file::arguments(args.stream(), errors);
    if !errors.is_empty() {
        return None;
    }
    let is_word = is_file_name(name);
    let positions = if is_word { positions(name) } else { Vec::new() };
    if is_word && !given.is_empty() && positions.is_empty() && given.iter().all(|argument| argument.name.is_none()) {
        // The error of `tree!`.
        let form = file::form(name).unwrap_or(Form::Plain);
        let values = file::of_word(name, form, Some(args.into()), args.span(), errors);
        return errors.is_empty().then(|| serde_json::Map::from(values).into_iter().collect());
    }
    let mut all: Vec<(String, Value)> = Vec::new();
    for (index, Argument { name: property, span, value, is_name, .. }) in given.into_iter().enumerate() {
        if is_name && !is_word {
            errors.at(span, file::not_constant(&value));
            return None;
        }
        let property = property.or_else(|| positions.get(index).map(|property| (*property).to_owned()));
        let Some(property) = property else {
            let message = match positions.len() {
                0 => format!("an argument of `{name}` needs a name\nhelp: write `name = value`"),
                takes => format!("too many arguments for `{name}`: it takes {takes}"),
            };
            errors.at(span, message);
            return None;
        };
        if all.iter().any(|(other, _)| *other == property) {
            errors.at(span, format!("duplicate argument `{property}`"));
            return None;
        }
        let value = if bt_behavior3::is_behavior3(name) { numbered(name, &property, value) } else { value };
        all.push((property, value));
    }
    Some(all)
}

/// Returns the properties that arguments of a word without names have.
fn positions(name: &str) -> Vec<&'static str> {
    let of_behavior3 = file_forms(name).find_map(|form| form.unbounded.or(form.properties.first().copied()));
    if let Some(property) = of_behavior3 {
        return vec![property];
    }
    match file::form(name) {
        Some(Form::Action(_)) => {
            let words = file_forms(name).flat_map(|form| form.words);
            words.flat_map(|word| word.row().params).map(|param| param.name).collect()
        }
        form => form.and_then(Form::argument).map(|param| param.name).into_iter().collect(),
    }
}

/// Returns `true` if a property of a node of this name is a time.
fn is_time(name: &str, property: &str) -> bool {
    file_forms(name).any(|form| {
        form.words.iter().any(|word| {
            let row = word.row();
            let params = row.params.iter().enumerate();
            { params }.any(|(index, param)| param.ty == ParamType::Time && form.property(row, index) == property)
        })
    })
}

/// Returns a time with a unit as the number of milliseconds, which the Behavior3 editor's own nodes expect.
pub(super) fn numbered(name: &str, property: &str, value: Value) -> Value {
    let has_unit = |text: &&str| text.ends_with('s');
    let millis = value.as_str().filter(has_unit).and_then(millis).filter(|_| is_time(name, property));
    match millis {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is whole and in range")]
        Some(millis) if millis.fract() == 0.0 && millis < 9e15 => Value::from(millis as u64),
        Some(millis) => Value::from(millis),
        None => value,
    }
}

/// Returns a time of a word as in `tree!`, if that is read as the same text: `secs(2)`.
fn time(name: &str, property: &str, value: &Value) -> Option<String> {
    let text = value.as_str()?;
    let (digits, function) = match text.strip_suffix("ms") {
        Some(digits) => (digits, "millis"),
        None => (text.strip_suffix('s')?, "secs"),
    };
    let is_plain = digits == "0" || !digits.starts_with('0');
    let is_number = (1..18).contains(&digits.len()) && digits.bytes().all(|digit| digit.is_ascii_digit());
    let is_read_so = is_plain && is_number && !bt_behavior3::is_behavior3(name);
    (is_read_so && is_time(name, property)).then(|| format!("{function}({digits})"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::tests::parse_head;

    use super::*;

    fn parsed(text: &str) -> String {
        match parse_head(text) {
            Ok((name, properties)) => format!("{name} {}", Value::Object(properties)),
            Err(error) => error,
        }
    }

    #[test]
    fn words_have_the_properties_of_files() {
        assert_eq!(parsed("wait(secs(2))"), r#"wait {"time":"2s"}"#);
        assert_eq!(parsed("repeat"), "repeat {}");
        assert_eq!(parsed("!"), "invert {}");
        assert_eq!(parsed("repeat(3)"), r#"repeat {"times":3}"#);
        assert_eq!(parsed("cooldown(time = 1000)"), r#"cooldown {"time":1000}"#);
        assert_eq!(parsed("parallel(success = all, failure = 2)"), r#"parallel {"failure":2,"success":"all"}"#);
        assert_eq!(parsed("service(secs(1), look)"), r#"service {"action":"look","every":"1s"}"#);
        assert_eq!(parsed("random_selector(weights = [1, 2.5])"), r#"random_selector {"weights":[1,2.5]}"#);
        assert_eq!(parsed("match(value = mood, cases = [\"calm\"])"), r#"match {"cases":["calm"],"value":"mood"}"#);
        assert_eq!(parsed("wait(patience)"), r#"wait {"time":"patience"}"#);
        assert_eq!(parsed("wait(secs(1)..=secs(2))"), r#"wait {"time":"1s..=2s"}"#);
    }

    #[test]
    fn words_of_the_editor_have_its_numbers() {
        assert_eq!(parsed("Wait(milliseconds = 2000)"), r#"Wait {"milliseconds":2000}"#);
        assert_eq!(parsed("Wait(secs(2))"), r#"Wait {"milliseconds":2000}"#);
        assert_eq!(parsed("Wait(milliseconds = 1500us)"), r#"Wait {"milliseconds":1.5}"#);
        assert_eq!(parsed("Wait(milliseconds = var(patience))"), r#"Wait {"milliseconds":"{patience}"}"#);
        assert_eq!(parsed("Repeater(3)"), r#"Repeater {"maxLoop":3}"#);
        assert_eq!(parsed("MemSequence"), "MemSequence {}");
    }

    #[test]
    fn other_names_have_named_arguments() {
        assert_eq!(parsed("goto(speed = 1, place = var(door))"), r#"goto {"place":"{door}","speed":1}"#);
        assert_eq!(parsed("\"walk to\"(x = 1, \"a b\" = null)"), r#"walk to {"a b":null,"x":1}"#);
        assert_eq!(
            parsed("npc::r#loop(at = { x: 1, y: [true, \"z\"] })"),
            r#"npc::loop {"at":{"x":1,"y":[true,"z"]}}"#
        );
    }

    #[test]
    fn what_is_no_head_is_an_error() {
        for (text, error) in [
            ("", "expected the name of a node; help: put a name that is not a Rust path in quotes"),
            ("near(10)", "an argument of `near` needs a name; help: write `name = value`"),
            ("near(a = 1, a = 2)", "duplicate argument `a`"),
            ("wait(1, 2)", "too many arguments for `wait`: it takes 1"),
            ("near { b }", "expected the end of a name with arguments"),
            ("selector(3)", "`selector` takes no arguments"),
        ] {
            assert_eq!(parsed(text), error, "{text}");
        }
        assert!(parsed("goto(place = door)").starts_with("expected a constant or a variable, found the name `door`"));
        assert!(parsed("a(").starts_with("`(` is not closed"));
        assert!(parsed(&format!("a(x = {}{})", "[".repeat(5000), "]".repeat(5000))).starts_with("tree too deep"));
    }

    #[test]
    fn a_head_is_read_as_it_is_written() {
        let values = [
            json!(null),
            json!(true),
            json!(-3),
            json!(1.5),
            json!(1e300),
            json!(u64::MAX),
            json!(i64::MIN),
            json!(-0.5),
            json!("\u{0}\n\"\\'{é"),
            json!("{hunger}"),
            json!("{a \"b\"}"),
            json!("2s"),
            json!("2.0s"),
            json!("02s"),
            json!("7ms"),
            json!("1s..=3s"),
            json!([]),
            json!({}),
            json!([1, [null, {"": {"a b": "{v}"}}]]),
            json!({"loop": 1, "x": "2s"}),
        ];
        for name in
            ["wait", "Wait", "match", "if", "walk to", "", "near", "loop", "self", "a::b", "tree", "ünïcode", "_", "1"]
        {
            for value in &values {
                for property in ["time", "milliseconds", "a b", "", "loop", "x"] {
                    let head = Head { name: name.to_owned(), values: vec![(property.to_owned(), value.clone())] };
                    let text = head.text();
                    let mut read = Head::parse(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
                    if name == "Wait"
                        && property == "milliseconds"
                        && value.as_str().is_some_and(|text| millis(text).is_some())
                    {
                        read = head.clone();
                    }
                    assert_eq!(read, head, "{text}");
                }
            }
        }
    }
}
