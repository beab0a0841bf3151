//! The names and types of ROS as those of DDS.

use ros2_client::qos::{History, QosProfile};
use ros2_client::{Name, NodeName};

use crate::error::Ros2Error;

/// What a topic of DDS carries.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Topic,
    Request,
    Response,
}

/// Returns the name of a topic of DDS: `/chatter` is `rt/chatter`.
pub(crate) fn dds_name(node: &NodeName, name: &str, kind: Kind) -> Result<String, Ros2Error> {
    let parsed =
        Name::parse(name).map_err(|error| Ros2Error::Name { name: name.to_owned(), reason: error.to_string() })?;
    Ok(match kind {
        Kind::Topic => parsed.to_dds_name("rt", node, ""),
        Kind::Request => parsed.to_dds_name("rq", node, "Request"),
        Kind::Response => parsed.to_dds_name("rr", node, "Reply"),
    })
}

/// Returns the name of a type in DDS: `std_msgs/msg/String` is `std_msgs::msg::dds_::String_`.
///
/// `part` is what ROS appends to the name of a type of an action or service, such as `_SendGoal_Request`.
pub(crate) fn dds_type(name: &str, family: &'static str, part: &str) -> Result<String, Ros2Error> {
    let is_word = |word: &str| {
        word.starts_with(|sign: char| sign.is_ascii_alphabetic())
            && word.chars().all(|sign| sign.is_ascii_alphanumeric() || sign == '_')
    };
    let mut words = name.split('/');
    match [words.next(), words.next(), words.next(), words.next()] {
        [Some(package), Some(middle), Some(name), None] if middle == family && is_word(package) && is_word(name) => {
            Ok(format!("{package}::{family}::dds_::{name}{part}_"))
        }
        _ => Err(Ros2Error::Type {
            name: name.to_owned(),
            expected: match family {
                "srv" => "package/srv/Name",
                "action" => "package/action/Name",
                _ => "package/msg/Name",
            },
        }),
    }
}

/// The quality of service that ROS uses unless another one is stated: reliable, the last 10 messages.
pub(crate) const fn default_qos() -> QosProfile {
    QosProfile::publisher_default().history(History::KeepLast { depth: 10 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_ros() {
        let node = NodeName::new("/arm", "left").expect("a valid name");
        let name = |name, kind| dds_name(&node, name, kind).expect("a valid name");
        assert_eq!(name("/chatter", Kind::Topic), "rt/chatter");
        assert_eq!(name("state", Kind::Topic), "rt/arm/state");
        assert_eq!(name("/add", Kind::Request), "rq/addRequest");
        assert_eq!(name("/spin/_action/send_goal", Kind::Response), "rr/spin/_action/send_goalReply");
        for wrong in ["", "/", "a//b", "1st", "a b"] {
            assert!(matches!(dds_name(&node, wrong, Kind::Topic), Err(Ros2Error::Name { .. })), "{wrong}");
        }
    }

    #[test]
    fn types_are_those_of_ros() {
        assert_eq!(dds_type("std_msgs/msg/String", "msg", "").expect("a valid type"), "std_msgs::msg::dds_::String_");
        assert_eq!(
            dds_type("nav2_msgs/action/Spin", "action", "_SendGoal_Request").expect("a valid type"),
            "nav2_msgs::action::dds_::Spin_SendGoal_Request_"
        );
        for wrong in ["String", "std_msgs/String", "std_msgs/srv/String", "std_msgs/msg/", "a/msg/b/c", "a/msg/b c"] {
            let error = dds_type(wrong, "msg", "").expect_err("an invalid type");
            assert!(error.to_string().contains("package/msg/Name"), "{error}");
        }
    }
}
