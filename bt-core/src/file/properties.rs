//! Conversion of a node's properties to a leaf.

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::any::{TypeId, type_name};
use std::sync::OnceLock;

use bt_behavior3::{ALLOW, Fault, unknown, variable};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::probe::{self, Asked, Probing};
use super::reader::How;
use super::text::{inner, value};
use crate::board::{BoardType, BoardValue, Convert, Key, OptionalInput, OutputKey, Untyped, ValueOrKey};
use crate::leaf::Unsaved;

/// A leaf that can be created from the properties of a node in a file. `#[action]` and `#[condition]` implement it,
/// with one property for each parameter.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be created from properties in a file",
    label = "not a leaf whose parameters a file can set",
    note = "only `#[action]` and `#[condition]` functions without type parameters can; for other leaves, use `registry.add_with(\"Name\", |properties: MyProperties| …)`"
)]
pub trait FromProperties: Sized {
    /// Creates the leaf from all properties. Returns `None` if they are invalid; the errors are then in [`Properties`].
    #[doc(hidden)]
    fn from_properties(properties: &mut Properties<'_>) -> Option<Self>;
}

impl<N: FromProperties> FromProperties for Unsaved<N> {
    fn from_properties(properties: &mut Properties<'_>) -> Option<Self> {
        N::from_properties(properties).map(Unsaved)
    }
}

/// The properties of a node, while they are read.
#[doc(hidden)]
pub struct Properties<'a> {
    given: &'a Map<String, Value>,
    asked: Vec<&'static str>,
    /// The properties found, if there is no file: a parameter without a default then has some value of its type.
    probed: Option<Vec<Asked>>,
    errors: Vec<Fault>,
    variables: Vec<VariableUse>,
    /// The variables that parameters name.
    typed: Vec<TypedVariable>,
    /// The types of all variables of the tree, which are known after all its nodes were made.
    types: VariableTypes,
}

/// The variables that parameters name in a tree, with the conversions of values to their types, as far as those are known. Set after all nodes were made.
#[doc(hidden)]
pub type VariableTypes = Arc<OnceLock<BTreeMap<String, Option<Convert>>>>;

/// A variable that a parameter names.
#[doc(hidden)]
pub struct TypedVariable {
    /// The name of the variable.
    pub name: String,
    /// The type; `None` for a parameter that takes any.
    pub type_id: Option<TypeId>,
    /// The name of the type, without modules.
    pub type_name: String,
    /// The name of the parameter.
    pub parameter: &'static str,
    /// The conversion to the type, if a file can set the parameter.
    pub convert: Option<Convert>,
}

/// A use of a variable by a leaf.
#[doc(hidden)]
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum VariableUse {
    /// The leaf reads the variable, and returns `Error` if the variable is not set.
    Read(String),
    /// The leaf reads the variable if it is set.
    ReadIfSet(String),
    /// The leaf writes the variable.
    Write(String),
}

impl<'a> Properties<'a> {
    /// Starts to read the properties of a node.
    pub fn new(given: &'a Map<String, Value>) -> Self {
        Self {
            given,
            asked: Vec::new(),
            probed: None,
            errors: Vec::new(),
            variables: Vec::new(),
            typed: Vec::new(),
            types: VariableTypes::default(),
        }
    }

    /// Starts to read the properties of a node of a tree, whose variables will have these types.
    pub fn of_tree(given: &'a Map<String, Value>, types: &VariableTypes) -> Self {
        Self { types: types.clone(), ..Self::new(given) }
    }

    /// Returns the types of the variables of the tree.
    pub const fn types(&self) -> &VariableTypes {
        &self.types
    }

    /// Starts to find the properties of a node, without a file.
    pub fn probe(nothing: &'a Map<String, Value>) -> Self {
        Self { probed: Some(Vec::new()), ..Self::new(nothing) }
    }

    /// Returns the properties found.
    pub fn into_probed(self) -> Vec<Asked> {
        self.probed.unwrap_or_default()
    }

    /// Adds a parameter to the properties found, if there is no file. Returns a value for it: its default if it has one.
    fn probed<T>(
        &mut self,
        asked: Asked,
        default: Option<T>,
        some: impl FnOnce() -> (Option<T>, Vec<String>),
    ) -> Result<Option<T>, Option<T>> {
        let Some(probed) = &mut self.probed else { return Err(default) };
        let (value, choices) = some();
        probed.push(Asked { is_required: default.is_none(), choices, ..asked });
        Ok(default.or(value))
    }

    /// Returns the errors found so far.
    pub fn into_errors(self) -> Vec<Fault> {
        self.errors
    }

    /// Returns the variables that the properties read so far name.
    pub fn variables(&mut self) -> Vec<VariableUse> {
        core::mem::take(&mut self.variables)
    }

