//! Records the commit that the program is built from, so that results can name it.
//!
//! Without Git, or outside a repository, the program is built all the same and names no commit. A published package
//! carries its commit in `.cargo_vcs_info.json`.

use std::path::Path;
use std::process::Command;

/// What the program is built from; a change anywhere else does not make a build dirty.
const SOURCES: [&str; 4] = ["src", "build.rs", "Cargo.toml", "Cargo.lock"];

fn main() {
    for source in SOURCES {
        println!("cargo:rerun-if-changed={source}");
    }
    // A new commit alone changes no code. Only release builds, which make results, are built again to name it. Commits
    // on other branches do not matter.
    if std::env::var("PROFILE").is_ok_and(|profile| profile == "release") {
        let branch = git(&["symbolic-ref", "--quiet", "HEAD"]);
        for name in ["HEAD"].into_iter().chain(branch.as_deref()) {
            if let Some(path) = git(&["rev-parse", "--git-path", name]).filter(|path| Path::new(path).exists()) {
                println!("cargo:rerun-if-changed={path}");
            }
        }
    }
    if let Some(commit) = own_commit() {
        println!("cargo:rustc-env=LAB2048_COMMIT={commit}");
        let changes = git(&[&["status", "--porcelain", "--"], &SOURCES[..]].concat());
        if changes.is_none_or(|changes| !changes.is_empty()) {
            println!("cargo:rustc-env=LAB2048_DIRTY=1");
        }
    } else if let Some(commit) = packaged_commit() {
        println!("cargo:rustc-env=LAB2048_COMMIT={commit}");
    }
}

/// The commit of the repository whose top folder this is; a repository around an unpacked package does not count.
fn own_commit() -> Option<String> {
    let top = git(&["rev-parse", "--show-toplevel"])?;
    let here = std::env::current_dir().ok()?.canonicalize().ok()?;
    (Path::new(&top).canonicalize().ok()? == here).then(|| git(&["rev-parse", "HEAD"])).flatten()
}

fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_string())
}

/// The commit that `cargo package` wrote down.
fn packaged_commit() -> Option<String> {
    let text = std::fs::read_to_string(".cargo_vcs_info.json").ok()?;
    let (_, rest) = text.split_once("\"sha1\"")?;
    rest.split('"').nth(1).map(str::to_string)
}
