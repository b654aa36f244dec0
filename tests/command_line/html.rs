//! The page of `fabric --save-html`: one file that fetches nothing, whole or not at all, of a size that opens at once.
#![expect(clippy::unwrap_used, clippy::panic, reason = "helpers of tests fail by panic")]

use std::fs;
use std::process::Command;

use quick_xml::Reader;
use quick_xml::events::Event;

use crate::program::{Run, done, program};
#[cfg(unix)]
use crate::stopped::{How, stopped_knowing};

const MESSY: &str = "instances/fabrics/ft8x3_messy/updn";

fn fabric(arguments: &[&str]) -> Command {
    program([&["fabric"], arguments].concat())
}

/// The page without its first line, its style and its script, which are not XML.
fn markup(page: &str) -> String {
    let mut rest = page.strip_prefix("<!DOCTYPE html>").unwrap().to_string();
    for tag in ["style", "script"] {
        let (begin, end) = (format!("<{tag}>"), format!("</{tag}>"));
        let (first, last) = (rest.find(&begin).unwrap(), rest.find(&end).unwrap());
        rest.replace_range(first + begin.len()..last, "");
        assert_eq!(rest.matches(&begin).count(), 1, "{tag}");
    }
    rest
}

/// The names of all elements; what is not closed, or not where it was opened, fails.
fn elements(page: &str) -> Vec<String> {
    let text = markup(page);
    let mut reader = Reader::from_str(&text);
    reader.config_mut().check_end_names = true;
    let (mut names, mut depth) = (Vec::new(), 0);
    loop {
        match reader.read_event().unwrap_or_else(|error| panic!("{error}")) {
            Event::Eof => break,
            Event::Start(start) => {
                depth += 1;
                start.attributes().for_each(|attribute| drop(attribute.unwrap()));
                names.push(start.name().as_ref().to_string());
            }
            Event::Empty(empty) => {
                empty.attributes().for_each(|attribute| drop(attribute.unwrap()));
            }
            Event::End(_) => depth -= 1,
            _ => {}
        }
    }
    assert_eq!(depth, 0);
    names
}

fn assert_fetches_nothing(page: &str) {
    for way in ["http://", "https://", "src=", "url(", "@import", "<iframe", "fetch(", "import("] {
        assert!(!page.contains(way), "{way}");
    }
    assert!(page.contains("default-src 'none'"));
    let policy = page.find("Content-Security-Policy").unwrap();
    assert!(policy < page.find("<style>").unwrap());
}

fn written(arguments: &[&str], code: i32) -> (String, Run) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("page.html");
    let html = ["--save-html", file.to_str().unwrap()];
    let run = Run::of(fabric(arguments).args(html)).expects(code);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "one file");
    (fs::read_to_string(file).unwrap(), run)
}

#[test]
fn a_page_is_written_beside_the_text() {
    let (page, output) = written(&[MESSY], 0);
    assert_eq!(output.stdout, done(["fabric", MESSY]));
    let names = elements(&page);
    let count = |name: &str| names.iter().filter(|found| *found == name).count();
    assert_eq!(["main", "nav", "h1", "header", "footer"].map(count), [1; 5]);
    // The drawing, four for histograms of loads and pairs by level each, the matrix; legends apart.
    assert!(count("svg") > 10 && count("table") >= 6, "{names:?}");
    assert!(!page.contains("Partial:"));
    assert_fetches_nothing(&page);
    for part in
        ["ft(8,3), but for 12 differences", "16 (proven)", "missing cable", "no credit loop"]
    {
        assert!(page.contains(part), "{part}");
    }
    // Stdout gets the same page in place of the text, and `--json` goes with a file.
    assert_eq!(done(["fabric", MESSY, "--save-html", "-"]), page);
    let (again, output) = written(&[MESSY, "--json", "--threads", "1"], 0);
    assert_eq!(again, page);
    assert!(output.json().is_object());
}

#[test]
fn the_page_of_a_thousand_hosts_is_small() {
    let folder = "instances/fabrics/ft16x3";
    let network = format!("{folder}/ibnetdiscover.out.gz");
    let (page, _) = written(&[&network, &format!("{folder}/dfsssp"), "--bisections", "5"], 0);
    elements(&page);
    assert_fetches_nothing(&page);
    assert!(page.len() < 3_000_000, "{}", page.len());
    // Two drawings: by subtree, and around the worst link.
    for part in
        ["id=\"set-1-network-h\"", "id=\"set-1-focus-h\"", "18 (proven)", "4 of them to a cell"]
    {
        assert!(page.contains(part), "{part}");
    }
}

#[test]
fn pages_of_other_networks_are_well_formed() {
    for (arguments, parts) in [
        (&["instances/fabrics/ndr542"][..], &["rail-optimised", "id=\"network-h\""][..]),
        (&["ft(4,2)", "--routing", "dmodk", "--routing", "omrmn"], &["id=\"set-2\""]),
        (&["instances/networks/topologyzoo/Abilene.graphml", "--routing", "ecmp"], &["irregular"]),
        (&["ft(4,1)"], &["1 switch"]),
        (
            &["ft(8,2)", "--routing", "ecmp", "--failures", "2", "--repair", "ecmp"],
            &["Most dangerous cables", "Most dangerous pairs of cables", ">4/3<", "and alike"],
        ),
    ] {
        let (page, _) = written(arguments, 0);
        elements(&page);
        assert_fetches_nothing(&page);
        for part in parts {
            assert!(page.contains(part), "{arguments:?}: {part}");
        }
    }
}

#[test]
fn a_refusal_is_on_the_page() {
    let folder = "instances/fabrics/ft8x3";
    let network = "instances/fabrics/ft8x3_messy/updn/ibnetdiscover.out.gz";
    let (page, _) = written(&[network, &format!("{folder}/minhop/opensm-lfts.dump.gz")], 1);
    elements(&page);
    assert!(page.contains("<strong>Refused:</strong>"));
}

#[test]
fn inputs_and_other_outputs_are_not_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    let copy = folder.path().join("ring.csv");
    fs::copy("instances/networks/examples/ring.csv", &copy).unwrap();
    let name = copy.to_str().unwrap();
    for (arguments, says) in [
        (&[name, "--routing", "ecmp", "--save-html", name][..], "would overwrite the input"),
        (&["ft(4,2)", "--json", "--save-html", "-"], "cannot both go to stdout"),
        (&["ft(4,2)", "--save-html", "/none/page.html"], "/none/page.html"),
    ] {
        let run = Run::of(&mut fabric(arguments)).expects(2);
        assert!(run.said().contains(says), "{run:?}");
    }
    assert_eq!(fs::read(&copy).unwrap(), fs::read("instances/networks/examples/ring.csv").unwrap());
}

/// Whether the work ends by itself or not.
#[cfg(unix)]
#[test]
fn a_stopped_run_leaves_a_whole_page() {
    let limits: &[f64] = if cfg!(feature = "slow-tests") { &[0.3, 1.5] } else { &[0.3] };
    for &limit in limits {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("page.html");
        let command = || {
            let mut command = fabric(&["ft(24,3)", "--routing", "random(seed=1)", "--save-html"]);
            command.arg(&file);
            command
        };
        stopped_knowing(command, How::Limit(limit), |output| {
            // Where there is no page, nothing but the options was read by then.
            assert!(file.exists() || output.stdout.is_empty(), "{output:?}");
            file.exists()
        });
        let page = fs::read_to_string(&file).unwrap();
        elements(&page);
        assert!(page.contains("<strong>Partial:</strong>"));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
