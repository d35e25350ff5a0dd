//! Requests that the server answers or refuses. No request may stop it.

use std::fs;
use std::path::Path;
use std::thread;

use serde_json::json;

use super::client::Server;
use crate::program::run;

/// A results folder with one finished comparison, made by hand, and a secret beside it.
pub fn results(label: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("secret.txt"), "SECRET").unwrap();
    write_run(&folder.path().join("results/small"), label);
    folder
}

/// A finished comparison of two agents, the first with this label.
pub fn write_run(folder: &Path, label: &str) {
    fs::create_dir_all(folder).unwrap();
    let manifest = json!({
        "schema": "lab2048/compare/2", "tool": "lab2048 0.1.0", "commit": null, "name": "small", "seed": 1, "games": 2,
        "configuration": "x", "timed": [], "threads": 1, "cpu": "cpu", "started": "2026-01-01T00:00:00Z",
        "complete": true, "outputs": {}
    });
    fs::write(folder.join("manifest.json"), manifest.to_string()).unwrap();
    let quoted = format!("\"{}\"", label.replace('"', "\"\""));
    let summary = format!(
        "agent,games,win_rate,win_rate_low,win_rate_high,mean_score,mean_score_low,mean_score_high\n\
         {quoted},100,0.5,0.4,0.6,2000,1900,2100\nother,100,0.25,0.2,0.3,1000,900,1100\n"
    );
    fs::write(folder.join("summary.csv"), summary).unwrap();
    let comparisons = format!(
        "first,second,games,score_difference,score_difference_low,score_difference_high,a12,p_mann_whitney,p_mann_whitney_holm\n\
         {quoted},other,100,1000,800,1200,0.8,0.0001,0.0001\n"
    );
    fs::write(folder.join("comparisons.csv"), comparisons).unwrap();
    fs::write(folder.join("experiment.toml"), format!("# Which is better?\nname = \"small\"\n# {label}\n")).unwrap();
}

fn serve() -> (tempfile::TempDir, Server) {
    let folder = results("plain");
    let server = Server::start(&folder.path().join("results"));
    (folder, server)
}

#[test]
fn pages_and_data_are_served() {
    let (_folder, server) = serve();
    for (path, part) in [
        ("/", "Runs"),
        ("/play", "Play and learn"),
        ("/runs/small", "The best of 2 agents is plain"),
        ("/compare?a=small&b=small", "Side by side"),
        ("/assets/play.js", "import"),
        ("/api/runs", "small"),
        ("/api/catalog", "expectimax"),
    ] {
        let answer = server.get(path);
        assert!(answer.status == 200 && answer.body.contains(part), "{path}: {} {}", answer.status, answer.head);
        assert!(answer.head.contains("Content-Security-Policy: default-src 'none'"), "{path}: {}", answer.head);
    }
}

#[test]
fn no_path_leaves_the_results_folder() {
    let (folder, server) = serve();
    #[cfg(unix)]
    std::os::unix::fs::symlink(folder.path(), folder.path().join("results/link")).unwrap();
    for path in [
        "/runs/..",
        "/runs/../secret.txt",
        "/runs/%2e%2e",
        "/runs/..%2fsecret.txt",
        "/runs/.hidden",
        "/runs/link",
        "/runs/small/../../secret.txt",
        "//etc/passwd",
        "/assets/../../secret.txt",
        "/assets/%2e%2e/secret.txt",
        "/compare?a=../results&b=small",
        "/compare?a=small&b=..",
        "/api/runs/..",
        "/runs/small%00",
        "/runs/a/b",
        "/runs/",
    ] {
        let answer = server.get(path);
        assert!(matches!(answer.status, 400 | 404 | 422), "{path}: {answer:?}");
        assert!(!answer.body.contains("SECRET"), "{path}");
    }
    let _ = folder;
}

