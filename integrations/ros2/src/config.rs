//! How a node joins the network.

use std::fmt;
use std::net::Ipv4Addr;

use ros2_client::{Name, NodeName, NodeOptions, ServiceMapping};
use rustdds::DomainParticipantBuilder;

use crate::error::Ros2Error;
use crate::parameters::Parameter;

/// How a node joins the network: its name, its domain, its parameters.
///
/// ```
/// use bt_ros2::Config;
///
/// let config = Config::new("robot").namespace("/hall_1").domain(7).parameter("speed", 0.5).loopback();
/// # let _ = config;
/// ```
#[must_use]
pub struct Config {
    name: String,
    namespace: String,
    domain: u16,
    is_loopback: bool,
    options: NodeOptions,
    pub(crate) mapping: ServiceMapping,
}

impl Config {
    /// Creates a configuration: no namespace, the domain of the variable `ROS_DOMAIN_ID` or 0, and all networks.
    pub fn new(name: impl Into<String>) -> Self {
        let domain = std::env::var("ROS_DOMAIN_ID").ok().and_then(|domain| domain.parse().ok()).unwrap_or(0);
        Self {
            name: name.into(),
            namespace: "/".to_owned(),
            domain,
            is_loopback: false,
            options: NodeOptions::new().enable_rosout(false),
            mapping: ServiceMapping::Enhanced,
        }
    }

    /// Sets the namespace, such as `/hall_1`.
    pub fn namespace(mut self, namespace: impl Into<String>) -> Self {
        self.namespace = namespace.into();
        self
    }

    /// Sets the domain: programs see only those of their own, from 0 to 232.
    pub fn domain(mut self, domain: u16) -> Self {
        self.domain = domain;
        self
    }

    /// Uses and announces only the loopback address: for programs of one machine.
    ///
    /// The sockets of DDS still listen on all addresses. To keep others out, start the program in a network namespace, or behind a firewall.
    pub fn loopback(mut self) -> Self {
        self.is_loopback = true;
        self
    }

    /// Uses services as the other side does, which depends on its DDS: `ServiceMapping::Enhanced`, the default, for Fast DDS, and `ServiceMapping::Cyclone`
    /// for Cyclone DDS.
    pub fn mapping(mut self, mapping: ServiceMapping) -> Self {
        self.mapping = mapping;
        self
    }

    /// Declares a parameter with its first value, whose type it keeps.
    pub fn parameter(mut self, name: &str, value: impl Parameter) -> Self {
        self.options = self.options.declare_parameter(name, value.into_value());
        self
    }

    /// Uses the time of the topic `/clock`, which a simulation publishes. Other programs can change that: it is the parameter `use_sim_time`.
    pub fn simulated_time(self) -> Self {
        self.parameter(crate::session::USE_SIM_TIME, true)
    }

    /// Sets a check of the values that parameters are set to, which returns the reason to refuse one. The node is locked while the check runs, so the check cannot
    /// read its parameters.
    pub fn check(
        mut self,
        check: impl Fn(&str, &ros2_client::ParameterValue) -> Result<(), String> + Send + Sync + 'static,
    ) -> Self {
        self.options = self.options.parameter_validator(Box::new(check));
        self
    }

    /// Returns what a session needs.
    pub(crate) fn parts(self) -> Result<(DomainParticipantBuilder, NodeName, NodeOptions), Ros2Error> {
        let full = || format!("{}/{}", self.namespace.trim_end_matches('/'), self.name);
        let invalid = |error: &dyn fmt::Display| Ros2Error::Name { name: full(), reason: error.to_string() };
        // It checks more than a name of a node does.
        Name::parse(&full()).map_err(|error| invalid(&error))?;
        let name = NodeName::new(&self.namespace, &self.name).map_err(|error| invalid(&error))?;
        // The ports of higher domains do not exist.
        if self.domain > 232 {
            let reason = format!("the domain {} is greater than 232", self.domain);
            return Err(Ros2Error::Create { name: full(), reason });
        }
        let mut participant = DomainParticipantBuilder::new(self.domain);
        if self.is_loopback {
            participant = participant.with_only_networks([Ipv4Addr::LOCALHOST]);
        }
        Ok((participant, name, self.options))
    }
}

impl fmt::Debug for Config {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = f.debug_struct("Config");
        debug.field("name", &self.name).field("namespace", &self.namespace).field("domain", &self.domain);
        debug.field("is_loopback", &self.is_loopback).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_domains_are_checked() {
        let error = |config: Config| config.parts().err().expect("an invalid configuration").to_string();
        assert!(error(Config::new("a b")).contains("invalid name `/a b`"));
        assert!(error(Config::new("robot").namespace("/a//b")).contains("invalid name `/a//b/robot`"));
        assert!(error(Config::new("robot").domain(233)).contains("233"));
        assert!(Config::new("robot").namespace("/hall_1").domain(232).parts().is_ok());
    }
}
