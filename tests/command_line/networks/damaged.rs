//! Truncated, changed, nested and huge files: an error or a network, never a panic or a hang.

use std::error::Error;

use proptest::prelude::*;
use routebound::import::ImportError;
use routebound::limit::TooLarge;

use super::{import_text, instance};
use crate::files::gzip;

const EXAMPLES: &[&str] = &[
    "arcs.txt",
    "ring.csv",
    "ring.dot",
    "ring.graph",
    "ring.lgf",
    "ring.sndlib.txt",
    "ring.sndlib.xml",
    "star.dot",
    "star.graphml",
];

fn example(name: &str) -> String {
    std::fs::read_to_string(instance(&format!("examples/{name}"))).unwrap()
}

#[test]
fn truncated_files() {
    for name in EXAMPLES {
        let text = example(name);
        // These formats have an end that shows whether the file is complete.
        let must_fail = [".dot", ".xml", ".graphml"].iter().any(|ending| name.ends_with(ending));
        for length in (0..text.trim_end().len()).filter(|at| text.is_char_boundary(*at)) {
            let result = import_text(&text[..length]);
            assert!(!must_fail || result.is_err(), "{name} cut at {length}");
        }
    }
    let json = std::fs::read_to_string(instance("figret/Facebook_pod_a.json")).unwrap();
    for length in 0..json.trim_end().len() {
        assert!(import_text(&json[..length]).is_err(), "cut at {length}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..Default::default() })]

    #[test]
    fn changed_files(
        file in 0..EXAMPLES.len(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
    ) {
        let mut bytes = example(EXAMPLES[file]).into_bytes();
        for (at, byte) in changes {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        if let Err(error) = import_text(&bytes) {
            prop_assert!(!error.to_string().is_empty());
        }
    }

    #[test]
    fn texts_that_begin_like_a_format(
        start in prop::sample::select(vec![
            "<graphml>", "<network sndlib>", "?SNDlib native format; type: network;\n",
            "NODES 1\nlabel\n", "@nodes\nlabel\n1\n2\n@arcs\n", "digraph {", "graph {", "{\"nodes\":", "a b 1\n",
        ]),
        rest in "[ -~\n]{0,80}",
    ) {
        let _ = import_text(format!("{start}{rest}"));
    }
}

fn is_too_large(error: &(dyn Error + 'static)) -> bool {
    error.is::<TooLarge>() || error.source().is_some_and(is_too_large)
}

#[test]
fn compressed_files_are_read_as_they_are() {
    let text = example("ring.dot");
    assert_eq!(import_text(gzip(text.as_bytes())).unwrap().links(), 8);
}

#[test]
fn size_is_limited() {
    // 17 members of 16 MiB are above 256 MiB.
    let blank = gzip(&vec![b' '; 1 << 24]).repeat(17);
    let starts = ["<graphml>", "graph {", "{", "a b 1\n"];
    for start in starts.into_iter().take(if cfg!(feature = "slow-tests") { 4 } else { 1 }) {
        let error = import_text([gzip(start.as_bytes()), blank.clone()].concat()).unwrap_err();
        assert!(is_too_large(&error), "{error}");
    }
    let links = "a b\n".repeat((1 << 21) + 1);
    let error = import_text(links).unwrap_err();
    assert!(is_too_large(&error), "{error}");
    assert!(error.to_string().contains("number of directed links of"), "{error}");
    // What stops before the network is built takes as long again: it is in the full tier.
    if cfg!(feature = "slow-tests") {
        let error = import_text("a b\n".repeat((1 << 22) + 1)).unwrap_err();
        assert!(error.to_string().contains("number of links in"), "{error}");
    }
}

#[test]
fn depth_is_limited() {
    let malformed = |text: String| {
        let error = import_text(text).unwrap_err();
        let is = matches!(&error, ImportError::Place { .. });
        assert!(is, "{error}");
    };
    malformed(format!("<graphml>{}", "<a>".repeat(1_000_000)));
    malformed(format!("<graphml{}/>", " a=\"\"".repeat(1_000_000)));
    let attributes: Vec<String> = (0..100_000).map(|at| format!(" a{at}=\"\"")).collect();
    malformed(format!("<graphml{}/>", attributes.concat()));
    malformed(format!("{{\"nodes\": {}", "[".repeat(1_000_000)));
    malformed(format!("{{\"x\": {}", "[".repeat(1_000_000)));
    malformed(format!("graph {{ a {}", "[".repeat(1_000_000)));
    malformed(format!("graph {{ {}", "/*".repeat(1_000_000)));
    malformed(format!("graph {{ a -- b [x=\"{}", "\\\"".repeat(1_000_000)));
}

#[test]
fn binary_data_names_its_line() {
    let error = import_text(b"graph {\n a -- \xff }").unwrap_err();
    assert!(error.to_string().contains("line 2: binary data"), "{error}");
    let error = import_text(b"a b 1\nb c 2\n\0").unwrap_err();
    assert!(error.to_string().contains("line 3: binary data"), "{error}");
}