#[test]
fn other_hosts_and_origins_are_refused() {
    let (_folder, server) = serve();
    let port = server.port;
    let get = |headers: &str| server.raw(format!("GET /api/runs HTTP/1.1\r\n{headers}\r\n").as_bytes()).status;
    assert_eq!(get(&format!("Host: 127.0.0.1:{port}\r\n")), 200);
    assert_eq!(get(&format!("Host: localhost:{port}\r\nOrigin: http://localhost:{port}\r\n")), 200);
    for headers in [
        String::new(),
        "Host: evil.example\r\n".into(),
        format!("Host: evil.example:{port}\r\n"),
        format!("Host: 127.0.0.1.evil.example:{port}\r\n"),
        format!("Host: 127.0.0.1:{}\r\n", port ^ 1),
        format!("Host: 127.0.0.1:{port}\r\nHost: evil.example\r\n"),
        format!("Host: 127.0.0.1:{port}\r\nOrigin: http://evil.example\r\n"),
        format!("Host: 127.0.0.1:{port}\r\nOrigin: null\r\n"),
        format!("Host: 127.0.0.1:{port}\r\nSec-Fetch-Site: cross-site\r\n"),
    ] {
        assert_eq!(get(&headers), 403, "{headers:?}");
    }
    let form = format!(
        "POST /api/games HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n\r\n{{}}"
    );
    assert_eq!(server.raw(form.as_bytes()).status, 415);
}

#[test]
fn oversized_and_malformed_requests_get_an_answer_and_the_server_stays_up() {
    let (_folder, server) = serve();
    let host = format!("Host: 127.0.0.1:{}\r\nContent-Type: application/json\r\n", server.port);
    let post =
        |length: &str, body: &str| format!("POST /api/games HTTP/1.1\r\n{host}Content-Length: {length}\r\n\r\n{body}");
    for (bytes, status) in [
        ("\u{0}\u{1}\u{2}\r\n\r\n".to_string(), 400),
        ("GET /\r\n\r\n".into(), 400),
        (format!("GET /{} HTTP/1.1\r\n\r\n", "a".repeat(40_000)), 431),
        (format!("GET / HTTP/1.1\r\n{}\r\n", "A: b\r\n".repeat(500)), 431),
        (post("99999999999", ""), 413),
        (post("-1", ""), 400),
        (post("5", "{\"a\":"), 400),
        (post("2", "[]"), 400),
        (format!("TRACE / HTTP/1.1\r\n{host}\r\n"), 405),
    ] {
        let answer = server.raw(bytes.as_bytes());
        assert_eq!(answer.status, status, "{:?}", &bytes[..bytes.len().min(80)]);
    }
    assert_eq!(server.get("/api/runs").status, 200);
}

/// A change that makes a valid question invalid.
type Change<'a> = &'a dyn Fn(&mut serde_json::Value);

#[test]
fn wrong_questions_are_answered_with_the_reason() {
    let (_folder, server) = serve();
    let question = |change: Change| {
        let mut question =
            json!({ "game": "2048", "board": "2,4,0,0/0,0,0,0/0,0,0,0/0,0,0,0", "score": 0, "agent": "greedy" });
        change(&mut question);
        server.post("/api/values", &question)
    };
    assert_eq!(question(&|_| {}).status, 200);
    let wrong: [(Change, &str); 6] = [
        (&|q| q["agent"] = json!("greedi"), "did you mean `greedy`"),
        (&|q| q["agent"] = json!("expectimax:heuristic=/etc/passwd"), "unknown heuristic"),
        (&|q| q["agent"] = json!("rollout:runs=9999999"), "at most"),
        (&|q| q["board"] = json!("3,3/<script>"), ""),
        (&|q| q["game"] = json!("chess"), "unknown game"),
        (&|q| q["board"] = json!("2,4,2,4/4,2,4,2/2,4,2,4/4,2,4,2"), "the game is over"),
    ];
    for (change, part) in wrong {
        let answer = question(change);
        assert!(answer.status == 422 && answer.body.contains(part), "{answer:?}");
    }
    assert_eq!(server.get("/api/games/999").status, 404);
    assert_eq!(server.post("/api/games/999", &json!({ "do": "undo" })).status, 404);
}

#[test]
fn a_deep_search_ends_at_its_limit() {
    let (_folder, server) = serve();
    let board = "2,4,8,16/4,8,16,32/0,0,2,4/0,0,0,2";
    let question =
        json!({ "game": "2048", "goal": "none", "board": board, "score": 0, "agent": "expectimax:depth=60" });
    let answer = server.post("/api/values", &question);
    assert_eq!(answer.status, 200, "{answer:?}");
    let depth = answer.json()["depth"].as_u64().unwrap();
    assert!((3..60).contains(&depth), "{depth}");
    let tree = server.post("/api/tree", &question).json();
    assert!(tree["whole"] == false && tree["nodes"].as_array().unwrap().len() <= 1500);
}

