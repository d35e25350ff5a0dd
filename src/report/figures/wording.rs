//! The words for options and axes in figures.

/// The label of an axis that shows this option or column.
pub(super) fn axis_label(axis: &str) -> String {
    match axis {
        "depth" => "Search depth (plies)".into(),
        "runs" => "Playouts per move".into(),
        "iterations" => "Iterations per move".into(),
        "moves" => "Length of sequences (moves)".into(),
        "work" => "Budget (units of work per move)".into(),
        "nodes" => "Budget (nodes per move)".into(),
        "ms" => "Budget (ms per move)".into(),
        "work_per_move" => "Work per move (units)".into(),
        "nodes_per_move" => "Nodes per move".into(),
        "microseconds_per_move" => "Time per move (µs)".into(),
        "seconds_per_game" => "Time per game (s)".into(),
        other => crate::report::scene::markup::plain(&other.replace(['-', '_'], " ")),
    }
}

/// What the numbers of an option count, for a note in the legend.
pub(super) fn unit(option: &str) -> String {
    match option {
        "runs" => "playouts".into(),
        "work" => "units of work".into(),
        other => other.replace('-', " "),
    }
}

/// An option and its value in words, such as "depth 5", "100 playouts" or "no table".
pub(super) fn option_words(option: &str, value: &str) -> String {
    let is_number = value.parse::<f64>().is_ok();
    match (option, value) {
        (_, "") => String::new(),
        ("kind" | "group", _) => label_words(value),
        ("heuristic", _) => heuristic_name(value),
        ("table", "0") => "no table".into(),
        ("table", bits) if is_number => format!("table 2{}", superscript(bits)),
        ("depth", range) => format!("depth {}", range.replace("..", " to ")),
        ("ms", _) => format!("{value} ms"),
        ("runs" | "iterations" | "moves" | "nodes" | "work", "1") => {
            format!("1 {}", unit(option).trim_end_matches('s'))
        }
        ("runs" | "iterations" | "moves" | "nodes" | "work", _) if is_number => {
            format!("{} {}", thousands(value), unit(option))
        }
        (_, "true") => option.replace('-', " "),
        (_, "false") => format!("no {}", option.replace('-', " ")),
        (_, _) if is_number => format!("{} {value}", option.replace('-', " ")),
        _ => value.to_string(),
    }
}

/// A scenario such as `depth=3 table=0` in words.
pub(super) fn scenario_words(scenario: &str) -> String {
    let words = |part: &str| match part.split_once('=') {
        Some((option, value)) => option_words(option, value),
        None => part.to_string(),
    };
    scenario.split(' ').map(words).collect::<Vec<_>>().join(", ")
}

/// A label that the user wrote, such as `tuned work=10000`, with its options in words.
fn label_words(label: &str) -> String {
    let mut words = String::new();
    for part in label.split(' ') {
        let (joint, part) = match part.split_once('=') {
            Some((option, value)) => (", ", option_words(option, value)),
            None => (" ", kind_name(part)),
        };
        words.push_str(if words.is_empty() { "" } else { joint });
        words.push_str(&part);
    }
    words
}

/// An agent such as `alphabeta:depth=9` in words.
pub(super) fn agent_words(agent: &str) -> String {
    let (kind, options) = agent.split_once(':').unwrap_or((agent, ""));
    let options = options.split(',').filter(|option| !option.is_empty()).map(|option| scenario_words(option.trim()));
    [kind_name(kind)].into_iter().chain(options).collect::<Vec<_>>().join(", ")
}

/// The usual spelling of an algorithm's name.
fn kind_name(kind: &str) -> String {
    match kind {
        "alphabeta" => "alpha-beta".into(),
        "mcts" => "MCTS".into(),
        other => other.into(),
    }
}

/// A heuristic file is called by its folder or its stem, because a path says little and takes much room.
fn heuristic_name(heuristic: &str) -> String {
    let path = std::path::Path::new(heuristic);
    if !heuristic.contains(['/', '\\']) && path.extension().is_none() {
        return heuristic.to_string();
    }
    let text = |part: Option<&std::ffi::OsStr>| part.map(|name| name.to_string_lossy().into_owned());
    let stem = text(path.file_stem()).unwrap_or_else(|| heuristic.to_string());
    // `tune` writes every heuristic as `best.toml` or `best-depth-3.toml`, so the name of the folder is used.
    let folder = text(path.parent().and_then(|parent| parent.file_name()));
    match (stem.strip_prefix("best"), folder) {
        (Some(""), Some(folder)) => folder,
        (Some(rest), Some(folder)) => format!("{folder} {}", rest.trim_start_matches('-').replace('-', " ")),
        _ => stem,
    }
}

/// Whole numbers with commas between thousands: "30,000".
pub(super) fn thousands(number: &str) -> String {
    if number.len() <= 3 || !number.bytes().all(|b| b.is_ascii_digit()) {
        return number.to_string();
    }
    let mut text = String::new();
    for (index, digit) in number.chars().enumerate() {
        if index > 0 && (number.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

fn superscript(digits: &str) -> String {
    let raised = |digit: char| match digit {
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        '0' | '4'..='9' => char::from_u32(0x2070 + u32::from(digit) - u32::from('0')).unwrap_or(digit),
        other => other,
    };
    digits.chars().map(raised).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_put_into_words() {
        let cases = [
            ("depth", "5", "depth 5"),
            ("depth", "4..6", "depth 4 to 6"),
            ("runs", "100", "100 playouts"),
            ("runs", "1000", "1,000 playouts"),
            ("runs", "1", "1 playout"),
            ("nodes", "30000", "30,000 nodes"),
            ("table", "0", "no table"),
            ("table", "14", "table 2¹⁴"),
            ("partial-cut", "true", "partial cut"),
            ("partial-cut", "false", "no partial cut"),
            ("exploration", "1.4", "exploration 1.4"),
            ("kind", "alphabeta", "alpha-beta"),
            ("heuristic", "line-sum", "line-sum"),
            ("heuristic", "results/tune-line-sum/best.toml", "tune-line-sum"),
            ("heuristic", "results/transfer/best-depth-3.toml", "transfer depth 3"),
            ("heuristic", "mine.toml", "mine"),
            ("heuristic", "", ""),
            ("group", "mcts", "MCTS"),
            ("group", "network 4x6", "network 4x6"),
            ("group", "tuned work=10000", "tuned, 10,000 units of work"),
        ];
        for (option, value, words) in cases {
            assert_eq!(option_words(option, value), words);
        }
        assert_eq!(agent_words("alphabeta:depth=9,table=0"), "alpha-beta, depth 9, no table");
        assert_eq!(agent_words("random"), "random");
        assert_eq!(scenario_words("depth=3 work=3000"), "depth 3, 3,000 units of work");
    }
}
