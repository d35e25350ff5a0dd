//! The documents name only files that exist and commands that the program knows.

use std::fs;
use std::path::Path;

use super::program::stdout;

const DOCUMENTS: [&str; 4] = ["README.md", "CONTRIBUTING.md", "benches/README.md", "docs/cluster.md"];
const FOLDERS: [&str; 8] = ["src/", "experiments/", "results/", "benches/", "tests/", "examples/", "docs/", ".ci/"];

fn read(document: &str) -> String {
    fs::read_to_string(root().join(document)).unwrap()
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Everything in a text that looks like a path into one of our folders.
fn paths(text: &str) -> Vec<&str> {
    text.split(|c: char| c.is_whitespace() || "`()[]\",;:=".contains(c))
        .filter(|word| FOLDERS.iter().any(|folder| word.starts_with(folder)))
        .map(|word| word.trim_end_matches(['.', '*']))
        .collect()
}

#[test]
fn every_path_in_the_documents_exists() {
    // The documents use these names for runs of the reader's own.
    let examples = ["results/mine", "results/second-try", "results/depths"];
    for document in DOCUMENTS {
        for path in paths(&read(document)) {
            let is_example = examples.iter().any(|example| path.starts_with(example));
            assert!(is_example || root().join(path).exists(), "{document} names `{path}`, which does not exist");
        }
    }
}

#[test]
fn paths_are_found_in_text() {
    let text = "See `src/rng.rs`, [this](results/x/a.png) and experiments/a.toml. Not resources/b.";
    assert_eq!(paths(text), ["src/rng.rs", "results/x/a.png", "experiments/a.toml"]);
}

#[test]
fn every_command_in_the_readme_is_one_of_the_program() {
    let help = stdout(&["--help"]);
    let known: Vec<&str> = help.lines().filter_map(|line| line.strip_prefix("  ")?.split_whitespace().next()).collect();
    let readme = read("README.md");
    let commands = readme.lines().filter_map(|line| line.strip_prefix("    lab2048 ")?.split_whitespace().next());
    for command in commands {
        assert!(known.contains(&command), "README.md names the command `{command}`, which `--help` does not list");
    }
}

#[test]
fn the_readme_starts_with_two_commands() {
    let readme = read("README.md");
    for command in ["    cargo run --release -- tune experiments/quickstart.toml\n", "    cargo test --release\n"] {
        assert!(readme.contains(command), "README.md does not show `{}`", command.trim());
    }
}
