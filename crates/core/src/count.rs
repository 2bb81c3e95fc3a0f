//! Counts as people write them: `5000`, `5_000`, `100k`, `2M`, `1e5`.

/// The whole number that `text` stands for, if it is one and fits.
///
/// The suffixes are k (thousand), M (million) and G (billion). A fraction or an exponent is fine as
/// long as the result is whole.
///
/// ```
/// use ludens_core::parse_count;
/// assert_eq!(parse_count("100k"), Some(100_000));
/// assert_eq!(parse_count("1.5M"), Some(1_500_000));
/// assert_eq!(parse_count("1e5"), Some(100_000));
/// assert_eq!(parse_count("0.5"), None);
/// ```
pub fn parse_count(text: &str) -> Option<u64> {
    if text.starts_with('_') || text.ends_with('_') {
        return None;
    }
    let text = text.replace('_', "");
    if let Ok(number) = text.parse() {
        return Some(number);
    }
    let (digits, zeros) = match text.char_indices().last()? {
        (end, 'k' | 'K') => (&text[..end], 3),
        (end, 'M') => (&text[..end], 6),
        (end, 'G') => (&text[..end], 9),
        _ => (&text[..], 0),
    };
    let (digits, exponent) = match digits.split_once(['e', 'E']) {
        Some((digits, exponent)) => (digits, exponent.parse::<u32>().ok()?),
        None => (digits, 0),
    };
    scaled(digits, exponent.checked_add(zeros)?)
}

/// `digits`, which may have a decimal point, times ten to the power of `zeros`.
fn scaled(digits: &str, zeros: u32) -> Option<u64> {
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let only_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() || !only_digits(whole) || !only_digits(fraction) {
        return None;
    }
    let fraction = fraction.trim_end_matches('0');
    let zeros = zeros.checked_sub(u32::try_from(fraction.len()).ok()?)?;
    let number: u64 = format!("{whole}{fraction}").parse().ok()?;
    number.checked_mul(10_u64.checked_pow(zeros)?)
}

#[cfg(test)]
mod tests {
    use super::parse_count;

    #[test]
    fn counts_are_read_as_people_write_them() {
        for (text, count) in [
            ("0", 0),
            ("5000", 5_000),
            ("5_000", 5_000),
            ("100k", 100_000),
            ("100K", 100_000),
            ("2M", 2_000_000),
            ("1.25M", 1_250_000),
            ("1.0", 1),
            ("3G", 3_000_000_000),
            ("1e5", 100_000),
            ("2.5E3", 2_500),
            ("18446744073709551615", u64::MAX),
        ] {
            assert_eq!(parse_count(text), Some(count), "{text}");
        }
    }

    #[test]
    fn anything_else_is_no_count() {
        let texts = [
            "",
            "-1",
            "k",
            ".5M",
            "1.5",
            "1e-3",
            "1.23456k",
            "2m",
            "many",
            "1kk",
            "_1",
            "1_",
            "1e99",
            "99999999999999999999",
            "20000000000G",
            "1e4294967295k",
            "½M",
            "1.k5",
        ];
        for text in texts {
            assert_eq!(parse_count(text), None, "{text}");
        }
    }
}