    /// Returns the variables that parameters name.
    pub fn typed_variables(&mut self) -> Vec<TypedVariable> {
        core::mem::take(&mut self.typed)
    }

    /// Adds a variable that the node uses.
    pub fn add_variable(&mut self, variable: VariableUse) {
        self.variables.push(variable);
    }

    /// Adds a variable of any type that a parameter names.
    pub fn add_untyped(&mut self, parameter: &'static str, name: &str) {
        self.typed.push(TypedVariable {
            name: name.into(),
            type_id: None,
            type_name: String::new(),
            parameter,
            convert: None,
        });
    }

    /// Returns `true` if the node has a property.
    pub fn has(&self, name: &str) -> bool {
        self.given.contains_key(name)
    }

    /// Adds the variable that a property names, if the property names one.
    fn add_use<T: BoardType>(&mut self, parameter: &'static str, how: Option<How<T>>, of: fn(String) -> VariableUse) {
        let Some(name) = self.given.get(parameter).and_then(key_name) else { return };
        let variable = of(name.into());
        let is_read = !matches!(variable, VariableUse::Write(_));
        self.variables.push(variable);
        // Text is read from a variable of any type.
        if is_read && TypeId::of::<T>() == TypeId::of::<String>() {
            return self.add_untyped(parameter, &String::from(name));
        }
        let convert = how.map(|how| -> Convert {
            Arc::new(move |value| {
                // A script copies a value that no text stands for.
                if let Untyped::Other(other) = value
                    && other.get::<T>().is_some()
                {
                    return Ok(other.clone());
                }
                let texts = untyped_values(value);
                let mut read = texts.iter().map(how);
                let first = read.next().unwrap_or_else(|| Err(String::from("the value has another type")));
                first.or_else(|error| read.find_map(Result::ok).ok_or(error)).map(BoardValue::new)
            })
        });
        let (type_id, type_name) = (Some(TypeId::of::<T>()), short_type(type_name::<T>()));
        self.typed.push(TypedVariable { name: name.into(), type_id, type_name, parameter, convert });
    }

    /// Reports an error in the properties.
    pub fn report(&mut self, error: impl Into<Fault>) {
        self.errors.push(error.into());
    }

    /// Reads one property. Returns `None` and reports an error if the property is invalid, or if it is missing and has no
    /// default.
    pub fn read<T: DeserializeOwned>(&mut self, name: &'static str, default: Option<T>) -> Option<T> {
        self.one(name, default, value)
    }

    /// Reads one property that is a value or a variable's name in braces, such as `"{hunger}"`.
    pub fn read_given<T: DeserializeOwned + BoardType>(
        &mut self,
        name: &'static str,
        default: Option<T>,
    ) -> Option<ValueOrKey<T>> {
        self.add_use::<T>(name, Some(value), VariableUse::Read);
        self.one(name, default.map(ValueOrKey::Value), |property| given(property, value))
    }

    /// Reads a parameter of the type with this name. If the type cannot be deserialized, only its default can be used.
    pub fn parameter<T>(
        &mut self,
        name: &'static str,
        type_name: &'static str,
        default: Option<T>,
        how: Option<How<T>>,
    ) -> Option<T> {
        let asked = Asked { name, type_name, ..Asked::default() };
        let default = match self.probed(asked, default, || how.map_or_else(Default::default, probe::value)) {
            Ok(value) => return value,
            Err(default) => default,
        };
        // As text, it would be passed as it is written.
        if let Some(variable) = self.given.get(name).and_then(key_name) {
            let reason = format!(
                "property `{name}`: expected a value, found the variable `{variable}`; help: write `#[input]` before the parameter in Rust"
            );
            self.asked.push(name);
            self.errors.push(Fault::of(name, reason));
            return None;
        }
        match how {
            Some(how) => self.one(name, default, how),
            None if default.is_some() && !self.given.contains_key(name) => default,
            None => {
                self.asked.push(name);
                let help = if type_name.ends_with("str") {
                    "use a parameter of type `&String`, which the loaded tree owns"
                } else {
                    "register the leaf with `add_with`"
                };
                let reason =
                    format!("parameter `{name}` has type `{type_name}`, which a file cannot set; help: {help}");
                self.errors.push(Fault::of(name, reason));
                None
            }
        }
    }

    /// Reads a parameter that is a value or a variable. Otherwise like [`parameter`](Self::parameter).
    pub fn parameter_given<T: BoardType>(
        &mut self,
        name: &'static str,
        type_name: &'static str,
        default: Option<ValueOrKey<T>>,
        how: Option<How<T>>,
    ) -> Option<ValueOrKey<T>> {
        let asked = Asked { name, type_name, ..Asked::default() };
        let default = match self.probed(asked, default, || of_variable(name, how)) {
            Ok(value) => return value,
            Err(default) => default,
        };
        self.add_use(name, how, VariableUse::Read);
        self.value_or_key(name, type_name, default, how)
    }

