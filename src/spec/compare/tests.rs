use super::*;

fn read(text: &str) -> Result<Comparison, InputError> {
    let document = Document::parse("x.toml", text)?;
    Comparison::read(&document, "x", Path::new("experiments"), Overrides::default())
        .map_err(|problem| document.locate(problem))
}

fn labels_of(text: &str) -> Vec<String> {
    read(text).unwrap().entrants.into_iter().map(|entrant| entrant.label).collect()
}

#[test]
fn lists_give_one_agent_for_each_combination() {
    let agents = "[[agents]]\nkind = \"minimax\"\ndepth = [1, 2]\nheuristic = [\"malaga-1\", \"malaga-2\"]\n";
    assert_eq!(
        labels_of(agents),
        [
            "minimax depth=1 heuristic=malaga-1",
            "minimax depth=1 heuristic=malaga-2",
            "minimax depth=2 heuristic=malaga-1",
            "minimax depth=2 heuristic=malaga-2",
        ]
    );
    let labelled = "[[agents]]\nlabel = \"Mark 1\"\nkind = \"rollout\"\nruns = [4, 16]\n[[agents]]\nkind = \"random\"";
    assert_eq!(labels_of(labelled), ["Mark 1 runs=4", "Mark 1 runs=16", "random"]);
    assert_eq!(labels_of("[[agents]]\nkind = [\"random\", \"greedy\"]\n"), ["random", "greedy"]);
}

#[test]
fn the_command_line_replaces_values_of_the_file() {
    let text = "games = 7\n[[agents]]\nkind = \"random\"\n";
    let plain = read(text).unwrap();
    assert_eq!((plain.name.as_str(), plain.seed, plain.games), ("x", 1, 7));
    assert_eq!(plain.game, GameSpec::default());
    let document = Document::parse("x.toml", text).unwrap();
    let overrides = Overrides { games: Some(9), seed: Some(5), opening: None };
    let other = Comparison::read(&document, "x", Path::new(""), overrides).unwrap();
    assert_eq!((other.seed, other.games), (5, 9));
}

#[test]
fn the_configuration_contains_only_what_changes_games() {
    let of = |text: &str| read(text).unwrap().configuration();
    let plain = of("[[agents]]\nkind = \"random\"\n");
    assert_eq!(plain, of("games = 9\nname = \"y\"\n[[agents]]\nkind = \"random\"\n[[figures]]\nkind = \"ecdf\"\n"));
    assert_ne!(plain, of("seed = 2\n[[agents]]\nkind = \"random\"\n"));
    assert_ne!(plain, of("goal = \"none\"\n[[agents]]\nkind = \"random\"\n"));
    assert_ne!(plain, of("[[agents]]\nkind = \"greedy\"\n"));
}

#[test]
fn a_comparison_from_the_command_line_is_saved_as_a_file_that_can_be_read() {
    let agents = ["random", "rollout:runs=3", "minimax:depth=1..2,heuristic=snake"].map(|text| text.parse().unwrap());
    let typed = Comparison::of_agents(GameSpec::default(), &agents, None, Overrides::default()).unwrap();
    let reread = read(&typed.text).unwrap();
    assert_eq!((reread.name.as_str(), reread.configuration()), (typed.name.as_str(), typed.configuration()));
}

const THREE: &str = "[[agents]]\nkind = [\"random\", \"greedy\", \"minimax\"]\n";

#[test]
fn contrasts_name_agents_by_their_labels() {
    let text = format!("contrasts = [[\"greedy\", \"random\"], [\"minimax\", \"greedy\"]]\nmargin = 0.1\n{THREE}");
    let questions = read(&text).unwrap().questions;
    assert_eq!(questions.contrasts, [(1, 0), (2, 1)]);
    assert_eq!((questions.margin, questions.stop), (Some(0.1), None));
    assert_eq!(read(THREE).unwrap().questions, Questions::default());
    let text = format!("goal = \"none\"\nstop = {{ contrast = [\"greedy\", \"random\"], margin = 500 }}\n{THREE}");
    let stop = read(&text).unwrap().questions.stop.unwrap();
    assert_eq!(stop, StopRule { contrast: (1, 0), alpha: 0.05, beta: 0.05, margin: 500.0, most_games: 100 });
}

#[test]
fn a_sequential_test_fixes_the_number_of_games() {
    let of = |games: u32, stop: &str| read(&format!("games = {games}\n{stop}{THREE}")).unwrap().configuration();
    assert_eq!(of(100, ""), of(200, ""));
    let stop = "stop = { contrast = [\"greedy\", \"random\"], margin = 0.1 }\n";
    assert_ne!(of(100, stop), of(200, stop));
    assert_ne!(of(100, stop), of(100, ""));
}

