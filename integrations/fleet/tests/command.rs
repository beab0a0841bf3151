//! The command `bt-fleet`.

mod common;

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Command, Stdio};

use bt_fleet::{Config, Fleet};
use common::{endpoint, wait_for};

const UPGRADE: &str = "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";

#[test]
fn pages_close_when_the_command_is_killed() {
    let endpoint = endpoint();
    let fleet = Fleet::join(Config::new("killed", "robot").connect(&endpoint)).expect("it can join");
    let mut command = Command::new(env!("CARGO_BIN_EXE_bt-fleet"));
    command.args(["killed", "--address", "127.0.0.1:0", "--listen", &endpoint]);
    let mut hub = command.stdout(Stdio::piped()).spawn().expect("it can be started");
    let mut lines = BufReader::new(hub.stdout.take().expect("it is piped")).lines();
    let mut line = || lines.next().expect("there is a line").expect("it is UTF-8");
    let url = line();
    assert_eq!(line(), "robot joined");
    let address = url.trim_start_matches("http://").trim_end_matches('/');
    let mut page = TcpStream::connect(address).expect("it is served");
    write!(page, "GET /live HTTP/1.1\r\nHost: {address}\r\n{UPGRADE}\r\n").expect("it is open");
    let mut status = [0; 12];
    page.read_exact(&mut status).expect("it answers");
    assert_eq!(&status, b"HTTP/1.1 101");
    wait_for("the page is open", || (fleet.inspector().pages() == 1).then_some(()));
    hub.kill().expect("it runs");
    hub.wait().expect("it has ended");
    wait_for("the page is closed", || (fleet.inspector().pages() == 0).then_some(()));
}

#[test]
fn invalid_arguments_are_named() {
    let error = |arguments: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_bt-fleet")).args(arguments).output().expect("it can be started");
        assert!(!output.status.success() && output.stdout.is_empty());
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    assert!(error(&[]).starts_with("usage: bt-fleet FLEET"));
    assert!(error(&["f", "--bogus"]).starts_with("unknown option `--bogus`\nusage: "));
    assert!(error(&["f", "g"]).starts_with("expected one fleet, found also `g`\n"));
    assert!(error(&["f", "--listen"]).starts_with("missing value of `--listen`\n"));
    assert!(
        error(&["f", "--address", "127.0.0.1:0", "--listen", "x"]).starts_with("endpoint `x`: expected a protocol")
    );
    assert!(error(&["f", "--record-errors"]).starts_with("`--record-errors` needs `--record FOLDER`\nusage: "));
    assert!(error(&["f", "--record", "--record-errors"]).starts_with("missing value of `--record`\nusage: "));
    let limit = error(&["f", "--record", "folder", "--record-limit", "1 GB"]);
    assert!(limit.starts_with("expected a number of megabytes for `--record-limit`, found `1 GB`\n"), "{limit}");
    let no_folder = error(&["f", "--address", "127.0.0.1:0", "--record", "Cargo.toml"]);
    assert!(no_folder.starts_with("cannot record in Cargo.toml: "), "{no_folder}");
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("there is a free port");
    let used = listener.local_addr().expect("it is bound").to_string();
    let in_use = error(&["f", "--address", &used]);
    assert!(in_use.contains("\nhelp: choose another address, or port 0"), "{in_use}");
    let in_use = error(&["f", "--address", "127.0.0.1:0", "--listen", &format!("tcp/{used}")]);
    assert!(in_use.contains("\nhelp: another program listens there"), "{in_use}");
    if !cfg!(feature = "tls") {
        let no_tls = error(&["f", "--address", "127.0.0.1:0", "--listen", "tls/127.0.0.1:0"]);
        assert!(no_tls.contains("\nhelp: build `bt-fleet` with the feature `tls`"), "{no_tls}");
    }
    assert!(error(&["a b"]).starts_with("invalid name \"a b\" of a fleet: it contains ' '\n"));
}
