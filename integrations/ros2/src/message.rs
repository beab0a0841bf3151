//! What can be a message.

use serde::Serialize;
use serde::de::DeserializeOwned;

/// A message, or a part of a service or an action: every type with `Serialize` and `Deserialize` of serde that has the fields of its definition in ROS, in that
/// order.
///
/// ```
/// use serde::{Deserialize, Serialize};
///
/// /// `geometry_msgs/msg/Point`
/// #[derive(Clone, Serialize, Deserialize)]
/// struct Point { x: f64, y: f64, z: f64 }
///
/// fn is_message<M: bt_ros2::Message>() {}
/// is_message::<Point>();
/// is_message::<String>();                     // `std_msgs/msg/String`, whose only field is one
/// ```
///
/// | in ROS | in Rust |
/// |---|---|
/// | `bool`, `int8` to `int64`, `uint8` to `uint64`, `float32`, `float64` | the same types |
/// | `string` | `String` |
/// | `T[]` | `Vec<T>` |
/// | `T[3]` | `[T; 3]` |
/// | a definition without fields, such as `std_msgs/msg/Empty` | `u8` |
/// | `builtin_interfaces/msg/Time`, `Duration` | the types of `ros2_client::builtin_interfaces` |
pub trait Message: Serialize + DeserializeOwned + Send + Sync + 'static {}

impl<T: Serialize + DeserializeOwned + Send + Sync + 'static> Message for T {}
