//! Numbers for readers.

use crate::stats::Interval;

/// A number with fewer decimals the larger it is, and with commas between thousands.
pub fn number(value: f64) -> String {
    let size = value.abs();
    let digits = match size {
        _ if size == 0.0 || size >= 100.0 => 0,
        _ if size >= 10.0 => 1,
        _ if size >= 1.0 => 2,
        _ => (2 - size.log10().floor() as i32).clamp(3, 9) as usize,
    };
    let text = format!("{size:.digits$}");
    let (whole, rest) = text.split_once('.').unwrap_or((&text, ""));
    let (whole, rest) = (grouped(whole), rest.trim_end_matches('0'));
    let text = if rest.is_empty() { whole } else { format!("{whole}.{rest}") };
    if value < 0.0 && text != "0" { format!("-{text}") } else { text }
}

/// `1234567` as `1,234,567`.
fn grouped(digits: &str) -> String {
    let count = digits.len();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (count - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// `20,217 (19,896 to 20,539)`
pub fn interval(value: Interval) -> String {
    let estimate = number(value.estimate);
    if value.low >= value.high {
        estimate
    } else {
        format!("{estimate} ({} to {})", number(value.low), number(value.high))
    }
}

/// A rate with its interval in percent: `94.0 % (87.5 to 97.2)`.
pub fn percent(rate: Interval) -> String {
    let [estimate, low, high] = [rate.estimate, rate.low, rate.high].map(|share| format!("{:.1}", 100.0 * share));
    if rate.low >= rate.high { format!("{estimate} %") } else { format!("{estimate} % ({low} to {high})") }
}

/// A p-value with three decimals; `< 0.001` for smaller ones.
pub fn p_value(p: f64) -> String {
    if p < 0.001 { "< 0.001".into() } else { format!("{p:.3}") }
}

/// Bytes in base64, as in data addresses and content security policies (RFC 4648).
pub fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let byte = |index: usize| u32::from(chunk.get(index).copied().unwrap_or(0));
        let group = byte(0) << 16 | byte(1) << 8 | byte(2);
        for place in 0..4 {
            let digit = DIGITS[(group >> (18 - 6 * place) & 63) as usize] as char;
            text.push(if place <= chunk.len() { digit } else { '=' });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        let cases = [0.0, 1234567.4, -20217.36, 99.96, 12.345, 1.5, 0.01234, -0.0000456];
        assert_eq!(cases.map(number), ["0", "1,234,567", "-20,217", "100", "12.3", "1.5", "0.0123", "-0.0000456"]);
        assert_eq!(number(-0.2), "-0.2");
    }

    #[test]
    fn base64_is_that_of_the_standard() {
        // RFC 4648, section 10.
        let cases = ["", "f", "fo", "foo", "foob", "fooba", "foobar"];
        let expected = ["", "Zg==", "Zm8=", "Zm9v", "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy"];
        assert_eq!(cases.map(|text| base64(text.as_bytes())), expected);
    }
}
