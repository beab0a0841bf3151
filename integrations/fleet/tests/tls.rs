//! TLS with certificates of both sides, and access control, with the files of `examples/tls`.
#![cfg(feature = "tls")]

mod common;

use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use bt_core::prelude::*;
use bt_fleet::{Change, Config, Fleet, HubConfig};
use common::{TestHub, endpoint, wait_for, wait_for_update};
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, DnType, ExtendedKeyUsagePurpose, IsCa, KeyPair};
use zenoh::qos::CongestionControl;
use zenoh::{Session, Wait as _};

/// The certificates of an authority, in a folder that is deleted at the end.
struct Certificates {
    folder: PathBuf,
    authority: CertifiedIssuer<'static, KeyPair>,
}

impl Certificates {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("bt-fleet-tls-{name}-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("it can be created");
        let mut params = CertificateParams::default();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        params.distinguished_name.push(DnType::CommonName, "the authority");
        let authority = CertifiedIssuer::self_signed(params, KeyPair::generate().expect("it has entropy"));
        let this = Self { folder, authority: authority.expect("it is valid") };
        this.write("ca.pem", &this.authority.pem());
        this
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.folder.join(name), text).expect("it can be written");
    }

    /// Writes a certificate with this name, and its key.
    fn sign(&self, name: &str) {
        let mut params = CertificateParams::new(["localhost".to_owned()]).expect("it is a name");
        params.distinguished_name.push(DnType::CommonName, name);
        params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth, ExtendedKeyUsagePurpose::ClientAuth];
        let key = KeyPair::generate().expect("it has entropy");
        let certificate = params.signed_by(&key, &self.authority).expect("it is valid");
        self.write(&format!("{name}.pem"), &certificate.pem());
        self.write(&format!("{name}-key.pem"), &key.serialize_pem());
    }

    /// Writes a file of `examples/tls`, with the certificates of this folder and other names.
    fn config(&self, example: &str, as_name: &str) -> PathBuf {
        let text = fs::read_to_string(format!("examples/tls/{example}.json5")).expect("it is there");
        let text = text.replace("certificates/", &format!("{}/", self.folder.display()));
        let text = if example == "hub" { text } else { text.replace(&format!("/{example}"), &format!("/{as_name}")) };
        let name = format!("{example}-{as_name}.json5");
        self.write(&name, &text);
        self.folder.join(name)
    }

    /// Starts a hub, and returns its endpoint.
    fn hub(&self) -> (TestHub, String) {
        self.sign("hub");
        let endpoint = endpoint().replace("tcp/127.0.0.1", "tls/localhost");
        let config = HubConfig::new("warehouse").listen(&endpoint).zenoh(self.config("hub", "hub"));
        (TestHub::with(config), endpoint)
    }

    /// Opens a session with the certificate of a robot, of which a fleet knows nothing.
    fn session(&self, name: &str, endpoint: &str) -> Session {
        let mut config = zenoh::Config::from_file(self.config("robot-1", name)).expect("it is valid");
        let endpoints = format!("[\"{endpoint}\"]");
        for (key, value) in [("connect/endpoints", endpoints.as_str()), ("scouting/multicast/enabled", "false")] {
            config.insert_json5(key, value).expect("it is valid");
        }
        zenoh::open(config).wait().expect("it can be opened")
    }
}

