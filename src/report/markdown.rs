//! Escapes text for Markdown files.

/// Escapes a text so that it is shown unchanged. Labels come from experiment files, and no label may become a link, a tag or
/// a new cell.
///
/// ```
/// use lab2048::report::markdown::plain;
///
/// assert_eq!(plain("a|b <i> depth=3"), r"a\|b \<i\> depth=3");
/// ```
pub fn plain(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        if "\\`*_[]<>|".contains(character) {
            escaped.push('\\');
        }
        escaped.push(if character.is_control() { ' ' } else { character });
    }
    escaped
}