#[test]
fn hostile_labels_are_text_and_nothing_else() {
    let long = "x".repeat(10_000);
    for label in
        ["</script><script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "a\u{1b}[31mb\u{202e}c", &long]
    {
        let folder = results(label);
        let server = Server::start(&folder.path().join("results"));
        for path in ["/runs/small", "/compare?a=small&b=small", "/api/runs"] {
            let body = server.get(path).body;
            assert!(!body.contains("<script>alert") && !body.contains("<img src=x"), "{path} with {label:?}");
            assert!(!body.contains('\u{1b}') && !body.contains('\u{202e}'), "{path} with {label:?}");
            assert!(body.len() < 400_000 && !body.contains(&"x".repeat(20_000)), "{path}");
        }
    }
}

#[test]
fn a_taken_port_is_named() {
    let (_folder, server) = serve();
    let said = run(Path::new("."), &["serve", "--port", &server.port.to_string()], 2);
    assert!(said.contains("is taken") && said.contains("--port"), "{said}");
}

#[test]
fn a_removed_folder_and_a_truncated_file_do_not_stop_the_server() {
    let (folder, server) = serve();
    let run = folder.path().join("results/small");
    fs::write(run.join("manifest.json"), "{\"schema\": \"lab").unwrap();
    let listed = server.get("/api/runs").json();
    assert!(listed[0]["problem"].as_str().unwrap().contains("not a manifest"), "{listed}");
    assert_eq!(server.get("/runs/small").status, 200);
    write_run(&run, "plain");
    fs::write(run.join("summary.csv"), "agent,games\nplain").unwrap();
    assert_eq!(server.get("/runs/small").status, 503);
    fs::remove_dir_all(folder.path().join("results")).unwrap();
    let answer = server.get("/api/runs");
    assert!(answer.status == 503 && answer.body.contains("cannot be read"), "{answer:?}");
    assert_eq!(server.get("/runs/small").status, 404);
    assert_eq!(server.get("/play").status, 200);
}

/// The resident memory of a process, in kilobytes.
#[cfg(target_os = "linux")]
pub fn memory(process: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    line.trim().split(' ').next().unwrap().parse().unwrap()
}

#[cfg(target_os = "linux")]
#[test]
fn two_hundred_requests_at_a_time_are_answered_in_bounded_memory() {
    let (_folder, server) = serve();
    let burst = |rounds: usize| {
        thread::scope(|scope| {
            for _ in 0..200 {
                scope.spawn(|| {
                    for path in ["/", "/api/runs", "/runs/small", "/assets/style.css"].iter().cycle().take(rounds) {
                        let answer = server.get(path);
                        assert_eq!(answer.status, 200, "{path}: {answer:?}");
                    }
                });
            }
        });
        memory(server.child.id())
    };
    burst(4);
    let (before, after) = (burst(4), burst(16));
    assert!(after < before + before / 2 + 20_000, "memory grew from {before} to {after} kB");
}

/// A search that would take as long as a page allows.
fn long_search(port: u16) -> String {
    let board = "2,4,8,16/4,8,16,32/0,0,2,4/0,0,0,2";
    let question =
        json!({ "game": "2048", "goal": "none", "board": board, "score": 0, "agent": "expectimax:depth=60" });
    let (body, head) = (question.to_string(), "POST /api/values HTTP/1.1\r\nContent-Type: application/json\r\n");
    format!("{head}Host: 127.0.0.1:{port}\r\nContent-Length: {}\r\n\r\n{body}", body.len())
}

#[test]
fn searches_of_closed_pages_do_not_delay_others() {
    let (_folder, server) = serve();
    for _ in 0..40 {
        let mut stream = std::net::TcpStream::connect(("127.0.0.1", server.port)).unwrap();
        std::io::Write::write_all(&mut stream, long_search(server.port).as_bytes()).unwrap();
    }
    // Four searches run at a time, each for up to 1.5 seconds. If all 40 ran, this request would wait for 15 seconds,
    // but it is refused after 10.
    let quick = json!({ "game": "tic-tac-toe", "board": ".../.../...", "score": 0, "agent": "greedy" });
    assert_eq!(server.post("/api/values", &quick).status, 200);
}
