//! What strangers can take of the program, counted in a process of its own.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use bt_inspector::Inspector;

#[test]
fn half_open_requests_take_few_files_and_are_ended() {
    let inspector = Inspector::serve("127.0.0.1:0").expect("a port is free");
    let url = inspector.url();
    let address = url.trim_start_matches("http://").trim_end_matches('/');
    let open: Vec<_> = (0..150)
        .map(|_| {
            let mut stream = TcpStream::connect(address).expect("it is queued");
            stream.write_all(b"GET / HTTP/1.1\r\nHost: ").expect("it takes it");
            stream.set_read_timeout(Some(Duration::from_secs(10))).expect("it is a socket");
            stream
        })
        .collect();
    std::thread::sleep(Duration::from_millis(500));
    // Each of these connections has a file at this end, and one at the server's if it was accepted. Some files are the test's own.
    #[cfg(target_os = "linux")]
    {
        let files = std::fs::read_dir("/proc/self/fd").expect("it is Linux").count();
        assert!(files < 150 + 64 + 30, "{files} files are open");
    }
    let began = Instant::now();
    for (count, mut stream) in open.into_iter().enumerate().take(64) {
        let ended = !matches!(stream.read(&mut [0; 512]), Err(error) if error.kind() == std::io::ErrorKind::WouldBlock);
        assert!(ended, "request {count} is still waited for");
    }
    assert!(began.elapsed() < Duration::from_secs(8));
    loop {
        let mut stream = TcpStream::connect(address).expect("it listens");
        stream.set_read_timeout(Some(Duration::from_secs(10))).expect("it is a socket");
        write!(stream, "GET / HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n").expect("it takes it");
        let mut answer = [0; 12];
        if stream.read_exact(&mut answer).is_ok() {
            assert_eq!(&answer, b"HTTP/1.1 200");
            break;
        }
        assert!(began.elapsed() < Duration::from_secs(30), "a whole request is never answered");
    }
}
