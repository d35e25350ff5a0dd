use super::*;

const FILE: &str = r#"name = "mine"
seed = 3
goal = "none"

[agent]
kind = "expectimax"
depth = 2

[heuristic]
preset = "basic"

[[parameters]]
name = "mask"
range = [0.01, 100]
scale = "log"

[[parameters]]
name = "mask.ratio"
start = 0.4
range = [0.1, 0.9]

[optimizer]
kind = "cma-es"
budget = 500

[test]
games = 10
"#;

fn read(text: &str) -> Result<Tuning, InputError> {
    let document = Document::parse("mine.toml", text)?;
    Tuning::read(&document, "mine", Overrides::default()).map_err(|problem| document.locate(problem))
}

fn edited(from: &str, to: &str) -> Result<Tuning, InputError> {
    assert!(FILE.contains(from), "{from}");
    read(&FILE.replacen(from, to, 1))
}

#[test]
fn missing_keys_get_their_defaults() {
    let tuning = read(FILE).unwrap();
    assert_eq!((tuning.seed, tuning.objective, tuning.test.games), (3, Objective::MeanScore, 10));
    assert_eq!(tuning.validation, Validation { games: 200, every: 25 });
    assert_eq!(tuning.heuristic.get("mask.ratio"), Ok(0.4));
    assert_eq!(tuning.start(), [1.0, 0.4]);
    let moved = tuning.heuristic_at(&[2.0, 0.3]).unwrap();
    assert_eq!((moved.get("mask"), moved.get("mask.ratio")), (Ok(2.0), Ok(0.3)));
    assert!(matches!(tuning.plan, Plan::One(Method { budget: 500, .. })));
}

#[test]
fn numbers_of_games_are_not_part_of_the_configuration() {
    let configuration = |from: &str, to: &str| edited(from, to).unwrap().configuration();
    let own = read(FILE).unwrap().configuration();
    assert_eq!(configuration("budget = 500", "budget = 900"), own);
    assert_eq!(configuration("games = 10", "games = 20"), own);
    for (from, to) in [("seed = 3", "seed = 4"), ("depth = 2", "depth = 3"), ("start = 0.4", "start = 0.5")] {
        assert_ne!(configuration(from, to), own, "{to}");
    }
}

#[test]
fn a_heuristic_of_ones_own_is_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("own.toml");
    std::fs::write(&path, "name = \"own\"\n[[terms]]\nfeature = \"mask\"\ncoefficient = 2\n").unwrap();
    let text = FILE.replace("[heuristic]\npreset = \"basic\"\n", "");
    let text = text.replace("seed = 3\n", &format!("seed = 3\nheuristic = {:?}\n", path.display().to_string()));
    let tuning = read(&text).unwrap();
    assert_eq!((tuning.heuristic.name(), tuning.start()[0]), ("own", 2.0));
}

#[test]
fn errors_show_the_line() {
    for (from, to, line, part) in [
        ("name = \"mask.ratio\"", "name = \"mask.ratoi\"", ":18:", "did you mean `mask.ratio`"),
        ("range = [0.1, 0.9]", "range = [0.5, 0.9]", ":20:", "excludes the start 0.4"),
        ("range = [0.1, 0.9]", "range = [0.9, 0.1]", ":20:", "lower end 0.9 not below its upper end 0.1"),
        ("range = [0.1, 0.9]", "range = [0.1, 1.9]", ":20:", "from 0 to 1"),
        ("range = [0.1, 0.9]", "range = [0.1]", ":20:", "two numbers"),
        ("range = [0.01, 100]", "range = [0, 100]", ":14:", "without 0"),
        ("budget = 500", "budget = 50", ":24:", "budget of 50 games is too small"),
        ("budget = 500", "budget = 0", ":24:", "whole number from 1"),
        ("kind = \"cma-es\"", "kind = \"cmaes\"", ":23:", "did you mean `cma-es`"),
        ("kind = \"expectimax\"", "kind = \"random\"", ":", "unknown random key `depth`"),
        ("kind = \"expectimax\"\ndepth = 2", "kind = \"random\"", ":6:", "uses no heuristic"),
        ("kind = \"expectimax\"\ndepth = 2", "kind = \"rollout\"", ":6:", "give it a `cap`"),
        ("depth = 2", "ms = 5", ":7:", "cannot be repeated"),
        ("depth = 2", "heuristic = \"snake\"", ":7:", "goes under [heuristic]"),
        ("preset = \"basic\"", "preset = \"basik\"", ":10:", "did you mean `basic`"),
        ("preset = \"basic\"", "file = \"own.toml\"", ":10:", "write `heuristic = \"mine.toml\"`"),
        ("[heuristic]\npreset = \"basic\"\n", "", ":", "the heuristic is missing: write `heuristic"),
        ("seed = 3", "seed = 3\nobjective = \"win-rate\"", ":3:", "needs a goal"),
        ("seed = 3", "sed = 3", ":2:", "did you mean `seed`"),
        ("games = 10", "games = 1", ":27:", "whole number from 2"),
        ("games = 10", "against = [\"nobody\"]", ":27:", "unknown heuristic"),
    ] {
        let message = edited(from, to).unwrap_err().message;
        assert!(message.starts_with(&format!("mine.toml{line}")) && message.contains(part), "{to}: {message}");
    }
}

#[test]
fn each_of_several_optimizers_has_its_own_table() {
    let kinds = "kind = [\"cma-es\", \"random\"]\nrepeats = 3\ncma-es = { games = 2 }";
    let Plan::Contest { methods, repeats } = edited("kind = \"cma-es\"", kinds).unwrap().plan else { panic!() };
    assert_eq!((methods.len(), repeats, methods[0].options.integer("games")), (2, 3, Some(2)));
    let problem = |kinds: &str| edited("kind = \"cma-es\"", kinds).unwrap_err().message;
    assert!(problem("kind = [\"cma-es\", \"random\"]\ngames = 2").contains("unknown optimizer key `games`"));
    assert!(problem("kind = [\"cma-es\", \"cma-es\"]").contains("given twice"));
    assert!(problem("kind = []").contains("name of an optimizer"));
}

#[test]
fn a_transfer_sets_the_depth_of_the_agent() {
    let with = |transfer: &str| read(&format!("{FILE}\n[transfer]\n{transfer}"));
    let Plan::Transfer { tuned, tested, .. } = with("tune = [1, 2]\ntest = [1, \"2..3\"]").unwrap().plan else {
        panic!()
    };
    assert_eq!((tuned[1].agent.to_string().as_str(), tested[1].depth.as_str()), ("expectimax:depth=2", "2..3"));
    assert!(with("tune = [1, 1]\ntest = [1]").unwrap_err().message.contains("given twice"));
    assert!(with("tune = [0]\ntest = [1]").unwrap_err().message.contains("from 1 to 60"));
    assert!(with("tune = []\ntest = [1]").unwrap_err().message.contains("list of depths"));
}