impl Drop for Certificates {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

fn joined(name: &str) -> Change {
    Change::Joined(name.to_owned())
}

/// How long a test waits for what must not happen.
const NEVER: Duration = Duration::from_secs(2);

#[test]
fn a_robot_with_its_certificate_is_shown_and_controlled() {
    let certificates = Certificates::new("shown");
    let (hub, endpoint) = certificates.hub();
    certificates.sign("robot-1");
    let config = Config::new("warehouse", "robot-1").connect(&endpoint);
    let fleet = Fleet::join(config.zenoh(certificates.config("robot-1", "robot-1"))).expect("it can join");
    let tree = tree! { for u32: |n: &mut u32| *n += 1 };
    let ann = fleet.inspector().agent(fleet.inspector().tree("counter", &tree), "Ann");
    hub.wait_for(&joined("robot-1"));
    let mut page = hub.hub.hub().connect();
    wait_for_update(&mut page, "\"name\":\"Ann\"");
    page.receive("{\"pause\":null}");
    wait_for("it is paused", || ann.is_held().then_some(()));
    drop(page);
    wait_for("it continues", || (!ann.is_held()).then_some(()));
    drop(fleet);
    hub.wait_for(&Change::Left("robot-1".to_owned()));
}

#[test]
fn a_robot_without_a_certificate_or_with_one_of_another_authority_does_not_get_in() {
    let certificates = Certificates::new("out");
    let (hub, endpoint) = certificates.hub();
    let others = Certificates::new("others");
    others.sign("robot-1");
    // It trusts the hub, but the hub does not trust it.
    others.write("ca.pem", &certificates.authority.pem());
    let stranger = Config::new("warehouse", "robot-1").connect(&endpoint).zenoh(others.config("robot-1", "robot-1"));
    let plain = Config::new("warehouse", "robot-2").connect(&endpoint.replace("tls/", "tcp/"));
    let _fleets = [stranger, plain].map(|config| Fleet::join(config).expect("it waits for the hub"));
    std::thread::sleep(NEVER);
    assert_eq!(hub.changes(), []);
}

#[test]
fn a_robot_does_not_trust_a_hub_of_another_authority() {
    let (certificates, others) = (Certificates::new("hub"), Certificates::new("false-hub"));
    let (_hub, endpoint) = others.hub();
    certificates.sign("robot-1");
    let config = Config::new("warehouse", "robot-1").connect(&endpoint);
    let fleet = Fleet::join(config.zenoh(certificates.config("robot-1", "robot-1"))).expect("it waits for the hub");
    std::thread::sleep(NEVER);
    assert_eq!(fleet.inspector().pages(), 0);
}

#[test]
fn a_robot_is_only_itself_and_controls_no_other() {
    let certificates = Certificates::new("itself");
    let (hub, endpoint) = certificates.hub();
    for name in ["robot-1", "robot-2", "robot-3"] {
        certificates.sign(name);
    }
    let join = |name: &str, certificate: &str| {
        let config = Config::new("warehouse", name).connect(&endpoint);
        Fleet::join(config.zenoh(certificates.config("robot-1", certificate))).expect("it can join")
    };
    let one = join("robot-1", "robot-1");
    hub.wait_for(&joined("robot-1"));
    // Another robot, one that no rule names, and one that says that it is `robot-1`.
    let _others = [join("robot-1", "robot-2"), join("robot-3", "robot-3"), join("robot-2", "robot-1")];
    std::thread::sleep(NEVER);
    assert_eq!(hub.changes(), [joined("robot-1")]);

    // A program with the certificate of `robot-2` is no hub, neither by a token nor by a message, and does not see what others send.
    let session = certificates.session("robot-2", &endpoint);
    let id = "0123456789abcdef";
    let seen = session.declare_subscriber("bt/warehouse/**").wait().expect("it is open");
    let _token = session.liveliness().declare_token(format!("bt/warehouse/hub/{id}")).wait().expect("it is open");
    let tokens = session.liveliness().get("bt/warehouse/machine/**").wait().expect("it is open");
    let tokens = tokens.iter().map(|token| token.into_result().map(|token| token.key_expr().as_str().to_owned()));
    let tokens: Vec<_> = tokens.collect();
    assert!(tokens.is_empty(), "it does not see who is there: {tokens:?}");
    let start = Instant::now();
    let _page = hub.hub.hub().connect();
    wait_for("a page of the hub", || (one.inspector().pages() == 1).then_some(()));
    while start.elapsed() < NEVER {
        let key = format!("bt/warehouse/to/robot-1/{id}/{id}/0");
        let put = session.put(key, "").attachment([0]).congestion_control(CongestionControl::Block);
        put.wait().expect("it is sent");
        std::thread::sleep(Duration::from_millis(100));
    }
    assert_eq!(one.inspector().pages(), 1, "only the page of the hub");
    // It receives what it has sent itself, and nothing of others.
    let seen: Vec<_> = seen.drain().map(|sample| sample.key_expr().as_str().to_owned()).collect();
    assert!(seen.iter().all(|key| key.ends_with(&format!("{id}/{id}/0"))), "{seen:?}");
}
