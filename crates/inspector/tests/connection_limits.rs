//! Tests of the limits on connections. They count open files, so they run in their own process.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use bt_inspector::Inspector;

#[test]
fn half_open_requests_are_limited_and_closed() {
    let inspector = Inspector::serve("127.0.0.1:0").expect("a port is free");
    let url = inspector.url();
    let address = url.trim_start_matches("http://").trim_end_matches('/');
    let mut open: Vec<_> = (0..150)
        .map(|_| {
            let mut stream = TcpStream::connect(address).expect("the connection is queued");
            stream.write_all(b"GET / HTTP/1.1\r\nHost: ").expect("the connection is open");
            stream.set_read_timeout(Some(Duration::from_secs(10))).expect("valid timeout");
            stream
        })
        .collect();
    let start = Instant::now();
    for (count, stream) in open.iter_mut().enumerate().take(150 - 64) {
        let ended = !matches!(stream.read(&mut [0; 512]), Err(error) if error.kind() == std::io::ErrorKind::WouldBlock);
        assert!(ended, "request {count} is still open");
    }
    assert!(start.elapsed() < Duration::from_secs(8));
    // Each connection has a file at the client, and the last 64 have one at the server. The test itself opens a few more.
    #[cfg(target_os = "linux")]
    {
        let files = std::fs::read_dir("/proc/self/fd").expect("Linux has /proc").count();
        assert!(files < 150 + 64 + 30, "{files} files are open");
    }
    drop(open);
    loop {
        let mut stream = TcpStream::connect(address).expect("the server accepts connections");
        stream.set_read_timeout(Some(Duration::from_secs(10))).expect("valid timeout");
        write!(stream, "GET / HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n")
            .expect("the connection is open");
        let mut response = [0; 12];
        if stream.read_exact(&mut response).is_ok() {
            assert_eq!(&response, b"HTTP/1.1 200");
            break;
        }
        assert!(start.elapsed() < Duration::from_secs(30), "no response to a complete request");
    }
}