    fn value_or_key<T>(
        &mut self,
        name: &'static str,
        type_name: &'static str,
        default: Option<ValueOrKey<T>>,
        how: Option<How<T>>,
    ) -> Option<ValueOrKey<T>> {
        match how {
            Some(how) => self.one(name, default, |property| given(property, how)),
            // A variable can be named, whatever its type is.
            None => match self.given.get(name).and_then(key) {
                Some(key) => {
                    self.asked.push(name);
                    Some(ValueOrKey::Key(key))
                }
                None => self.parameter(name, type_name, default, None),
            },
        }
    }

    /// Reads a parameter that is a value, a variable or missing.
    pub fn parameter_optional<T: BoardType>(
        &mut self,
        name: &'static str,
        type_name: &'static str,
        default: Option<OptionalInput<T>>,
        how: Option<How<T>>,
    ) -> Option<OptionalInput<T>> {
        let asked = Asked { name, type_name, ..Asked::default() };
        let nothing = || (None, of_variable(name, how).1);
        let default = match self.probed(asked, Some(default.unwrap_or(OptionalInput::Nothing)), nothing) {
            Ok(value) => return value,
            Err(default) => default,
        };
        if self.given.get(name).is_none_or(Value::is_null) {
            self.asked.push(name);
            return Some(default.unwrap_or(OptionalInput::Nothing));
        }
        self.add_use(name, how, VariableUse::ReadIfSet);
        self.value_or_key(name, type_name, None, how).map(OptionalInput::Given)
    }

    /// Reads a parameter that names a variable.
    pub fn parameter_output<T: BoardType>(
        &mut self,
        name: &'static str,
        type_name: &'static str,
        default: Option<OutputKey<T>>,
        how: Option<How<T>>,
    ) -> Option<OutputKey<T>> {
        let asked = Asked { name, type_name, is_output: true, ..Asked::default() };
        let some = || (Some(OutputKey::from(Key::shared(name.into()))), Vec::new());
        let default = match self.probed(asked, default, some) {
            Ok(value) => return value,
            Err(default) => default,
        };
        self.add_use(name, how, VariableUse::Write);
        let expected = || "expected the name of a variable in braces, such as `{path}`".into();
        self.one(name, default, |property| key(property).map(OutputKey::from).ok_or_else(expected))
    }

    fn one<T>(
        &mut self,
        name: &'static str,
        default: Option<T>,
        read: impl Fn(&Value) -> Result<T, String>,
    ) -> Option<T> {
        self.asked.push(name);
        match self.given.get(name).map(|value| (value, read(value))) {
            Some((_, Ok(value))) => Some(value),
            // For some types `null` is a value, such as `Option`. For all others the property is missing.
            Some((Value::Null, Err(_))) | None => {
                if default.is_none() {
                    self.errors.push(Fault::of(name, format!("missing property `{name}`")));
                }
                default
            }
            Some((_, Err(reason))) => {
                self.errors.push(Fault::of(name, format!("property `{name}`: {reason}")));
                None
            }
        }
    }

    /// Returns the names of the properties that the leaf has read so far.
    pub fn names(&self) -> &[&'static str] {
        &self.asked
    }

    /// Reads all properties as one value with serde. Returns `None` and reports an error if they are invalid.
    pub fn whole<T: DeserializeOwned>(&mut self) -> Option<T> {
        let whole = self.all(|probe| T::deserialize(probe).is_ok());
        let error = match T::deserialize(&whole) {
            Ok(whole) => return Some(whole),
            Err(error) => error,
        };
        match T::deserialize(&parsed(&whole)) {
            Ok(whole) => Some(whole),
            Err(_) => {
                self.invalid(&error);
                None
            }
        }
    }

    /// Returns all properties that belong to the type of the one value.
    fn all(&mut self, read: Probing) -> Value {
        let mut given = self.given.clone();
        if let Some(names) = probe::names(read) {
            self.asked.extend(names);
            if let Some(probed) = &mut self.probed {
                probed.extend(probe::fields(names, read));
            }
            // All others are for serde to report.
            if !names.contains(&ALLOW)
                && let Some(entry) = given.remove_entry(ALLOW)
            {
                unknown("this node", &Map::from_iter([entry]), names, &mut self.errors);
            }
        }
        Value::Object(given)
    }

    fn invalid(&mut self, error: &serde_json::Error) {
        self.errors.push(format!("properties: {error}").into());
    }

    /// Reports the properties that were not read.
    pub fn finish(&mut self) {
        unknown("this node", self.given, &self.asked, &mut self.errors);
    }
}

