use super::*;
use crate::report::manifest::{Checksummed, Manifest, sha256_of};

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
    assert_eq!(tuning.heuristic.as_ref().unwrap().get("mask.ratio"), Ok(0.4));
    assert_eq!(tuning.start(), [1.0, 0.4]);
    let moved = tuning.heuristic_at(&[2.0, 0.3]).unwrap().unwrap();
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
fn a_heuristic_can_be_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("own.toml");
    let own = "name = \"own\"\n[[terms]]\nfeature = \"mask\"\ncoefficient = 2\nmask = \"geometric\"\nratio = 0.5\n";
    std::fs::write(&path, own).unwrap();
    let text = FILE.replace("[heuristic]\npreset = \"basic\"\n", "");
    let text = text.replace("seed = 3\n", &format!("seed = 3\nheuristic = {:?}\n", path.display().to_string()));
    let tuning = read(&text).unwrap();
    assert_eq!((tuning.heuristic.as_ref().unwrap().name(), tuning.start()[0]), ("own", 2.0));
}

#[test]
fn errors_show_the_line() {
    for (from, to, line, part) in [
        ("name = \"mask.ratio\"", "name = \"mask.ratoi\"", ":18:", "did you mean `mask.ratio`"),
        ("range = [0.1, 0.9]", "range = [0.5, 0.9]", ":20:", "excludes the start 0.4"),
        (
            "range = [0.1, 0.9]",
            "range = [0.9, 0.1]",
            ":20:",
            "lower end 0.9 of the range must be below its upper end 0.1",
        ),
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
    let raced = "kind = [\"cma-es\", \"raced\"]\nraced = { kind = \"cma-es\", rounds = 4 }";
    let Plan::Contest { methods, .. } = edited("kind = \"cma-es\"", raced).unwrap().plan else { panic!() };
    assert_eq!((methods[1].label.as_str(), methods[1].kind.name), ("raced", "cma-es"));
    assert!(problem(&raced.replace("kind = \"cma-es\",", "kind = \"cmaes\",")).contains("did you mean `cma-es`"));
    assert!(problem("kind = [\"cma-es\", \"raced\"]").contains("unknown optimizer `raced`"));
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

/// The file with these parameters instead of its own.
fn with_parameters(parameters: &str) -> Result<Tuning, InputError> {
    let (head, rest) = FILE.split_once("[[parameters]]").unwrap();
    let (_, tail) = rest.split_once("[optimizer]").unwrap();
    read(&format!("{head}{parameters}\n[optimizer]{tail}"))
}

#[test]
fn whole_numbers_flags_and_choices_can_be_parameters() {
    let tuning = with_parameters(
        "[[parameters]]\nname = \"mask.tile\"\n[[parameters]]\nname = \"mask.symmetric\"\n\
         [[parameters]]\nname = \"mask.mask\"\nchoices = [\"geometric\", \"snake\"]\n\
         [[parameters]]\nname = \"mask.power\"\nrange = [0.1, 2]\nwhen = { \"mask.tile\" = \"power\" }\n\
         [[parameters]]\nname = \"empty\"\nrange = [1, 9]\ntype = \"integer\"\n\
         [[parameters]]\nname = \"agent.min-probability\"\nrange = [0, 0.1]\n\
         [[parameters]]\nname = \"agent.table\"\nrange = [6, 16]",
    )
    .unwrap();
    assert_eq!(tuning.start(), [0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 14.0]);
    let (agent, heuristic) = tuning.player_at(&tuning.agent, &[2.0, 1.0, 1.0, 0.5, 3.0, 0.01, 8.0]).unwrap();
    let heuristic = heuristic.unwrap();
    let value = |name: &str| heuristic.get_value(name).unwrap();
    assert_eq!(
        (value("mask.tile"), value("mask.symmetric"), value("mask.mask")),
        ("power".into(), true.into(), "snake".into())
    );
    assert_eq!((value("mask.power"), value("empty")), (0.5.into(), 3.0.into()));
    assert_eq!((agent.options.number("min-probability"), agent.options.integer("table")), (Some(0.01), Some(8)));
    // `mask.power` keeps its start value unless `mask.tile` is `power`.
    assert_eq!(tuning.space.settled(vec![1.0, 1.0, 1.0, 0.5, 3.0, 0.0, 8.0])[3], 1.0);
    assert_eq!((tuning.parameters[0].show(2.0), tuning.parameters[4].show(3.0)), ("power".into(), "3".into()));
}

#[test]
fn an_agent_is_tuned_without_a_heuristic() {
    let text = "[agent]\nkind = \"mcts\"\niterations = 20\n[[parameters]]\nname = \"agent.exploration\"\nrange = [0.1, 10]\nscale = \"log\"\n\
                [[parameters]]\nname = \"agent.cap\"\nstart = 10\nrange = [1, 100]\nscale = \"log\"\n[optimizer]\nbudget = 500\n";
    let tuning = read(text).unwrap();
    assert!(tuning.heuristic.is_none() && tuning.tunes_agent());
    let (agent, _) = tuning.player_at(&tuning.agent, &[1.5, 33.0]).unwrap();
    assert_eq!(agent.to_string(), "mcts:iterations=20,exploration=1.5,cap=33");
    assert!(read(&text.replace("agent.cap", "mask")).unwrap_err().message.contains("or a table [heuristic]"));
    assert!(read(&text.replace("start = 10\n", "")).unwrap_err().message.contains("give it a `start`"));
}

#[test]
fn the_cells_of_a_mask_are_parameters() {
    let cells = "[[parameters]]\nname = \"mask.cells\"\nrange = [0, 10]\n";
    let free = with_parameters(cells).unwrap();
    assert_eq!((free.start().len(), free.start()[1]), (16, 0.5));
    assert_eq!(free.space.dimensions()[6].name, "mask.cells.r2c3");
    let symmetric =
        with_parameters(&format!("{cells}start = \"gradient\"\nsymmetry = \"diagonal\"\nmonotone = true")).unwrap();
    assert_eq!(symmetric.start(), [7.0, 6.0, 5.0, 4.0, 5.0, 4.0, 3.0, 3.0, 2.0, 1.0]);
    let point = symmetric.space.settled(vec![5.0, 6.0, 1.0, 4.0, 0.5, 4.0, 3.0, 3.0, 2.0, 1.0]);
    assert_eq!(point, [5.0, 5.0, 1.0, 1.0, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5]);
    let rows = symmetric.heuristic_at(&point).unwrap().unwrap().get_value("mask.mask").unwrap();
    let rows: Vec<Vec<f64>> = rows
        .as_array()
        .unwrap()
        .iter()
        .map(|row| row.as_array().unwrap().iter().map(|v| crate::params::number(v).unwrap()).collect())
        .collect();
    for (row, column) in (0..4).flat_map(|row| (0..4).map(move |column| (row, column))) {
        assert_eq!(rows[row][column], rows[column][row]);
        assert!(row == 0 || rows[row][column] <= rows[row - 1][column]);
    }
    // In the heuristic's own mask, a snake, some weights exceed those of cells nearer to the corner.
    assert!(with_parameters(&format!("{cells}monotone = true")).unwrap_err().message.contains("must not exceed"));
}

#[test]
fn wrong_parameters_show_the_line() {
    let tile = "[[parameters]]\nname = \"mask.tile\"\n";
    for (text, line, part) in [
        (format!("{tile}range = [0, 1]"), 14, "list the values in `choices`"),
        (format!("{tile}choices = [\"value\", \"log3\"]"), 14, "did you mean `log2`"),
        (format!("{tile}choices = [\"value\"]"), 14, "at least two"),
        (format!("{tile}choices = [\"value\", \"value\"]"), 14, "given twice"),
        (format!("{tile}choices = [\"log2\", \"power\"]"), 14, "starts from value, but the choices are log2, power"),
        (format!("{tile}choices = \"value\""), 14, "must be a list"),
        (format!("{tile}{tile}"), 15, "`mask.tile` is given twice"),
        (format!("{tile}symmetry = \"diagonal\""), 14, "for all cells"),
        ("[[parameters]]\nname = \"mask.mask\"".to_string(), 13, "give it `choices`"),
        ("[[parameters]]\nname = \"mask.power\"\nrange = [0.5, 1]".into(), 13, "with an effect"),
        ("[[parameters]]\nname = \"agent.tabel\"\nrange = [6, 9]".into(), 13, "did you mean `agent.table`"),
        ("[[parameters]]\nname = \"agent.ms\"\nrange = [6, 9]".into(), 13, "unknown parameter of agent"),
        ("[[parameters]]\nname = \"agent.table\"\nrange = [6, 90]".into(), 14, "from 0 to 26"),
        ("[[parameters]]\nname = \"agent.table\"\nrange = [6, 16]\ntype = \"real\"".into(), 15, "whole numbers only"),
        ("[[parameters]]\nname = \"empty\"\nrange = [0.5, 9]\ntype = \"integer\"".into(), 14, "must be whole numbers"),
        (format!("{tile}[[parameters]]\nname = \"mask.power\"\nrange = [0, 2]\nwhen = {{ \"mask.tiel\" = 1 }}"), 17, "did you mean `mask.tile`"),
        (format!("{tile}[[parameters]]\nname = \"mask.power\"\nrange = [0, 2]\nwhen = {{ \"mask.tile\" = \"powr\" }}"), 17, "did you mean `power`"),
        (format!("{tile}when = \"mask.tile\""), 14, "must be a table"),
        (format!("{tile}when = {{ \"mask.tile\" = \"power\" }}"), 14, "earlier choice"),
        ("[[parameters]]\nname = \"mask.cells\"\nrange = [0, 1]\n[[parameters]]\nname = \"mask.mask\"\nchoices = [\"snake\", \"corner\"]".into(), 16, "both set the same mask"),
        ("[[parameters]]\nname = \"mask.cells\"\nrange = [0.5, 1]".into(), 14, "excludes the start"),
        ("[[parameters]]\nname = \"mask.cells\"\nrange = [0, 1]\nsymmetry = \"diagnal\"".into(), 15, "none or diagonal"),
        ("[[parameters]]\nname = \"mask.cells\"\nrange = [0, 1]\nchoices = [1]".into(), 15, "real numbers"),
    ] {
        let message = with_parameters(&text).unwrap_err().message;
        assert!(message.starts_with(&format!("mine.toml:{line}:")) && message.contains(part), "{text}: {message}");
    }
}

#[test]
fn scenarios_change_the_agent_and_are_tested_with_others() {
    let with = |text: &str| edited("seed = 3", &format!("seed = 3\n{text}"));
    let scenarios = "scenarios = [{ depth = 1 }, { depth = 3, weight = 2, label = \"deep\" }]";
    let tuning = with(scenarios).unwrap();
    let agents = tuning.agents(&tuning.agent, &tuning.scenarios).unwrap();
    assert_eq!(
        agents.iter().map(AgentSpec::to_string).collect::<Vec<_>>(),
        ["expectimax:depth=1", "expectimax:depth=3"]
    );
    assert_eq!((tuning.scenarios[1].label.as_str(), tuning.scenarios[1].weight), ("deep", 2.0));
    assert_ne!(tuning.configuration(), read(FILE).unwrap().configuration());
    let labels = |tuning: &Tuning| tuning.test.scenarios.iter().map(|s| s.label.clone()).collect::<Vec<_>>();
    assert_eq!(labels(&tuning), ["depth=1", "deep"]);
    let elsewhere = edited("games = 10", "games = 10\nscenarios = [{ depth = 4 }]").unwrap();
    assert_eq!(labels(&elsewhere), ["as tuned", "depth=4"]);
    for (text, line, part) in [
        ("scenarios = [{ depth = 1 }, { depth = 1 }]", 3, "given twice"),
        ("scenarios = [{ dept = 1 }]", 3, "did you mean `depth`"),
        ("scenarios = [{ ms = 1 }]", 3, "cannot set `ms`"),
        ("scenarios = [{ weight = 1 }]", 3, "needs a key of the agent"),
        ("scenarios = [{ depth = 1, weight = 0 }]", 3, "above 0"),
        ("scenarios = 3", 3, "must be tables"),
        ("aggregate = \"mean\"", 3, "needs `scenarios`"),
        ("scenarios = [{ depth = 1 }]\naggregate = \"worse\"", 4, "did you mean `worst`"),
    ] {
        let message = with(text).unwrap_err().message;
        assert!(message.starts_with(&format!("mine.toml:{line}:")) && message.contains(part), "{text}: {message}");
    }
    let ranks = format!("{scenarios}\naggregate = \"mean-rank\"");
    assert!(with(&ranks).is_ok());
    let random = FILE.replace("seed = 3", &format!("seed = 3\n{ranks}")).replace("\"cma-es\"", "\"random\"");
    assert!(read(&random.replace("budget = 500", "budget = 5000")).unwrap_err().message.contains("use cma-es"));
    assert!(
        with(&format!("{scenarios}\n")).is_ok()
            && read(&format!("{scenarios}\n{FILE}\n[transfer]\ntune = [1]\ntest = [2]")).is_err()
    );
    let both = FILE
        .replace("name = \"mask.ratio\"\nstart = 0.4\nrange = [0.1, 0.9]", "name = \"agent.depth\"\nrange = [1, 3]");
    assert!(
        read(&both.replace("seed = 3", &format!("seed = 3\n{scenarios}")))
            .unwrap_err()
            .message
            .contains("cannot set `depth`")
    );
}

#[test]
fn two_objectives_have_an_optimizer_of_their_own() {
    let front = |objectives: &str, optimizer: &str| {
        let text = FILE.replace("seed = 3", &format!("seed = 3\nobjectives = {objectives}"));
        read(&text.replace("kind = \"cma-es\"\nbudget = 500", optimizer))
    };
    let both = "[\"mean-score\", \"work-per-move\"]";
    let Plan::Front(method) = front(both, "budget = 500\npopulation = 10").unwrap().plan else { panic!() };
    assert_eq!(method.objectives, [Objective::MeanScore, Objective::WorkPerMove]);
    assert_eq!((method.budget, method.options.integer("population")), (500, Some(10)));
    for (objectives, optimizer, line, part) in [
        ("[\"mean-score\", \"mean-score\"]", "budget = 500", 3, "given twice"),
        ("[\"mean-score\"]", "budget = 500", 3, "list of two names"),
        ("[\"mean-score\", \"work\"]", "budget = 500", 3, "did you mean `work-per-move`"),
        ("[\"nodes-per-move\", \"work-per-move\"]", "budget = 500", 3, "both objectives are costs"),
        ("[\"win-rate\", \"work-per-move\"]", "budget = 500", 3, "needs a goal"),
        (both, "kind = \"cma-es\"\nbudget = 500", 24, "two need `nsga2`"),
        (both, "budget = 100", 24, "first generation takes 200"),
        (both, "budget = 500\npopulatoin = 9", 25, "did you mean `population`"),
    ] {
        let message = front(objectives, optimizer).unwrap_err().message;
        assert!(
            message.starts_with(&format!("mine.toml:{line}:")) && message.contains(part),
            "{objectives}: {message}"
        );
    }
    let message = edited("seed = 3", "seed = 3\nobjective = \"work-per-move\"").unwrap_err().message;
    assert!(message.contains("alone is a cost"), "{message}");
}

#[test]
fn restarts_rounds_and_a_warm_start_are_read() {
    let with = |text: &str| edited("budget = 500", &format!("budget = 2000\n{text}"));
    let tuning = with("restarts = 2\nrounds = 3").unwrap();
    assert_eq!((tuning.plan.methods()[0].restarts, tuning.search(&tuning.plan.methods()[0], 1).restarts), (2, 2));
    assert!(with("restarts = 21").unwrap_err().message.contains("at most 20"));
    let spsa = FILE.replace("kind = \"cma-es\"\nbudget = 500", "kind = \"spsa\"\nbudget = 5000\nrestarts = 1");
    assert!(read(&spsa).unwrap_err().message.contains("doubles the population"));
    let folder = tempfile::tempdir().unwrap();
    let best = folder.path().join("best.toml");
    let mut earlier = Heuristic::load(&"basic".into()).unwrap();
    earlier.set("mask", 3.0).unwrap();
    earlier.set("mask.ratio", 0.7).unwrap();
    std::fs::write(&best, earlier.to_toml()).unwrap();
    let warm =
        |path: &std::path::Path| edited("seed = 3", &format!("seed = 3\nwarm = {:?}", path.display().to_string()));
    assert_eq!(warm(&best).unwrap().start(), [3.0, 0.7]);
    let spread = |tuning: Tuning| tuning.plan.methods()[0].options.number("spread").unwrap();
    assert_eq!(spread(warm(&best).unwrap()), 0.2);
    let table = folder.path().join("parameters.csv");
    std::fs::write(&table, "parameter,spread\nmask,0.02\nmask.ratio,0.06\n").unwrap();
    assert_eq!(spread(warm(&best).unwrap()), 0.04);
    std::fs::write(&table, "parameter,spread\nmask,wide\n").unwrap();
    assert!(warm(&best).unwrap_err().message.contains("must be a number"));
    std::fs::remove_file(&table).unwrap();
    // A file that a run has written must be as it was.
    let mut manifest = Manifest::default();
    manifest.outputs.insert("best.toml".into(), sha256_of(&best).unwrap());
    manifest.write(folder.path()).unwrap();
    assert_eq!(warm(&best).unwrap().start(), [3.0, 0.7]);
    earlier.set("mask.ratio", 0.6).unwrap();
    std::fs::write(&best, earlier.to_toml()).unwrap();
    assert!(warm(&best).unwrap_err().message.contains("best.toml` was changed"));
    std::fs::remove_file(folder.path().join("manifest.json")).unwrap();
    earlier.set("mask.ratio", 0.95).unwrap();
    std::fs::write(&best, earlier.to_toml()).unwrap();
    assert!(warm(&best).unwrap_err().message.contains("excludes the start 0.95"));
    std::fs::write(&best, Heuristic::load(&"line-sum".into()).unwrap().to_toml()).unwrap();
    assert!(warm(&best).unwrap_err().message.contains("has no parameter `mask`"));
    assert!(warm(&folder.path().join("none.toml")).unwrap_err().message.starts_with("mine.toml:3:"));
}
