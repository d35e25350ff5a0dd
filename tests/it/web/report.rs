//! `lab2048 report`, and the reports that runs leave behind.

use std::fs;
use std::path::Path;

use crate::program::{assert_fails, run};

/// Checks that a report has at most three megabytes and loads nothing from elsewhere.
fn check(report: &Path) -> String {
    let text = fs::read_to_string(report).unwrap();
    assert!(text.len() < 3_000_000, "{} bytes", text.len());
    for foreign in ["http://127", "https://", "src=\"http", "<link", "@import", "url("] {
        assert!(!text.contains(foreign), "{foreign} in {}", report.display());
    }
    text
}

#[test]
fn a_comparison_leaves_a_report_that_can_be_made_again() {
    let folder = tempfile::tempdir().unwrap();
    let compare =
        ["compare", "--agent", "greedy", "--agent", "random", "--games", "30", "--out", "run", "--record", "best"];
    run(folder.path(), &compare, 0);
    let report = folder.path().join("run/report.html");
    let text = check(&report);
    for part in [
        "The best of 2 agents is greedy",
        "<svg",
        "\\toprule",
        "@software{lab2048",
        "lab2048 compare",
        "Mann-Whitney",
        "data-player",
    ] {
        assert!(text.contains(part), "{part} is missing");
    }
    fs::remove_file(&report).unwrap();
    run(folder.path(), &["report", "run"], 0);
    assert!(check(&report) == text, "the report made again differs");
    let manifest = fs::read_to_string(folder.path().join("run/manifest.json")).unwrap();
    assert!(manifest.contains("report.html"));
}

#[test]
fn a_report_is_not_made_from_damaged_results() {
    let folder = tempfile::tempdir().unwrap();
    let compare = ["compare", "--agent", "greedy", "--agent", "random", "--games", "30", "--out", "run"];
    run(folder.path(), &[&compare[..], &["--format", "svg"]].concat(), 0);
    let file = |name: &str| folder.path().join("run").join(name);
    let report = fs::read(file("report.html")).unwrap();
    for name in ["summary.csv", "experiment.toml", "figures/ecdf.svg", "manifest.json"] {
        let whole = fs::read(file(name)).unwrap();
        let mut damaged = whole.clone();
        let digit = damaged.iter().rposition(u8::is_ascii_digit).unwrap();
        damaged[digit] ^= 1;
        fs::write(file(name), damaged).unwrap();
        // A figure is drawn again from its table.
        let (code, is_repaired) = if name.ends_with("svg") { (0, true) } else { (1, false) };
        let said = run(folder.path(), &["report", "run"], code);
        assert!(is_repaired || said.contains(&format!("{name}` is damaged")), "{name}: {said}");
        assert!(fs::read(file("report.html")).unwrap() == report, "{name} changed the report");
        fs::write(file(name), whole).unwrap();
    }
    run(folder.path(), &["report", "run"], 0);
}

#[test]
fn a_tuning_run_leaves_both_reports() {
    let folder = tempfile::tempdir().unwrap();
    let tuning = "name = \"t\"\nseed = 1\ngoal = \"none\"\n[agent]\nkind = \"greedy\"\n[heuristic]\npreset = \"basic\"\n[[parameters]]\n\
        name = \"mask\"\nrange = [0.01, 100]\nscale = \"log\"\n[optimizer]\nkind = \"cma-es\"\nbudget = 200\n[validation]\ngames = 10\nevery = 100\n\
        [slices]\npoints = 3\ngames = 5\n[ablation]\ngames = 5\n[test]\ngames = 20\n";
    fs::write(folder.path().join("t.toml"), tuning).unwrap();
    run(folder.path(), &["tune", "t.toml", "--out", "run"], 0);
    let text = check(&folder.path().join("run/report.html"));
    for part in ["Coefficients before and after", "mean score is", "dumbbell", "test games"] {
        assert!(text.contains(part), "{part} is missing");
    }
    let markdown = fs::read_to_string(folder.path().join("run/report.md")).unwrap();
    assert!(markdown.contains("| parameter |") && markdown.contains("To run it again: `lab2048 tune"), "{markdown}");
    assert!(!folder.path().join("run/live.json").exists());
}

#[test]
fn a_folder_without_results_is_named() {
    let folder = tempfile::tempdir().unwrap();
    assert_fails(&["report", &folder.path().display().to_string()], 2, &["no manifest.json"]);
}
