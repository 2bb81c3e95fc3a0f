//! One connection to the server that stays open.

use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

/// One connection to the server that stays open.
pub(super) struct Client {
    stream: BufReader<TcpStream>,
    address: String,
}

impl Client {
    pub(super) fn connect(address: &str) -> Result<Client, String> {
        let stream = TcpStream::connect(address).map_err(|e| e.to_string())?;
        let limit = Some(Duration::from_secs(60));
        let set = stream.set_read_timeout(limit).and_then(|()| stream.set_nodelay(true));
        set.map_err(|e| e.to_string())?;
        Ok(Client { stream: BufReader::new(stream), address: address.into() })
    }

    /// Asks, and waits for the answer.
    pub(super) fn post(&mut self, path: &str, body: &Value) -> Result<Value, String> {
        let body = body.to_string();
        let request = format!(
            "POST {path} HTTP/1.1\r\nhost: {}\r\ncontent-type: application/json\r\n\
             content-length: {}\r\n\r\n{body}",
            self.address,
            body.len()
        );
        let sent = self.stream.get_mut().write_all(request.as_bytes());
        sent.map_err(|e| e.to_string())?;
        let (status, length) = self.head()?;
        let mut answer = vec![0; length];
        self.stream.read_exact(&mut answer).map_err(|e| e.to_string())?;
        if status != 200 {
            return Err(format!("{path}: {status} {}", String::from_utf8_lossy(&answer)));
        }
        serde_json::from_slice(&answer).map_err(|e| e.to_string())
    }

    /// The status of an answer, and how long its body is.
    fn head(&mut self) -> Result<(u16, usize), String> {
        let (mut status, mut length) = (0, 0);
        loop {
            let mut line = String::new();
            let count = self.stream.read_line(&mut line).map_err(|e| e.to_string())?;
            let line = line.trim().to_ascii_lowercase();
            match line.split_once(':') {
                _ if count == 0 => return Err("the server hung up".into()),
                _ if line.is_empty() => return Ok((status, length)),
                Some(("content-length", number)) => {
                    length = number.trim().parse().map_err(|_| line.clone())?;
                }
                None => {
                    let found = line.split(' ').nth(1).and_then(|number| number.parse().ok());
                    status = found.ok_or_else(|| line.clone())?;
                }
                _ => {}
            }
        }
    }
}
