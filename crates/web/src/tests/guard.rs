//! Access control.

use super::server::TestServer;
use std::net::Ipv4Addr;

const JSON: &str = "content-type: application/json";
const BODY: &str = r#"{"game":"tictactoe","move":"b2"}"#;

#[test]
fn pages_of_other_sites_move_no_piece() {
    let server = TestServer::new();
    let play = |headers: &[&str]| server.ask("POST", "/api/play", headers, BODY).status;
    let own = format!("origin: http://{}", server.address);
    assert_eq!(play(&[JSON]), 200);
    assert_eq!(play(&[JSON, &own, "sec-fetch-site: same-origin"]), 200);
    assert_eq!(play(&[JSON, "origin: https://evil.example"]), 403);
    assert_eq!(play(&[JSON, "origin: null"]), 403);
    assert_eq!(play(&[JSON, "sec-fetch-site: cross-site"]), 403);
    assert_eq!(play(&[JSON, "sec-fetch-site: same-site"]), 403);
    let other_port = "origin: http://127.0.0.1:1";
    assert_eq!(play(&[JSON, other_port]), 403);
    // A form of another site can send no JSON.
    assert_eq!(play(&["content-type: text/plain"]), 415);
    assert_eq!(play(&["content-type: application/x-www-form-urlencoded"]), 415);
    let events = server.ask("GET", "/api/runs", &["sec-fetch-site: cross-site"], "");
    assert_eq!((events.status, events.code().as_str()), (403, "origin"));
    // Links from other sites may open the page.
    assert_eq!(server.ask("GET", "/", &["sec-fetch-site: cross-site"], "").status, 200);
}

#[test]
fn names_that_only_lead_here_are_refused() {
    let server = TestServer::new();
    for host in ["host: evil.example", "host: evil.example:7200", "host: "] {
        let reply = server.ask("GET", "/api/games", &[host], "");
        assert_eq!((reply.status, reply.code().as_str()), (403, "origin"), "{host}");
    }
    assert_eq!(server.ask("GET", "/api/games", &["host: localhost:7200"], "").status, 200);
}

#[test]
fn every_answer_carries_the_policy() {
    let server = TestServer::new();
    for path in ["/", "/api/games", "/api/nothing", "/nothing.js", "/api/curves.svg"] {
        let reply = server.get(path);
        for header in [
            "content-security-policy: default-src 'none'; script-src 'self'",
            "x-content-type-options: nosniff",
            "frame-ancestors 'none'",
            "cross-origin-resource-policy: same-origin",
        ] {
            assert!(reply.head.contains(header), "{path}: {}", reply.head);
        }
        assert!(!reply.head.contains("access-control-allow-origin"), "{path}");
        assert!(!reply.head.contains("unsafe"), "{path}");
    }
}

#[test]
fn other_machines_need_the_token() {
    let server = TestServer::listening(Ipv4Addr::UNSPECIFIED);
    let token = server.url.split("token=").nth(1).unwrap().to_owned();
    assert_eq!(token.len(), 32);
    for path in ["/", "/api/games", "/?token=wrong", "/app.js"] {
        let reply = server.get(path);
        assert_eq!((reply.status, reply.code().as_str()), (401, "token"), "{path}");
    }
    let bearer = format!("authorization: Bearer {token}");
    assert_eq!(server.ask("GET", "/api/games", &[&bearer], "").status, 200);
    let welcomed = server.get(&format!("/?token={token}"));
    assert_eq!(welcomed.status, 303);
    assert!(welcomed.head.contains("location: /\r\n"), "{}", welcomed.head);
    assert!(welcomed.head.contains("httponly; samesite=strict"), "{}", welcomed.head);
    let cookie = format!("cookie: other=1; ludens-token={token}");
    assert_eq!(server.ask("GET", "/api/games", &[&cookie], "").status, 200);
    let wrong = format!("cookie: ludens-token={}", &token[1..]);
    assert_eq!(server.ask("GET", "/api/games", &[&wrong], "").status, 401);
    // The token is for machines; pages of other sites are refused all the same.
    let foreign = ["origin: http://evil.example", bearer.as_str()];
    assert_eq!(server.ask("GET", "/api/games", &foreign, "").status, 403);
}

#[test]
fn requests_that_name_the_server_twice_are_refused() {
    let server = TestServer::new();
    let own = format!("host: {}", server.address);
    for hosts in [[own.as_str(), "host: evil.example"], ["host: evil.example", &own], [&own, &own]]
    {
        let reply = server.ask("GET", "/api/games", &hosts, "");
        assert_eq!(reply.status, 400, "{hosts:?}");
    }
    for path in ["http://evil.example/api/games", "http://127.0.0.1/api/games"] {
        assert_eq!(server.get(path).status, 400, "{path}");
    }
}

#[cfg(unix)]
#[test]
fn links_out_of_the_runs_folder_are_not_followed() {
    let server = TestServer::new();
    let outside = server.runs.with_extension("outside");
    std::fs::create_dir_all(outside.join("report")).unwrap();
    std::fs::write(outside.join("report/summary.md"), "# secret").unwrap();
    std::fs::write(outside.join("report/a.svg"), "secret").unwrap();
    std::fs::write(outside.join("run.toml"), "secret").unwrap();
    let link = |from: &str, to: &std::path::Path| {
        let at = server.runs.join(from);
        std::fs::create_dir_all(at.parent().unwrap()).unwrap();
        std::os::unix::fs::symlink(to, at).unwrap();
    };
    link("folder", &outside);
    link("b/report", &outside.join("report"));
    link("c/report/summary.md", &outside.join("report/summary.md"));
    link("c/report/a.svg", &outside.join("report/a.svg"));
    link("d/run.toml", &outside.join("run.toml"));
    for path in [
        "/api/pages/reports/folder",
        "/api/pages/reports/b",
        "/api/pages/reports/c",
        "/api/pictures/reports/folder/a.svg",
        "/api/pictures/reports/c/a.svg",
        "/api/runs/folder",
        "/api/runs/d",
    ] {
        let reply = server.get(path);
        assert_eq!(reply.status, 404, "{path}: {}", reply.body);
    }
    let all = server.get("/api/pages").body + &server.get("/api/runs").body;
    assert!(!all.contains("secret") && !all.contains("\"folder\""), "{all}");
    std::fs::remove_dir_all(outside).unwrap();
}