#[test]
fn errors_show_the_line() {
    let random = "[[agents]]\nkind = \"random\"\n";
    for (text, parts) in [
        (format!("gmaes = 5\n{random}"), vec!["x.toml:1:1", "did you mean `games`"]),
        (format!("games = 0\n{random}"), vec!["x.toml:1:1", "from 1 up", "1 | games = 0"]),
        (format!("games = \"many\"\n{random}"), vec!["x.toml:1:1", "many"]),
        (format!("games = 9999999999\n{random}"), vec!["x.toml:1:1", "1000000000"]),
        (format!("{random}{random}"), vec!["two agents are called `random`"]),
        ("games = 5\n".to_string(), vec!["x.toml", "no agents"]),
        ("agents = 5\n".to_string(), vec!["x.toml:1:1", "[[agents]]"]),
        ("[[agents]]\nkind = \"minimx\"\n".to_string(), vec!["x.toml:2:1", "did you mean `minimax`"]),
        ("[[agents]]\nkind = \"minimax\"\ndepth = [1, 99]\n".to_string(), vec!["x.toml:3:1", "99", "1 to 60"]),
        ("[[agents]]\nkind = \"minimax\"\ndpeth = 3\n".to_string(), vec!["x.toml:3:1", "did you mean `depth`"]),
        ("[[agents]]\nkind = \"minimax\"\ndepth = []\n".to_string(), vec!["x.toml:3:1", "empty"]),
        ("[[agents]]\ndepth = 3\n".to_string(), vec!["x.toml:1:1", "needs a `kind`"]),
        ("[[agents]]\nkind = 3\n".to_string(), vec!["x.toml:2:1", "must be a name"]),
        ("[[agents]]\nkind = \"random\"\nlabel = \"\"\n".to_string(), vec!["x.toml:3:1", "one line"]),
        ("[[agents]]\nkind = \"greedy\"\nheuristic = \"snak\"\n".to_string(), vec!["x.toml:1", "did you mean `snake`"]),
        (format!("game = \"chess\"\n{random}"), vec!["x.toml:1:1", "unknown game"]),
        (format!("goal = 2047\n{random}"), vec!["x.toml:1:1", "2047"]),
        (format!("opponent = \"random\"\n{random}"), vec!["x.toml:1:1", "against chance"]),
        (format!("opening = 2\n{random}"), vec!["x.toml:1:1", "no opening moves"]),
        (format!("game = \"tic-tac-toe\"\nopening = 21\n{random}"), vec!["x.toml:2:1", "from 0 to 20"]),
        (format!("game = \"tic-tac-toe\"\nopponent = \"rand\"\n{random}"), vec!["x.toml:2:1", "did you mean `random`"]),
        (format!("name = \"../up\"\n{random}"), vec!["x.toml:1:1", "letters"]),
        ("games = = 5".to_string(), vec!["x.toml:1"]),
        (format!("contrasts = [[\"greedy\", \"randm\"]]\n{THREE}"), vec!["x.toml:1", "did you mean `random`"]),
        (format!("contrasts = [[\"greedy\"]]\n{THREE}"), vec!["x.toml:1", "two labels"]),
        (format!("contrasts = [[\"greedy\", \"greedy\"]]\n{THREE}"), vec!["x.toml:1", "with itself"]),
        (
            format!("contrasts = [[\"greedy\", \"random\"], [\"random\", \"greedy\"]]\n{THREE}"),
            vec!["x.toml:1", "twice"],
        ),
        (format!("contrasts = 5\n{THREE}"), vec!["x.toml:1:1", "list of pairs"]),
        (format!("margin = 5\n{THREE}"), vec!["x.toml:1:1", "share of games"]),
        (format!("goal = \"none\"\nmargin = -5\n{THREE}"), vec!["x.toml:2:1", "points of score"]),
        (format!("stop = {{ margin = 0.1 }}\n{THREE}"), vec!["x.toml:1:1", "needs a `contrast`"]),
        (
            format!("stop = {{ contrast = [\"greedy\", \"random\"], margin = 0.1, beta = 2 }}\n{THREE}"),
            vec!["x.toml:1", "0.0001 to 0.5"],
        ),
        (
            format!("stop = {{ contrast = [\"greedy\", \"random\"], margn = 0.1 }}\n{THREE}"),
            vec!["x.toml:1", "did you mean `margin`"],
        ),
    ] {
        let message = read(&text).unwrap_err().message;
        for part in parts {
            assert!(message.contains(part), "{text}\n{message}");
        }
    }
}
