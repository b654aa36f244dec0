//! Weights of links: where each format has them, that they travel with links, and that they are said.

use routebound::import::{ImportOptions, LinkModel};
use routebound::topology::Topology;
use routebound::{failure, routing};

use super::{import_text, import_with};

/// The weight of every link, in its order.
fn weights(network: &Topology) -> Vec<String> {
    let links = network.link_numbers();
    links.filter_map(|link| Some(network.weight(link)?.to_string())).collect()
}

fn read(text: &str) -> Topology {
    import_text(text).unwrap()
}

const LGF: &str = "@nodes\nlabel\n1\n2\n3\n@edges\n  +capacity -capacity +cost -cost\n1 2 8 8 3 1/2\n2 3 8 8 4 4\n";

/// The same network with these three columns.
fn lgf(columns: &str) -> String {
    format!("@nodes\nlabel\n1\n2\n3\n@edges\n  {columns}\n1 2 8 3 1/2\n2 3 8 4 4\n")
}

#[test]
fn every_format_with_weights() {
    let repetita = "NODES 2\nlabel x y\na 0 0\nb 0 0\n\nEDGES 2\nlabel src dest weight bw delay\n\
                    e 0 1 2.5 9 1\nf 1 0 7 9 1\n";
    assert_eq!(weights(&read(repetita)), ["5/2", "7"]);
    assert_eq!(weights(&read(LGF)), ["3", "1/2", "4", "4"]);
    assert_eq!(weights(&read(&lgf("capacity cost title"))), ["3", "3", "4", "4"]);
    for columns in ["capacity cost weight", "capacity weight cost"] {
        let expected = if columns.ends_with("cost") { ["1/2", "1/2"] } else { ["3", "3"] };
        assert_eq!(weights(&read(&lgf(columns)))[..2], expected, "{columns}");
    }
    let graphml = r#"<graphml><key id="w" for="edge" attr.name="weight" attr.type="double">
        <default>6</default></key><graph edgedefault="directed"><node id="a"/><node id="b"/>
        <edge source="a" target="b"><data key="w">1e1</data></edge>
        <edge source="b" target="a"/></graph></graphml>"#;
    assert_eq!(weights(&read(graphml)), ["10", "6"]);
    let json = r#"{"nodes": [{"id": 0}, {"id": 1}], "links": [{"source": 0, "target": 1, "weight": 0.1}]}"#;
    assert_eq!(weights(&read(json)), ["1/10", "1/10"]);
    // About the drawing, or of another program.
    assert_eq!(weights(&read("graph { a -- b [weight=0, cost=0] }")), [""; 0]);
    assert_eq!(weights(&read("graph { a -- b [weight=0, link_weight=3] }")), ["3", "3"]);
}

#[test]
fn a_link_that_shares_its_capacity_has_its_weight_in_parts() {
    let options =
        ImportOptions { link_model: LinkModel::UndirectedShared, ..ImportOptions::default() };
    assert_eq!(
        weights(&import_with(lgf("capacity cost title"), &options).unwrap()),
        [["1"; 5], ["4/3"; 5]].concat()
    );
}

#[test]
fn parallel_links_of_different_weights_stay_apart() {
    let text = "@nodes\nlabel\n1\n2\n@edges\n  capacity cost\n1 2 1 5\n1 2 2 5\n1 2 4 7\n";
    let merged = read(text).merge_cables();
    let capacity = |link| merged.link(link).capacity.to_string();
    let found: Vec<String> = merged.link_numbers().map(capacity).collect();
    assert_eq!(
        (found, weights(&merged)),
        (
            ["3", "3", "4", "4"].map(String::from).into(),
            vec!["5".into(), "5".into(), "7".into(), "7".to_string()]
        )
    );
}

#[test]
fn what_remains_after_a_failure_keeps_its_weights() {
    let text = "@nodes\nlabel\n1\n2\n3\n@edges\n  cost\n1 2 5\n2 3 6\n3 1 1\n";
    let network = read(text);
    let cables = failure::listed_cables(&network, "1 3").unwrap();
    let left = failure::fail(&network, routing::build("ecmp", &network).unwrap().into(), &cables);
    let left = left.unwrap();
    assert_eq!(weights(left.topology()), ["5", "5", "6", "6"]);
    assert_eq!(left.routing().spec(), "ecmp(weights=file)");
}

