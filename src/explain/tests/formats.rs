//! Tests of what the formats write.

use super::*;

#[test]
fn the_text_lists_the_nodes_in_the_order_of_the_search() {
    let position = TicTacToe.parse("XOX/OXO/O..").unwrap();
    let text = render(&trace(&TicTacToe, Algorithm::AlphaBeta, 2, ALL, position), Format::Text);
    let expected = "alphabeta on tic-tac-toe, 2 plies: 4 nodes\n\
                    XOX/OXO/O..\n\
                    MAX = 1  [alpha -inf, beta inf]\n\
                    ├─ b3  MIN = 0  [alpha -inf, beta inf]\n\
                    │  └─ * O c3  MAX = 0  [alpha -inf, beta inf]  game over: draw\n\
                    └─ * c3  MIN = 1  [alpha 0, beta inf]  game over: win\n";
    assert_eq!(text, expected);
}

#[test]
fn branches_that_are_cut_together_share_a_line_with_the_reason() {
    let position = TicTacToe.start(&mut seeded(0));
    let tree = trace(&TicTacToe, Algorithm::AlphaBeta, 2, ALL, position);
    let text = render(&tree, Format::Text);
    assert!(
        text.lines().any(|line| line.contains("✂") && line.contains("branches  O already has a reply worth ")),
        "{text}"
    );
    let small = trace(&TicTacToe, Algorithm::AlphaBeta, 2, 10, position);
    assert!(render(&small, Format::Text).contains("more nodes"));
    assert_eq!(tree.principal_variation().len(), 2);
}

fn count_nodes(node: &serde_json::Value) -> usize {
    1 + node["children"].as_array().map_or(0, |children| children.iter().map(count_nodes).sum())
}

#[test]
fn json_contains_every_node() {
    let position = TicTacToe.start(&mut seeded(0));
    let tree = trace(&TicTacToe, Algorithm::AlphaBeta, 2, ALL, position);
    let json: serde_json::Value = serde_json::from_str(&render(&tree, Format::Json)).unwrap();
    let root = &json["root"];
    assert_eq!(count_nodes(root), tree.nodes().len());
    assert_eq!(root["alpha"], "-inf");
    assert_eq!(root["value"].as_f64(), tree.root().value);
    let first = &root["children"][0];
    assert_eq!((&first["kind"], &first["move"]), (&"min".into(), &"a1".into()));
    assert_eq!(first["children"][0]["reply"], "O b1");
    assert_eq!(first["children"][0].get("probability"), None);
    let expectimax = trace(&TicTacToe, Algorithm::Expectimax, 2, ALL, position);
    let json: serde_json::Value = serde_json::from_str(&render(&expectimax, Format::Json)).unwrap();
    assert_eq!(json["root"]["children"][0]["children"][0]["probability"].as_f64(), Some(0.125));
}

/// A tree with all characters that a format must escape.
fn special_characters() -> Tree {
    let status = Status::Sampled { runs: 10, mean: 1.5, sd: 0.5 };
    let estimate = |label: &str, value| MoveEstimate {
        label: label.into(),
        board: "2,0/<&".into(),
        value,
        status: status.clone(),
    };
    Tree::from(MoveEstimates {
        game: "2048",
        sides: Sides { mover: "the player", environment: "chance" },
        algorithm: "rollout",
        board: "2,0/0,16384".into(),
        moves: vec![estimate("\"<a & b>\\", 1.0), estimate("up", WIN), estimate("down", WIN)],
        choice: 1,
        spent: 30,
        unit: "moves played",
    })
}

#[test]
fn rollouts_show_runs_mean_and_standard_deviation() {
    let tree = special_characters();
    assert_eq!(tree.principal_variation(), [2]);
    assert_eq!(tree.title(), "rollout on 2048: 30 moves played");
    let text = render(&tree, Format::Text);
    assert!(text.contains("* up  CHANCE = win  10 runs, mean 1.5, sd 0.5"), "{text}");
    let json: serde_json::Value = serde_json::from_str(&render(&tree, Format::Json)).unwrap();
    assert_eq!(json["root"]["value"], "win");
    assert_eq!(json["root"]["children"][0]["runs"], 10);
}

/// Checks that all tags are closed in order and that text is escaped. Returns the number of elements.
fn check_markup(svg: &str) -> usize {
    let mut open: Vec<&str> = Vec::new();
    let mut count = 0;
    for part in svg.trim().split('<').skip(1) {
        let (tag, text) = part.split_once('>').expect("a tag ends");
        assert!(!text.contains('>') && tag.matches('"').count() % 2 == 0, "{part}");
        for entity in part.split('&').skip(1) {
            assert!(["amp;", "lt;", "gt;", "quot;"].iter().any(|name| entity.starts_with(name)), "{part}");
        }
        let name = tag.split([' ', '/']).next().unwrap_or_default();
        match tag {
            closing if closing.starts_with('/') => assert_eq!(open.pop(), Some(&closing[1..])),
            single if single.ends_with('/') => count += 1,
            _ => {
                count += 1;
                open.push(name);
            }
        }
    }
    assert!(open.is_empty(), "{open:?}");
    count
}

#[test]
fn pictures_are_well_formed() {
    let position = ConnectFour.start(&mut seeded(0));
    let tree = trace(&ConnectFour, Algorithm::AlphaBeta, 2, ALL, position);
    assert!(check_markup(&render(&tree, Format::Svg)) > tree.visited as usize);
    let svg = render(&special_characters(), Format::Svg);
    check_markup(&svg);
    assert!(svg.contains("&quot;&lt;a &amp; b&gt;\\"));
}

#[test]
fn graphs_are_well_formed() {
    let position = TicTacToe.start(&mut seeded(0));
    let tree = trace(&TicTacToe, Algorithm::AlphaBeta, 2, 40, position);
    for tree in [tree, special_characters()] {
        let dot = render(&tree, Format::Dot);
        assert!(dot.starts_with("digraph search {\n") && dot.ends_with("}\n"));
        for line in dot.lines().filter(|line| line.contains("label=")) {
            let quotes = line.replace("\\\\", "").replace("\\\"", "").matches('"').count();
            assert!(quotes % 2 == 0 && line.ends_with(';'), "{line}");
        }
    }
    assert!(render(&special_characters(), Format::Dot).contains(r#"[label="\"<a & b>\\","#));
}

#[test]
fn cuts_are_explained_in_a_sentence() {
    let sides = Sides::of::<TicTacToe>();
    let alpha = Cut { at: NodeKind::Min, value: -0.1, limit: 0.0 };
    assert_eq!(
        alpha.sentence(sides),
        "O already has a reply worth -0.1 here, and X has 0 elsewhere: the rest cannot matter"
    );
    let beta = Cut { at: NodeKind::Max, value: 1.0, limit: 0.5 };
    assert_eq!(
        beta.sentence(sides),
        "X already has a move worth 1 here, and O can hold X to 0.5 elsewhere: the rest cannot matter"
    );
    assert!(alpha.sentence(Sides::of::<Twenty48>()).starts_with("chance already has a reply worth -0.1 here"));
}