/// Returns a variable as the value of a parameter, and the names of its values if it is an enum.
fn of_variable<T>(name: &str, how: Option<How<T>>) -> (Option<ValueOrKey<T>>, Vec<String>) {
    let choices = how.map_or_else(Vec::new, |how| probe::value(how).1);
    (Some(ValueOrKey::Key(Key::shared(name.into()))), choices)
}

/// Returns the name of a type without its modules: `Vec<String>` for `alloc::vec::Vec<alloc::string::String>`.
fn short_type(name: &str) -> String {
    let mut short = String::new();
    let mut word = 0;
    for (at, sign) in name.char_indices() {
        let is_word = sign.is_alphanumeric() || sign == '_';
        if name[at..].starts_with("::") {
            short.truncate(word);
        } else if is_word || sign != ':' {
            short.push(sign);
            if !is_word {
                word = short.len();
            }
        }
    }
    short
}

/// Returns what a value without a type can be as a property, the most likely first.
fn untyped_values(value: &Untyped) -> Vec<Value> {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_precision_loss,
        clippy::float_cmp,
        reason = "only a whole number is the same"
    )]
    let whole = |number: f64| (number as i64 as f64 == number).then(|| Value::from(number as i64));
    let mut values = match value {
        Untyped::Int(number) => Vec::from([(*number).into(), (*number != 0).into()]),
        Untyped::Real(number) => {
            whole(*number).into_iter().chain([(*number).into(), (*number != 0.0).into()]).collect()
        }
        Untyped::Text(_) | Untyped::Other(_) => Vec::new(),
    };
    values.extend(value.to_text().ok().map(Value::from));
    values
}

/// Parses the JSON in each text of an object.
fn parsed(whole: &Value) -> Value {
    let given = whole.as_object().into_iter().flatten();
    Value::Object(given.map(|(name, value)| (name.clone(), inner(value).unwrap_or_else(|| value.clone()))).collect())
}

fn given<T>(property: &Value, how: How<T>) -> Result<ValueOrKey<T>, String> {
    match key(property) {
        Some(key) => Ok(ValueOrKey::Key(key)),
        None => how(property).map(ValueOrKey::Value),
    }
}

/// Returns the key of a variable in braces.
fn key<T>(property: &Value) -> Option<Key<T>> {
    key_name(property).map(|name| Key::shared(name.into()))
}

/// Returns the name of a variable in braces.
fn key_name(property: &Value) -> Option<&str> {
    // A struct that the editor has written as text is in braces too.
    property.as_str().filter(|_| inner(property).is_none()).and_then(variable)
}

/// The properties of a node without properties, for `Registry::add_with` of the crate `bt-dynamic`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NoProperties {}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{Properties, value};
    use crate::board::{Board, BoardValue, Key, Untyped};

    #[test]
    fn a_variable_takes_a_value_of_its_own_type() {
        type Pose = (i32, i32);
        let given = json!({ "goal": "{goal}" });
        let mut properties = Properties::new(given.as_object().expect("it is one"));
        assert!(properties.parameter_given::<Pose>("goal", "Pose", None, Some(value)).is_some());
        let convert = properties.typed_variables().remove(0).convert.expect("a file can set it");
        let (mut board, goal) = (Board::new(), Key::named("goal"));
        let error = board.set_untyped(&goal, Untyped::Other(BoardValue::new([1; 3])), Some(&convert));
        assert_eq!(error, Err("variable `goal`: the value has another type".into()));
        let pose: Pose = (1, 2);
        assert_eq!(board.set_untyped(&goal, Untyped::Other(BoardValue::new(pose)), Some(&convert)), Ok(()));
        assert_eq!(board.get::<Pose>(&Key::new("goal")), Some(&pose));
    }

    #[test]
    fn a_parameter_that_is_no_input_takes_no_variable() {
        let given = json!({ "what": "{order}", "how": "{ not one" });
        let mut properties = Properties::new(given.as_object().expect("it is one"));
        assert!(properties.parameter::<alloc::string::String>("what", "String", None, Some(value)).is_none());
        assert!(properties.parameter::<alloc::string::String>("how", "String", None, Some(value)).is_some());
        let errors = properties.into_errors();
        let expected = "property `what`: expected a value, found the variable `order`; help: write `#[input]` before the parameter in Rust";
        assert!(matches!(&*errors, [fault] if fault.reason == expected));
    }

    #[test]
    fn types_are_shown_without_modules() {
        for (name, short) in [
            ("i32", "i32"),
            ("alloc::vec::Vec<alloc::string::String>", "Vec<String>"),
            ("(a::b::C, core::option::Option<&str>)", "(C, Option<&str>)"),
            ("[my::Type; 3]", "[Type; 3]"),
        ] {
            assert_eq!(super::short_type(name), short);
        }
    }
}
