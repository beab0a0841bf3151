//! A session of zenoh: its settings, and sending.

use std::path::PathBuf;

use zenoh::config::EndPoint;
use zenoh::qos::CongestionControl;
use zenoh::{Session, Wait as _};

use crate::FleetError;
use crate::kind::Kind;

/// The maximum size of a received message, in bytes. zenoh's default is 1 GiB.
pub(crate) const MAX_RECEIVED: usize = 64 * 1024 * 1024;

/// What an endpoint looks like, for messages.
const ENDPOINT: &str = "expected a protocol, an address and a port, such as `tcp/192.168.1.10:7447`";

/// Endpoints that replace a default.
#[derive(Default)]
pub(crate) struct Endpoints {
    default: Option<&'static str>,
    given: Vec<String>,
}

impl Endpoints {
    pub(crate) fn add(&mut self, endpoint: &str) {
        self.given.push(endpoint.to_owned());
    }

    /// Returns a list in JSON5, and whether it was given.
    fn list(&self) -> (String, bool) {
        match self.given.as_slice() {
            // A Rust string with an escape that JSON5 does not have is no endpoint.
            [] => (format!("{:?}", self.default.as_slice()), false),
            given => (format!("{given:?}"), true),
        }
    }
}

/// How a session reaches others.
#[derive(Default)]
pub(crate) struct Network {
    pub(crate) connect: Endpoints,
    pub(crate) listen: Endpoints,
    /// The configuration file of zenoh to which the settings are applied.
    pub(crate) file: Option<PathBuf>,
}

impl Network {
    pub(crate) fn connecting_to(default: &'static str) -> Self {
        Self { connect: Endpoints { default: Some(default), given: Vec::new() }, ..Self::default() }
    }

    pub(crate) fn listening_at(default: &'static str) -> Self {
        Self { listen: Endpoints { default: Some(default), given: Vec::new() }, ..Self::default() }
    }

    /// Opens a session. Does not wait for a connection.
    pub(crate) fn open(&self) -> Result<Session, FleetError> {
        zenoh::open(self.config()?).wait().map_err(network)
    }

    fn config(&self) -> Result<zenoh::Config, FleetError> {
        let unset = zenoh::Config::default();
        let mut config = match &self.file {
            Some(path) => {
                zenoh::Config::from_file(path).map_err(|error| setting(&path.display().to_string(), error))?
            }
            None => unset.clone(),
        };
        let mut set = |key: &str, value: &str, is_default: bool| {
            let is_in_file = || config.get_json(key).ok() != unset.get_json(key).ok();
            if is_default && is_in_file() {
                return Ok(());
            }
            config.insert_json5(key, value).map_err(|error| setting(&format!("zenoh setting `{key}` = {value}"), error))
        };
        for endpoint in self.connect.given.iter().chain(&self.listen.given) {
            let invalid =
                |_| FleetError::Setting { setting: format!("endpoint `{endpoint}`"), reason: ENDPOINT.to_owned() };
            endpoint.parse::<EndPoint>().map_err(invalid)?;
        }
        for (key, endpoints) in [("connect/endpoints", &self.connect), ("listen/endpoints", &self.listen)] {
            let (list, is_given) = endpoints.list();
            set(key, &list, !is_given)?;
        }
        // A client waits until it is connected; a peer does not.
        set("mode", "\"peer\"", false)?;
        set("connect/timeout_ms", "-1", true)?;
        set("connect/exit_on_failure", "false", true)?;
        // A keeper that has begun waits until processes have connected again.
        set("connect/retry", "{ period_init_ms: 250, period_max_ms: 1000, period_increase_factor: 2 }", true)?;
        set("open/return_conditions/connect_scouted", "false", true)?;
        set("scouting/multicast/enabled", "false", true)?;
        // Otherwise, a machine connects to each peer that a peer names.
        set("scouting/gossip/autoconnect", "[]", true)?;
        set("transport/link/rx/max_message_size", &MAX_RECEIVED.to_string(), true)?;
        Ok(config)
    }
}

