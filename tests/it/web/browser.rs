//! A headless browser, controlled by the WebDriver protocol.
//!
//! If chromium or chromedriver is not installed, the tests that need them print a message and end. `.ci/run` sets
//! `LAB2048_BROWSER=required`, so that no test is left out there.

use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::client::ask;

/// The longest wait for a page or a script. Even a busy machine needs far less.
const TIMEOUT: Duration = Duration::from_secs(60);

/// A browser with one page, ended when dropped.
pub struct Browser {
    driver: Child,
    port: u16,
    session: String,
    /// The browser's own folder.
    _profile: tempfile::TempDir,
}

fn find(names: &[&str]) -> Option<PathBuf> {
    let folders: Vec<PathBuf> = std::env::split_paths(&std::env::var_os("PATH")?).collect();
    names.iter().find_map(|name| folders.iter().map(|folder| folder.join(name)).find(|path| path.is_file()))
}

impl Browser {
    /// Starts a browser. If none is installed, prints a message and returns `None`.
    pub fn start(test: &str) -> Option<Browser> {
        let programs = find(&["chromium", "chromium-browser", "google-chrome"]).zip(find(&["chromedriver"]));
        let Some((browser, driver)) = programs else {
            let required = std::env::var("LAB2048_BROWSER").is_ok_and(|value| value == "required");
            assert!(!required, "chromium and chromedriver are required here, but not installed");
            eprintln!("left out, because chromium or chromedriver is not installed: {test}");
            return None;
        };
        Some(Browser::open(&browser, &driver))
    }

    fn open(browser: &Path, driver: &Path) -> Browser {
        let mut driver = Command::new(driver);
        let mut driver = driver.arg("--port=0").stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let port = port_of(driver.stdout.take().unwrap());
        let profile = tempfile::tempdir().unwrap();
        let arguments = [
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--no-first-run",
            "--disable-dev-shm-usage",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--hide-scrollbars",
        ];
        let mut arguments: Vec<String> = arguments.map(String::from).to_vec();
        arguments.push(format!("--user-data-dir={}", profile.path().display()));
        let options = json!({ "binary": browser, "args": arguments });
        let capabilities = json!({ "capabilities": { "alwaysMatch": {
            "browserName": "chrome", "goog:chromeOptions": options, "goog:loggingPrefs": { "browser": "ALL" },
        } } });
        let answer = ask(port, "POST", "/session", Some(&capabilities)).json();
        let session =
            answer["value"]["sessionId"].as_str().unwrap_or_else(|| panic!("no session: {answer}")).to_string();
        let browser = Browser { driver, port, session, _profile: profile };
        browser.command("timeouts", &json!({ "script": 60_000, "pageLoad": 120_000 }));
        browser
    }

    fn command(&self, name: &str, body: &Value) -> Value {
        let answer = ask(self.port, "POST", &format!("/session/{}/{name}", self.session), Some(body));
        assert_eq!(answer.status, 200, "{name} {body}: {}", answer.body);
        answer.json()["value"].clone()
    }

    fn devtools(&self, name: &str, parameters: Value) {
        self.command("goog/cdp/execute", &json!({ "cmd": name, "params": parameters }));
    }

    pub fn open_page(&self, address: &str) {
        self.command("url", &json!({ "url": address }));
    }

    /// The value of an expression in the page.
    pub fn value(&self, expression: &str) -> Value {
        self.command("execute/sync", &json!({ "script": format!("return {expression};"), "args": [] }))
    }

    /// Waits until an expression in the page is true.
    pub fn wait_for(&self, expression: &str) {
        let began = Instant::now();
        while self.value(&format!("Boolean({expression})")) != true {
            let page = || self.value("document.body.innerText.slice(0, 2000)");
            assert!(
                began.elapsed() < TIMEOUT,
                "`{expression}` does not come true; errors {:?}, page {}",
                self.errors(),
                page()
            );
            thread::sleep(Duration::from_millis(20));
        }
    }

    pub fn click(&self, selector: &str) {
        self.command(
            "execute/sync",
            &json!({ "script": "document.querySelector(arguments[0]).click();", "args": [selector] }),
        );
    }

    /// Presses a key as a user does.
    pub fn press(&self, key: &str) {
        let key = match key {
            "left" => "\u{e012}",
            "up" => "\u{e013}",
            "right" => "\u{e014}",
            "down" => "\u{e015}",
            "tab" => "\u{e004}",
            "enter" => "\u{e007}",
            other => other,
        };
        let actions = json!([{ "type": "keyDown", "value": key }, { "type": "keyUp", "value": key }]);
        self.command("actions", &json!({ "actions": [{ "type": "key", "id": "keyboard", "actions": actions }] }));
    }

    /// Shows the page at this width, in light or dark.
    pub fn look(&self, width: u32, height: u32, scheme: &str) {
        let screen = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600 });
        self.devtools("Emulation.setDeviceMetricsOverride", screen);
        let features = json!([{ "name": "prefers-color-scheme", "value": scheme }]);
        self.devtools("Emulation.setEmulatedMedia", json!({ "features": features }));
    }

    /// Tells the page that the user prefers reduced motion.
    pub fn reduce_motion(&self) {
        self.devtools(
            "Emulation.setEmulatedMedia",
            json!({ "features": [{ "name": "prefers-reduced-motion", "value": "reduce" }] }),
        );
    }

    /// A picture of what is seen, as PNG.
    pub fn picture(&self) -> Vec<u8> {
        let answer = ask(self.port, "GET", &format!("/session/{}/screenshot", self.session), None);
        decode(answer.json()["value"].as_str().unwrap())
    }

    /// The errors that the page has logged since the last call.
    pub fn errors(&self) -> Vec<String> {
        let log = self.command("se/log", &json!({ "type": "browser" }));
        let entries = log.as_array().cloned().unwrap_or_default();
        entries.iter().filter(|entry| entry["level"] == "SEVERE").map(|entry| entry["message"].to_string()).collect()
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        ask(self.port, "DELETE", &format!("/session/{}", self.session), None);
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}

/// The port that the driver says it has taken.
fn port_of(output: impl Read + Send + 'static) -> u16 {
    let mut lines = BufReader::new(output).lines();
    let port = lines.by_ref().map_while(Result::ok).find_map(|line| {
        let rest = line.split("successfully on port ").nth(1)?;
        rest.trim_end_matches('.').parse().ok()
    });
    // The output is read to its end, so that the driver never blocks while it writes.
    thread::spawn(move || lines.for_each(drop));
    port.expect("chromedriver did not say its port")
}

/// Bytes from base64.
fn decode(text: &str) -> Vec<u8> {
    let digit = |byte: u8| match byte {
        b'A'..=b'Z' => u32::from(byte - b'A'),
        b'a'..=b'z' => u32::from(byte - b'a') + 26,
        b'0'..=b'9' => u32::from(byte - b'0') + 52,
        b'+' => 62,
        _ => 63,
    };
    let digits: Vec<u32> = text.bytes().filter(|byte| *byte != b'=').map(digit).collect();
    let group = |part: &[u32]| {
        let bits = part.iter().fold(0, |bits, digit| bits << 6 | digit) << (6 * (4 - part.len()));
        bits.to_be_bytes()[1..part.len()].to_vec()
    };
    digits.chunks(4).flat_map(group).collect()
}
