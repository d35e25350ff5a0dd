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
    let overrides = Overrides { games: Some(9), seed: Some(5) };
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
        (format!("game = \"tic-tac-toe\"\nopponent = \"rand\"\n{random}"), vec!["x.toml:2:1", "did you mean `random`"]),
        (format!("name = \"../up\"\n{random}"), vec!["x.toml:1:1", "letters"]),
        ("games = = 5".to_string(), vec!["x.toml:1"]),
    ] {
        let message = read(&text).unwrap_err().message;
        for part in parts {
            assert!(message.contains(part), "{text}\n{message}");
        }
    }
}