#[test]
fn weights_are_said() {
    let of = |text: &str| read(text).notes().join("; ");
    assert!(of(LGF).contains("links have weights, from 1/2 to 4"));
    let equal = LGF.replace("3 1/2", "4 4");
    assert!(
        of(&equal)
            .contains("links have weights, all 4: shortest paths by weight are those by hops")
    );
    let shared =
        ImportOptions { link_model: LinkModel::UndirectedShared, ..ImportOptions::default() };
    let text = "@nodes\nlabel\n1\n2\n@edges\n  cost\n1 2 4\n";
    let of_shared = |text: &str| import_with(text, &shared).unwrap().notes().join("; ");
    assert!(of_shared(text).contains("weights, all 4: shortest paths by weight are those by hops"));
    // The other link is three, of a third each.
    let mixed = of_shared(&format!("{text}@arcs\n  cost\n2 1 4\n"));
    assert!(mixed.contains("weights, all 4") && !mixed.contains("by hops"), "{mixed}");
    assert!(!of(&lgf("capacity title note")).contains("weight"));
}

/// A file is no worse for weights that cannot be used: as it was read before they were.
#[test]
fn weights_that_some_links_lack_are_ignored() {
    let repetita = |weight: &str| {
        format!(
            "NODES 2\nlabel x\na 0 0\nb 0 0\nEDGES 2\nlabel x\ne 0 1 4 9 1\nf 1 0 {weight} 9 1\n"
        )
    };
    let json = |link: &str| {
        format!(
            "{{\"nodes\": [{{\"id\": 0, \"weight\": {{}}}}, {{\"id\": 1}}],\n\"links\": [\n\
             {{\"source\": 0, \"target\": 1, \"weight\": 2}},\n\
             {{\"source\": 1, \"target\": 0{link}}}]}}"
        )
    };
    let graphml = |data: &str| {
        format!(
            "<graphml><key id=\"w\" for=\"edge\" attr.name=\"weight\" attr.type=\"double\"/>\n\
             <graph edgedefault=\"undirected\"><node id=\"a\"/><node id=\"b\"/>\n\
             <edge source=\"a\" target=\"b\"><data key=\"w\">2</data></edge>\n\
             <edge source=\"a\" target=\"b\">{data}</edge></graph></graphml>"
        )
    };
    let sections = "@nodes\nlabel\n1\n2\n@edges\n  cost\n1 2 3\n@arcs\n-\n1 2\n";
    for (text, reason) in [
        (repetita("0"), "(line 8: weight `0` is zero)"),
        (repetita("-3"), "(line 8: bad weight: "),
        (json(""), "(the link at line 4 has none)"),
        (json(", \"weight\": null"), "(the link at line 4 has none)"),
        (json(", \"weight\": [1, 2]"), "(the link at line 4 has none)"),
        (json(", \"weight\": {\"ms\": 1}"), "(the link at line 4 has none)"),
        (json(", \"weight\": true"), "(line 4: bad weight: "),
        // As igraph writes what is missing.
        (graphml("<data key=\"w\">NaN</data>"), "(line 4: bad weight: "),
        (graphml(""), "(the link at line 4 has none)"),
        ("graph {\na -- b [link_weight=3]\na -- b }".into(), "(the link at line 3 has none)"),
        (sections.into(), "(the link at line 10 has none)"),
        (sections.replace("-\n1 2", "cost\n1 2 0.0"), "(line 10: weight `0.0` is zero)"),
    ] {
        let network = read(&text);
        let notes = network.notes().join("; ");
        assert!(notes.contains(&format!("link weights are ignored {reason}")), "{text}\n{notes}");
        assert!(notes.contains("): ecmp and ksp count hops"), "{notes}");
        assert_eq!(weights(&network), [""; 0], "{text}");
        assert_eq!(routing::build("ecmp", &network).unwrap().spec(), "ecmp");
        for spec in ["ecmp(weights=file)", "ksp(weights=file)"] {
            let refused = routing::build(spec, &network).err().unwrap().to_string();
            assert!(refused.contains("not all its links have a positive weight"), "{refused}");
        }
    }
}

/// Columns of costs leave the direction of links to the section.
#[test]
fn signed_costs_go_with_signed_capacities() {
    let text = "@nodes\nlabel\n1\n2\n@edges\n  capacity +cost -cost\n1 2 8 3 1/2\n";
    let network = read(text);
    assert_eq!((network.links(), weights(&network)), (2, vec![]));
    assert!(network.notes().iter().all(|note| !note.contains("two directions")));
    assert_eq!(read(&text.replace("+cost -cost", "+cost title")).links(), 2);
}