/// Sends a message, reliably and in order. If the network is slower than messages come, this function waits. A message that cannot be sent is dropped: then the
/// connection is lost, which the other end notices.
pub(crate) fn send(session: &Session, key: String, kind: Kind, text: String) {
    let put = session.put(key, text).attachment([kind.byte()]);
    let _ = put.congestion_control(CongestionControl::Block).wait();
}

/// Sends bytes, like [`send`].
pub(crate) fn send_bytes(session: &Session, key: String, bytes: Vec<u8>) {
    let _ = session.put(key, bytes).congestion_control(CongestionControl::Block).wait();
}

fn setting(setting: &str, error: zenoh::Error) -> FleetError {
    FleetError::Setting { setting: setting.to_owned(), reason: plain(&error) }
}

pub(crate) fn network(error: zenoh::Error) -> FleetError {
    FleetError::Network(plain(&error))
}

/// Returns the message of an error without the places in zenoh's source, such as `at /…/endpoint.rs:615.`.
fn plain(error: &zenoh::Error) -> String {
    let message = error.to_string();
    let mut words = Vec::new();
    for word in message.split(' ') {
        if word.contains(".rs:") && words.last() == Some(&"at") {
            words.pop();
        } else {
            words.push(word);
        }
    }
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    const LISTEN: &str = "listen/endpoints";
    const CONNECT: &str = "connect/endpoints";

    fn value(network: &Network, key: &str) -> String {
        network.config().expect("it is valid").get_json(key).expect("there is such a setting")
    }

    #[test]
    fn a_member_connects_and_does_not_listen() {
        let mut network = Network::connecting_to("tcp/127.0.0.1:1");
        assert_eq!(
            (value(&network, LISTEN).as_str(), value(&network, CONNECT).as_str()),
            ("[]", "[\"tcp/127.0.0.1:1\"]")
        );
        network.connect.add("tcp/10.0.0.1:2");
        network.connect.add("tcp/10.0.0.1:3");
        assert_eq!(value(&network, CONNECT), "[\"tcp/10.0.0.1:2\",\"tcp/10.0.0.1:3\"]");
        assert_eq!(value(&network, "scouting/multicast/enabled"), "false");
        assert_eq!(value(&network, "scouting/gossip/autoconnect"), "[]");
        assert!(value(&network, "connect/retry").contains("\"period_max_ms\":1000"));
    }

    #[test]
    fn what_is_given_precedes_the_file_which_precedes_defaults() {
        let path = std::env::temp_dir().join(format!("bt-fleet-{}.json5", std::process::id()));
        let file = "{ listen: { endpoints: ['tcp/127.0.0.1:5'] }, transport: { link: { tx: { lease: 5000 } } } }";
        std::fs::write(&path, file).expect("a file can be written");
        let mut network = Network::listening_at("tcp/127.0.0.1:1");
        network.file = Some(path.clone());
        assert_eq!(value(&network, LISTEN), "[\"tcp/127.0.0.1:5\"]");
        assert_eq!(value(&network, "transport/link/tx/lease"), "5000");
        network.listen.add("tcp/127.0.0.1:6");
        assert_eq!(value(&network, LISTEN), "[\"tcp/127.0.0.1:6\"]");
        let _ = std::fs::remove_file(path);
    }

    #[test]
    fn what_is_invalid_is_named() {
        let mut network = Network { file: Some("/no/such/file.json5".into()), ..Network::default() };
        let error = network.config().expect_err("there is no file").to_string();
        assert!(error.starts_with("/no/such/file.json5: ") && !error.contains(".rs"), "{error}");
        network.file = None;
        network.connect.add("nowhere");
        let error = network.config().expect_err("it is no endpoint").to_string();
        assert_eq!(error, format!("endpoint `nowhere`: {ENDPOINT}"));
    }
}
