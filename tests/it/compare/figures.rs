//! Figures of a comparison.

use super::*;

fn contents(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    files(folder).into_iter().map(|path| (path.clone(), fs::read(path).unwrap())).collect()
}

#[test]
fn figures_are_drawn_from_tables_alone() {
    let workdir = workdir();
    fs::write(workdir.path().join("claims.csv"), "agent,depth,games,wins\nexpectimax,1,10,0\nexpectimax,2,10,9\n")
        .unwrap();
    fs::write(workdir.path().join("tiny.toml"), EXPERIMENT.replacen("seed", "published = \"claims.csv\"\nseed", 1))
        .unwrap();
    let printed = run(workdir.path(), &["compare", "tiny.toml"], 0);
    assert!(
        printed.contains("0 of 2 informative published win rates agree") && printed.contains("2 further rates"),
        "{printed}"
    );
    let results = workdir.path().join("results/tiny");
    let figures = results.join("figures");
    let drawn = contents(&figures);
    let names: Vec<String> =
        drawn.keys().map(|path| path.file_name().unwrap().to_string_lossy().into_owned()).collect();
    for name in ["win-rate", "score", "cost", "ecdf", "violin", "reach", "pareto"] {
        for format in ["png", "svg", "pdf"] {
            assert!(names.contains(&format!("{name}.{format}")), "{name}.{format} is not among {names:?}");
        }
    }
    assert!(!names.contains(&"published.png".to_string()), "two points are no figure: {names:?}");
    fs::remove_dir_all(&figures).unwrap();
    run(workdir.path(), &["plot", "results/tiny"], 0);
    assert_eq!(contents(&figures), drawn);

    let said =
        run(workdir.path(), &["plot", "results/tiny", "--only", "ecdf", "--width", "page", "--format", "svg"], 0);
    assert_eq!(said.lines().count(), 1);
    assert_ne!(fs::read(figures.join("ecdf.svg")).unwrap(), drawn[&figures.join("ecdf.svg")]);
    run(workdir.path(), &["plot", "results/tiny", "--only", "ecdf", "--font", "serif", "--format", "svg,pdf"], 0);
    assert!(fs::read_to_string(figures.join("ecdf.svg")).unwrap().contains("DejaVu Serif"));
    let pdf = fs::read(figures.join("ecdf.pdf")).unwrap();
    assert!(String::from_utf8_lossy(&pdf).contains("+DejaVuSerifCondensed"));
    assert!(run(workdir.path(), &["plot", "results/tiny", "--font", "serifs"], 2).contains("did you mean `serif`"));
    assert!(run(workdir.path(), &["plot", "results/tiny", "--only", "edcf"], 2).contains("did you mean `ecdf`"));
    assert!(run(workdir.path(), &["plot", "results/tiny", "--width", "wide"], 2).contains("column, page"));
    assert!(run(workdir.path(), &["plot", "results/absent"], 2).contains("results/absent"));
}
