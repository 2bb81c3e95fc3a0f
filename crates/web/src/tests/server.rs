//! A server on a port of its own, and a client that knows no more of HTTP than it must.

use crate::{Server, Settings};
use serde_json::Value;
use std::io::{Read, Write};
use std::net::{IpAddr, Ipv4Addr, TcpStream};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

/// A server that runs until dropped, with a folder of its own for runs.
pub(super) struct TestServer {
    pub(super) address: String,
    pub(super) url: String,
    pub(super) runs: PathBuf,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

/// A response of the server.
pub(super) struct TestResponse {
    pub(super) status: u16,
    pub(super) head: String,
    pub(super) body: String,
}

static NUMBER: AtomicU32 = AtomicU32::new(0);

impl TestServer {
    pub(super) fn new() -> TestServer {
        TestServer::listening(Ipv4Addr::LOCALHOST)
    }

    pub(super) fn listening(listen: Ipv4Addr) -> TestServer {
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let name = format!("ludens-web-{}-{number}", std::process::id());
        let runs = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&runs).unwrap();
        let settings = Settings { listen: IpAddr::V4(listen), port: 0, runs: runs.clone() };
        let server = Server::bind(&settings).unwrap();
        let url = server.url();
        let port = url.split(':').nth(2).unwrap().split('/').next().unwrap();
        let address = format!("127.0.0.1:{port}");
        let stop = Arc::new(AtomicBool::new(false));
        let stopping = Arc::clone(&stop);
        let run = move || server.run(&|| stopping.load(Ordering::Relaxed)).unwrap();
        TestServer { address, url, runs, stop, thread: Some(std::thread::spawn(run)) }
    }

    pub(super) fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(&self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        stream
    }

    /// Sends a whole request and reads the whole answer.
    pub(super) fn ask(
        &self,
        method: &str,
        path: &str,
        headers: &[&str],
        body: &str,
    ) -> TestResponse {
        let mut stream = self.connect();
        stream.write_all(self.request(method, path, headers, body).as_bytes()).unwrap();
        read(&mut stream)
    }

    pub(super) fn request(&self, method: &str, path: &str, headers: &[&str], body: &str) -> String {
        let mut head = format!("{method} {path} HTTP/1.1\r\nconnection: close\r\n");
        if !headers.iter().any(|header| header.starts_with("host:")) {
            head += &format!("host: {}\r\n", self.address);
        }
        if !body.is_empty() {
            head += &format!("content-length: {}\r\n", body.len());
        }
        headers.iter().for_each(|header| head += &format!("{header}\r\n"));
        head + "\r\n" + body
    }

    pub(super) fn get(&self, path: &str) -> TestResponse {
        self.ask("GET", path, &[], "")
    }

    pub(super) fn post(&self, path: &str, body: &Value) -> TestResponse {
        self.ask("POST", path, &["content-type: application/json"], &body.to_string())
    }

    /// The answer, which must be good.
    pub(super) fn reply(&self, path: &str, body: &Value) -> Value {
        self.post(path, body).json()
    }

    /// Reads a stream until `enough` says so of its text.
    pub(super) fn listen(&self, path: &str, enough: impl Fn(&str) -> bool) -> String {
        let mut stream = self.connect();
        stream.write_all(self.request("GET", path, &[], "").as_bytes()).unwrap();
        let (mut text, mut bytes) = (String::new(), [0; 4096]);
        while !enough(&text) {
            let count = stream.read(&mut bytes).unwrap();
            assert!(count > 0, "the stream ended: {text}");
            text += &String::from_utf8_lossy(&bytes[..count]);
        }
        text
    }
}

/// Reads an answer up to its end.
pub(super) fn read(stream: &mut TcpStream) -> TestResponse {
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes).unwrap();
    let text = String::from_utf8_lossy(&bytes);
    let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok());
    TestResponse { status: status.unwrap_or(0), head: head.to_ascii_lowercase(), body: body.into() }
}

impl TestResponse {
    pub(super) fn value(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_default()
    }

    pub(super) fn json(&self) -> Value {
        assert!((200..300).contains(&self.status), "{}: {}", self.status, self.body);
        self.value()
    }

    /// The code of a refusal.
    pub(super) fn code(&self) -> String {
        self.value()["error"]["code"].as_str().unwrap_or_default().into()
    }
}

impl Drop for TestServer {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
        let _ = std::fs::remove_dir_all(&self.runs);
    }
}
