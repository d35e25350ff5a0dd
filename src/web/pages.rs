//! The frame that all pages share, and the pages that are filled by their scripts.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::text::label;

/// A page of the server.
pub struct PageFrame<'a> {
    pub title: &'a str,
    /// The entry of the navigation that is marked as the current one.
    pub current: &'a str,
    pub script: &'a str,
    pub body: Markup,
}

const ENTRIES: [(&str, &str); 2] = [("/", "Runs"), ("/play", "Play and learn")];

impl PageFrame<'_> {
    pub fn render(self) -> String {
        let page = html! {
            (DOCTYPE)
            html lang="en" {
                head {
                    meta charset="utf-8";
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    meta name="color-scheme" content="light dark";
                    title { (self.title) " · lab2048" }
                    link rel="icon" href="/assets/icon.svg" type="image/svg+xml";
                    link rel="stylesheet" href="/assets/style.css";
                    script type="module" src={ "/assets/" (self.script) } {}
                }
                body {
                    a.skip href="#main" { "Skip to the content" }
                    header.top {
                        a.brand href="/" { span.logo aria-hidden="true" { "2048" } "lab2048" }
                        nav aria-label="Pages" {
                            @for (path, name) in ENTRIES {
                                a href=(path) aria-current=[(path == self.current).then_some("page")] { (name) }
                            }
                        }
                        button.quiet id="theme" type="button" aria-label="Switch between light and dark" { "◐" }
                    }
                    main id="main" { (self.body) }
                    div id="message" role="status" aria-live="polite" {}
                }
            }
        };
        page.into_string()
    }
}

/// A page that says why the page that was asked for cannot be shown.
pub fn refusal(message: &str) -> String {
    let body = html! {
        h1 { "This page cannot be shown" }
        p { (label(message)) "." }
        p { a href="/" { "All runs" } }
    };
    PageFrame { title: "Not shown", current: "", script: "base.js", body }.render()
}

/// The tutor. Its parts are filled by `play.js`.
pub fn play() -> String {
    let body = html! { (PreEscaped(include_str!("assets/play.html"))) };
    PageFrame { title: "Play and learn", current: "/play", script: "play.js", body }.render()
}
