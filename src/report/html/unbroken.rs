//! Text of a page in which no line ends inside an arrow: names of links have `->`, and a browser may break after a
//! hyphen.

use askama::Template;

/// Text, escaped, with its arrows whole.
#[derive(Debug, Template)]
#[template(path = "unbroken.html")]
pub(super) struct Unbroken<'t> {
    parts: Vec<&'t str>,
}

impl<'t> Unbroken<'t> {
    pub(super) fn of(text: &'t str) -> Self {
        Self { parts: text.split("->").collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrows_are_whole_and_names_escaped() {
        let page = |text| Unbroken::of(text).render().unwrap();
        assert_eq!(page(""), "");
        let arrow = r#"<span class="arrow">-&#62;</span>"#;
        assert_eq!(page("a[1] -> <b>[2]"), format!("a[1] {arrow} &#60;b&#62;[2]"));
        assert_eq!(page("->a->"), format!("{arrow}a{arrow}"));
    }
}
