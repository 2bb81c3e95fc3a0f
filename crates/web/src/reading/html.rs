//! Markdown as HTML that is safe to show.

use pulldown_cmark::{CowStr, Event, Options, Parser, Tag, html};

/// The page as HTML: what is HTML already is shown as text, links lead to pages or away.
///
/// `folder` is where the page lies among all pages, `pictures` where its pictures do.
pub(super) fn to_html(markdown: &str, folder: &str, pictures: &str) -> String {
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH;
    let safe = Parser::new_ext(markdown, options).map(|event| match event {
        Event::Html(text) | Event::InlineHtml(text) => Event::Text(text),
        Event::Start(Tag::Link { link_type, dest_url, title, id }) => {
            let dest_url = link(&dest_url, folder).into();
            Event::Start(Tag::Link { link_type, dest_url, title, id })
        }
        Event::Start(Tag::Image { link_type, dest_url, title, id }) => {
            let dest_url = image(&dest_url, folder, pictures);
            Event::Start(Tag::Image { link_type, dest_url, title, id })
        }
        other => other,
    });
    let mut out = String::new();
    html::push_html(&mut out, safe);
    out
}

/// Links to other pages of the documentation are opened in the page; those that could do something
/// lead nowhere.
fn link(to: &str, folder: &str) -> String {
    if to.starts_with("https://") || to.starts_with("http://") || to.starts_with('#') {
        return to.into();
    }
    let (path, part) = to.split_once('#').unwrap_or((to, ""));
    match joined(folder, path).as_deref().and_then(|path| path.strip_suffix(".md")) {
        Some(page) if part.is_empty() => format!("#/read/{page}"),
        Some(page) => format!("#/read/{page}?part={part}"),
        None => "#".into(),
    }
}

fn image<'a>(to: &str, folder: &str, pictures: &str) -> CowStr<'a> {
    if to.contains(':') || to.starts_with("//") {
        return "".into();
    }
    let name = match pictures {
        "" => joined(folder, to),
        _ => Some(format!("{pictures}{to}")),
    };
    name.map_or_else(|| "".into(), |name| format!("/api/pictures/{name}").into())
}

/// The path `to`, seen from `folder`; nothing if it leads out of the documentation.
fn joined(folder: &str, to: &str) -> Option<String> {
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in to.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            plain => parts.push(plain),
        }
    }
    Some(parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_between_pages_stay_in_the_page() {
        let html =
            to_html("[a](../methods/td.md) [b](hex.md#rules) [c](../../README.md)", "games", "");
        assert!(html.contains(r##"href="#/read/methods/td""##), "{html}");
        assert!(html.contains(r##"href="#/read/games/hex?part=rules""##), "{html}");
        assert!(html.contains(r##"<a href="#">c</a>"##), "{html}");
    }

    #[test]
    fn pictures_come_from_the_server() {
        let html = to_html("![x](../pictures/hex.svg) ![y](https://a.b/c.png)", "games", "");
        assert!(html.contains(r#"src="/api/pictures/pictures/hex.svg""#), "{html}");
        assert!(html.contains(r#"<img src="" alt="y""#), "{html}");
        let html = to_html("![x](curves.svg)", "reports", "reports/a/b/");
        assert!(html.contains(r#"src="/api/pictures/reports/a/b/curves.svg""#), "{html}");
    }

    #[test]
    fn html_is_shown_and_scripts_are_no_links() {
        let html = to_html("<script>x</script>\n\na <b>c</b> [d](javascript:x)", "", "");
        assert!(!html.contains("<script") && !html.contains("<b>"), "{html}");
        assert!(html.contains(r##"<a href="#">d</a>"##), "{html}");
    }
}
