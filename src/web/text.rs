//! Makes text from files safe to show.
//!
//! Labels and names come from files that anybody may have written. `maud` escapes what HTML would read as markup; this
//! module removes what would mislead a reader: control characters, escape sequences, marks that turn the direction of
//! writing, and texts of absurd length.

/// Longer labels are cut: no table has room for them.
const MOST_CHARACTERS: usize = 160;

/// A label for a person: one line without control characters, of bounded length.
pub fn label(text: &str) -> String {
    let mut shown: String = text.chars().take(MOST_CHARACTERS).map(visible).collect();
    if text.chars().nth(MOST_CHARACTERS).is_some() {
        shown.push('…');
    }
    shown
}

/// A whole file for a person: line breaks and tabs stay.
pub fn file(text: &str) -> String {
    text.chars().map(|c| if matches!(c, '\n' | '\t') { c } else { visible(c) }).collect()
}

/// Replaces a character that would not be seen as itself.
fn visible(character: char) -> char {
    let turns =
        matches!(character, '\u{200e}' | '\u{200f}' | '\u{061c}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    if character.is_control() || turns { '\u{fffd}' } else { character }
}

/// JSON inside a `<script>` element: no text in it can end the element.
pub fn json_island(value: &serde_json::Value) -> String {
    value.to_string().replace('<', "\\u003c").replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_misleads_is_replaced() {
        assert_eq!(label("a\u{1b}[31mred\u{202e}gnp.exe\nb"), "a\u{fffd}[31mred\u{fffd}gnp.exe\u{fffd}b");
        assert_eq!(file("a = 1\n\tb\r\u{0}"), "a = 1\n\tb\u{fffd}\u{fffd}");
        assert_eq!(label(&"x".repeat(10_000)).chars().count(), MOST_CHARACTERS + 1);
        assert_eq!(label("größer ½ 好"), "größer ½ 好");
    }

    #[test]
    fn no_text_ends_a_script_element() {
        let island = json_island(&serde_json::json!({ "label": "</script><script>alert(1)</script>" }));
        assert!(!island.contains('<'), "{island}");
        let read: serde_json::Value = serde_json::from_str(&island).unwrap();
        assert_eq!(read["label"], "</script><script>alert(1)</script>");
    }
}
