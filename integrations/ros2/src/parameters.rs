//! The parameters of a node.

use std::fmt;
use std::sync::Arc;

use ros2_client::ParameterValue;

use crate::error::Ros2Error;
use crate::reactor::Host;
use crate::session::Session;

/// The parameters of a node. Other programs can change them, for example `ros2 param set /robot speed 0.5`.
///
/// ```no_run
/// use bt_core::prelude::*;
/// use bt_ros2::{Config, Parameters, RosNode};
///
/// struct Robot { parameters: Parameters, charge: f64 }
///
/// fn has_charge(robot: &Robot) -> bool {
///     robot.parameters.get("least_charge").is_ok_and(|least: f64| robot.charge > least)
/// }
///
/// let node = RosNode::open(Config::new("robot").parameter("least_charge", 0.2))?;
/// let mut robot = Robot { parameters: node.parameters(), charge: 0.5 };
/// let tree = tree! { has_charge };
/// tree.tick(&mut robot, &mut tree.memory());
/// # Ok::<(), bt_ros2::Ros2Error>(())
/// ```
///
/// A parameter is [declared](crate::Config::parameter) with its first value, whose type it keeps. Returned by [`RosNode::parameters`](crate::RosNode::parameters).
#[derive(Clone)]
pub struct Parameters(Arc<Session>);

impl Parameters {
    pub(crate) fn new(session: Arc<Session>) -> Self {
        Self(session)
    }

    /// Returns the value of a parameter.
    ///
    /// # Errors
    ///
    /// Fails if the parameter is not declared, or has another type.
    pub fn get<T: Parameter>(&self, name: &str) -> Result<T, Ros2Error> {
        let failed = |reason| Ros2Error::Parameter { name: name.to_owned(), reason };
        let value = self.0.with_node(|node| node.get_parameter(name));
        let value =
            value.ok_or_else(|| failed("not declared; help: declare it with `Config::parameter`".to_owned()))?;
        let kind = format!("{:?}", value.to_parameter_type());
        T::from_value(value).ok_or_else(|| failed(format!("it is a {kind}, and not a {}", T::NAME)))
    }

    /// Sets a parameter.
    ///
    /// # Errors
    ///
    /// Fails if the parameter is not declared, has another type, or [the check](crate::Config::check) of the program refuses the value.
    pub fn set(&self, name: &str, value: impl Parameter) -> Result<(), Ros2Error> {
        let set = self.0.with_node(|node| node.set_parameter(name, value.into_value()));
        self.0.settle();
        set.map_err(|reason| Ros2Error::Parameter { name: name.to_owned(), reason })
    }

    /// Returns a future that is ready when any parameter has changed.
    pub fn changed(&self) -> impl Future<Output = ()> + Send + use<> {
        self.0.changed()
    }
}

impl fmt::Debug for Parameters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.0.with_node(ros2_client::Node::list_parameters)).finish()
    }
}

/// A type of parameters: `bool`, `i64`, `f64`, `String`, `Vec`s of them, and `Vec<u8>`.
#[diagnostic::on_unimplemented(
    note = "the types of parameters are `bool`, `i64`, `f64`, `String`, `Vec`s of them, and `Vec<u8>`"
)]
pub trait Parameter: Sized {
    /// The name of the type, for errors.
    #[doc(hidden)]
    const NAME: &'static str;
    /// Converts a value of ROS.
    #[doc(hidden)]
    fn from_value(value: ParameterValue) -> Option<Self>;
    /// Converts to a value of ROS.
    #[doc(hidden)]
    fn into_value(self) -> ParameterValue;
}

macro_rules! types {
    ($($kind:ident $type:ty),*) => { $(
        impl Parameter for $type {
            const NAME: &'static str = stringify!($kind);

            fn from_value(value: ParameterValue) -> Option<Self> {
                if let ParameterValue::$kind(value) = value { Some(value) } else { None }
            }

            fn into_value(self) -> ParameterValue {
                ParameterValue::$kind(self)
            }
        }
    )* };
}

types!(
    Boolean bool, Integer i64, Double f64, String String, ByteArray Vec<u8>, BooleanArray Vec<bool>,
    IntegerArray Vec<i64>, DoubleArray Vec<f64>, StringArray Vec<String>
);

impl Parameter for &str {
    const NAME: &'static str = "String";

    fn from_value(_: ParameterValue) -> Option<Self> {
        None
    }

    fn into_value(self) -> ParameterValue {
        ParameterValue::String(self.to_owned())
    }
}
