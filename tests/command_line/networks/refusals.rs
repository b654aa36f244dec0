//! One file per reason to refuse it, with the place that the error has to name.

use routebound::import::{ImportError, ImportOptions, LinkModel, Problem, topology};
use routebound::topology::TopologyError;

use super::{import_text, import_with, instance, links, names};

/// The refusal of a text in which `^` marks the place that the error has to name.
fn refused(marked: &str) -> Problem {
    let at = marked.find('^').unwrap();
    let text = marked.replacen('^', "", 1);
    let before = &text[..at];
    let line = before.matches('\n').count() as u64 + 1;
    let column = before.len() - before.rfind('\n').map_or(0, |end| end + 1) + 1;
    let error = import_text(&text).unwrap_err();
    let ImportError::Place { problem, line: found, column: at, .. } = error else {
        unreachable!("{marked}: {error}")
    };
    assert_eq!((found, at), (line, column), "{marked}: {problem}");
    problem
}

macro_rules! refuses {
    ($marked:expr, $problem:pat) => {{
        let problem = refused($marked);
        assert!(matches!(problem, $problem), "{}: {problem:?}", $marked);
    }};
}

fn graphml(body: &str) -> String {
    format!(
        "<graphml><key id=\"k\" for=\"node\" attr.name=\"kind\"/>\n\
         <key id=\"g\" for=\"node\" attr.name=\"guid\"/><key id=\"l\" for=\"node\" attr.name=\"lid\"/>\n\
         <graph edgedefault=\"undirected\">\n{body}\n</graph></graphml>"
    )
}

#[test]
fn graphml_content() {
    let two = "<node id=\"a\"/><node id=\"b\"/><edge source=\"a\" target=\"b\"/>";
    refuses!(
        &graphml(&format!("{two}\n ^<node id=\"b\"/>")),
        Problem::DuplicateNode { first: 4, .. }
    );
    refuses!(
        &graphml(&format!("{two}\n^<edge source=\"a\" target=\"c\"/>")),
        Problem::UndeclaredNode { .. }
    );
    refuses!(
        &graphml(&format!("{two}^<edge source=\"a\"/>")),
        Problem::Missing { missing: "target", .. }
    );
    refuses!(&graphml(&format!("{two}^<node/>")), Problem::Missing { missing: "id", .. });
    refuses!(&graphml(&format!("{two}^<hyperedge/>")), Problem::Unsupported { .. });
    refuses!(
        &graphml("<node id=\"a\">^<graph edgedefault=\"directed\"/></node>"),
        Problem::Unsupported { .. }
    );
    refuses!("<graphml>\n ^<graph></graph></graphml>", Problem::Missing { .. });
    refuses!(
        &graphml(
            "<node id=\"a\"/><node id=\"b\"/>^<edge source=\"a\" target=\"b\" directed=\"x\"/>"
        ),
        Problem::Missing { .. }
    );
    let kind = |kind: &str| format!("<node id=\"x\"><data key=\"k\">{kind}</data></node>");
    refuses!(&graphml(&format!("{two}{}", kind("^router"))), Problem::Syntax { .. });
    let mixed = format!("^{two}{}", kind("host"));
    refuses!(&graphml(&mixed), Problem::MissingKind { .. });
    let switch = "<node id=\"s\"><data key=\"k\">switch</data></node>";
    let host = "<node id=\"h\"><data key=\"k\">host</data></node>";
    let other = host.replace("\"h\"", "\"i\"");
    let lonely = format!("{host}^{switch}{other}<edge source=\"h\" target=\"i\"/>");
    refuses!(&graphml(&lonely), Problem::NoHostBelow { .. });
    let address = |guid: &str, lid: &str| {
        format!(
            "<node id=\"a\"><data key=\"g\">{guid}</data><data key=\"l\">{lid}</data></node>\
             <node id=\"b\"/><edge source=\"a\" target=\"b\"/>"
        )
    };
    refuses!(&graphml(&address("^17", "1")), Problem::Syntax { .. });
    refuses!(&graphml(&address("0x17", "^x")), Problem::Syntax { .. });
    refuses!(&graphml(&address("0x17", "^50000")), Problem::BadLid { .. });
}

#[test]
fn damaged_xml() {
    for damaged in [
        "<graphml><graph edgedefault=\"directed\"><node id=\"a\"></graph>",
        "<graphml>&unknown;</graphml>",
        "<graphml></graphml><graphml></graphml>",
        "<graphml><graph edgedefault=\"directed\" edgedefault=\"directed\"/></graphml>",
        "<graphml><graph edgedefault=directed/></graphml>",
        "<graphml><!-- no end </graphml>",
        "<graphml>",
    ] {
        let error = import_text(damaged).unwrap_err();
        let malformed =
            matches!(&error, ImportError::Place { problem: Problem::Malformed { .. }, .. });
        assert!(malformed, "{damaged}: {error}");
    }
}

#[test]
fn sndlib_content() {
    let network = |links: &str| {
        format!(
            "<network><networkStructure><nodes><node id=\"a\"/><node id=\"b\"/></nodes>\n\
             <links>{links}</links></networkStructure></network>"
        )
    };
    refuses!(&network("\n^<link id=\"l\"><source>a</source></link>"), Problem::Missing { .. });
    refuses!(
        &network("<link><source>a</source><target>^c</target></link>"),
        Problem::UndeclaredNode { .. }
    );
    let native = |body: &str| {
        format!("?SNDlib native format; type: network; version: 1.0\nNODES ( a b ( 1 2 ) ) {body}")
    };
    refuses!(&native("LINKS ( l ( a b ) 0 0 0 0 ( 1 ^) )"), Problem::Syntax { .. });
    refuses!(&native("LINKS ( l ( a b ) 0 0 0 ^( 1 1 ) )"), Problem::Syntax { .. });
    refuses!(&native("LINKS ( l ^a b"), Problem::Syntax { .. });
    refuses!(&native("LINKS ( l ( a b ) 1 0 0 0 ( )^"), Problem::Syntax { .. });
    refuses!(&native("LINKS ^l"), Problem::Syntax { .. });
    refuses!(&native("META ( a = ( b )^"), Problem::Syntax { .. });
    refuses!(&native("LINKS ( l ( a ^c ) 1 0 0 0 ( ) )"), Problem::UndeclaredNode { .. });
    refuses!(&native("NODES ( ^a )"), Problem::DuplicateNode { first: 2, .. });
    refuses!("^?SNDlib native format; type: solution; version: 1.0\n", Problem::Syntax { .. });
}

/// Two links with the same id mean that the file was merged or edited wrongly.
#[test]
fn sndlib_links_have_ids_of_their_own() {
    let xml = std::fs::read_to_string(instance("examples/ring.sndlib.xml")).unwrap();
    let ids: Vec<&str> =
        xml.split("<link id=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
    let twice =
        xml.replacen(&format!("<link id=\"{}\"", ids[1]), &format!("<link id=\"{}\"", ids[0]), 1);
    assert_ne!(twice, xml);
    let error = import_text(&twice).unwrap_err().to_string();
    assert!(error.contains(&format!("link `{}` is already listed at line ", ids[0])), "{error}");
    refuses!(
        "?SNDlib native format; type: network; version: 1.0\nNODES (\n a ( 1 2 )\n b ( 1 2 )\n)\n\
         LINKS (\n l ( a b ) 1.0 0 0 0 ( )\n ^l ( a b ) 1.0 0 0 0 ( )\n)\n",
        Problem::DuplicateLink { first: 7, .. }
    );
}

#[test]
fn xml_that_only_looks_well_formed() {
    let graph = "<graphml><graph edgedefault=\"directed\"><node id=\"a\"/><node id=\"b\"/>\
                 <edge source=\"a\" target=\"b\"/></graph></graphml>";
    assert!(import_text(format!("<?xml version='1.0' encoding='UTF-8'?>{graph}")).is_ok());
    refuses!(&format!("^<?xml garbage?>{graph}"), Problem::Malformed { .. });
    refuses!(&format!("^<?xml version=\"1.0\" rubbish?>{graph}"), Problem::Malformed { .. });
    for zero in ["&#0;", "&#x0;", "&#1;", "\u{1}"] {
        let text = graph.replacen("<edge ", &format!("<data key=\"k\">{zero}</data><edge "), 1);
        let error = import_text(&text).unwrap_err().to_string();
        assert!(
            error.contains("line 1, column ") && error.contains("not well-formed XML"),
            "{error}"
        );
        let text = graph.replacen("id=\"a\"", &format!("id=\"a{zero}\""), 1);
        assert!(import_text(&text).is_err(), "{zero:?}");
    }
}

#[test]
fn lgf_content() {
    let nodes = "@nodes\nlabel name\n1 one\n2 \"number two\"\n";
    let read = |rest: &str| import_text(format!("{nodes}{rest}")).unwrap();
    let arcs = read("@arcs main\n capacity\n1 2 3\n");
    assert_eq!(
        (names(&arcs), links(&arcs)),
        (vec!["one", "number two"], vec!["one \"number two\" 3".replace('"', "")])
    );
    assert_eq!(read("@edges\ncap cost\n1 2 3 9\n").links(), 2);
    assert_eq!(read("@arcs\n-\n1 2\n2 1\n@attributes\nsource 1\n").links(), 2);
    // Both directions of an undirected link, each with its own capacity.
    let both = read("@edges\n+capacity -capacity\n1 2 3 4\n");
    assert_eq!(links(&both), ["one number two 3", "number two one 4"]);
    assert!(both.notes().iter().any(|note| note.contains("+capacity and -capacity")));

    refuses!("@nodes\n^name\na\n", Problem::Missing { missing: "column `label`", .. });
    refuses!(&format!("{nodes}^3\n"), Problem::Syntax { .. });
    refuses!(&format!("{nodes}^2 two\n"), Problem::DuplicateNode { first: 4, .. });
    refuses!(&format!("{nodes}^@faces\n"), Problem::Syntax { .. });
    refuses!(&format!("{nodes}^@nodes\nlabel\n3\n"), Problem::Unsupported { .. });
    refuses!(&format!("{nodes}@arcs\ncapacity\n^1 2\n"), Problem::Syntax { .. });
    refuses!(&format!("{nodes}@arcs\ncapacity\n1 2 ^x\n"), Problem::BadCapacity { .. });
    refuses!(&format!("{nodes}@arcs\n-\n1 ^3\n"), Problem::UndeclaredNode { .. });
    refuses!(&format!("{nodes}@arcs\n-\n1 ^\"2\n"), Problem::Syntax { .. });
}

#[test]
fn repetita_content() {
    let graph = |nodes: &str, edges: &str| {
        format!("NODES {nodes}\nEDGES {edges}").replace('|', "\nlabel x\n")
    };
    let two = "2|a 0 0\nb 0 0\n";
    refuses!(
        "NODES 3\nlabel x\na 0 0\nb 0 0\n\n^EDGES 0\nlabel x\n",
        Problem::RecordCount { announced: 3, found: 2, .. }
    );
    refuses!(&graph(two, "2|e 0 1 1 1 1\n^"), Problem::RecordCount { announced: 2, found: 1, .. });
    refuses!(&graph(two, "1|^e 0 1 1 1\n"), Problem::Syntax { .. });
    refuses!(&graph(two, "1|e ^x 1 1 1 1\n"), Problem::Syntax { .. });
    refuses!(&graph(two, "1|e 0 ^2 1 1 1\n"), Problem::UndeclaredNode { .. });
    refuses!(&graph(two, "^one|e 0 1 1 1 1\n"), Problem::Syntax { .. });
    refuses!(&graph("2|a 0 0\n^b 0 0 0\n", "0|"), Problem::Syntax { .. });
}

#[test]
fn dot_content() {
    refuses!("graph { a ^-> b }", Problem::Syntax { .. });
    refuses!("digraph { a ^-- b }", Problem::Syntax { .. });
    refuses!("graph { a -- ^; }", Problem::Syntax { .. });
    refuses!("graph {\n subgraph x ^; a -- b }", Problem::Syntax { .. });
    refuses!("graph {\n { a -- b ^", Problem::Syntax { .. });
    refuses!("graph { a -- b [x^] }", Problem::Syntax { .. });
    refuses!("graph { a -- b [x=1^", Problem::Syntax { .. });
    refuses!("graph { a -- b [x=^\"1] }", Problem::Syntax { .. });
    refuses!("graph { a -- b } ^c", Problem::Syntax { .. });
    refuses!("graph { a -- b [label=^<b] }", Problem::Syntax { .. });
    refuses!("graph { a -- b /* no end }^", Problem::Syntax { .. });
    refuses!("graph { a [type=^router]; a -- b }", Problem::Syntax { .. });
    refuses!("strict graph { a -- b; ^b -- a }", Problem::NotStrict { .. });
    refuses!("graph { a [type=host]; a -- ^b }", Problem::MissingKind { .. });
    assert!(import_text("strict digraph { a -> b; b -> a }").is_ok());
}

#[test]
fn json_content() {
    let network = |nodes: &str, links: &str| {
        format!("{{\"nodes\": [{{\"id\": 0}}{nodes}],\n\"links\": [{links}]}}")
    };
    refuses!(&network(", {\"id\": ^0}", ""), Problem::DuplicateNode { first: 1, .. });
    refuses!(&network(", {\"name\": ^\"x\"}", ""), Problem::Missing { missing: "id", .. });
    refuses!(&network(", {\"id\": ^[1]}", ""), Problem::Syntax { .. });
    refuses!(&network("", "{\"source\": 0, \"target\": ^1}"), Problem::UndeclaredNode { .. });
    refuses!(&network("", "{\"source\": ^0}"), Problem::Missing { missing: "target", .. });
    let problem = |text: &str| match import_text(text).unwrap_err() {
        ImportError::Place { problem, .. } => problem,
        error => unreachable!("{text}: {error}"),
    };
    for damaged in ["{", "{\"nodes\": [], \"links\": []} x"] {
        assert!(matches!(problem(damaged), Problem::Malformed { .. }), "{damaged}");
    }
    for other in [
        "{}",
        "{\"nodes\": []}",
        "{\"nodes\": 1, \"links\": []}",
        "{\"nodes\": [], \"links\": [1]}",
        "{\"nodes\": [{\"id\": 0, \"id\": 1}], \"links\": []}",
        "{\"nodes\": [], \"links\": [], \"directed\": 1}",
    ] {
        assert!(matches!(problem(other), Problem::OtherJson { .. }), "{other}");
    }
}

#[test]
fn edge_list_content() {
    refuses!("a b 1\n^c\n", Problem::Syntax { .. });
    refuses!("a b 1\n^a b 1 2\n", Problem::Syntax { .. });
    refuses!("a,b,1\na,^,1\n", Problem::Syntax { .. });
    refuses!("a,b,1\na,^\"c\"d,1\n", Problem::Syntax { .. });
    refuses!("a b 1\nb c 1\n^b a 1\n", Problem::SomeReversed { first: 1, .. });
    // Demands are not a network.
    let error = import_text("source,destination,demand\na,b,3\n").unwrap_err();
    assert!(matches!(error, ImportError::UnknownFormat { .. }), "{error}");
}

#[test]
fn ports_that_two_cables_share() {
    let refusal = |ports: [u32; 2]| {
        let link = |to: u32, port: u32| {
            format!(r#"{{"source": 0, "target": {to}, "from_port": {port}, "to_port": 1}}"#)
        };
        let links = [link(1, ports[0]), link(2, ports[1])].join(", ");
        let nodes = r#"{"id": 0}, {"id": 1}, {"id": 2}"#;
        import_text(format!(r#"{{"directed": true, "nodes": [{nodes}], "links": [{links}]}}"#))
    };
    assert!(refusal([1, 2]).is_ok());
    for (ports, says) in [([3, 3], "0[3] -> 1[1] and 0[3] -> 2[1]"), ([0, 1], "uses port 0")] {
        let error = refusal(ports).unwrap_err();
        assert!(matches!(error, ImportError::Topology(TopologyError::Invalid(_))), "{error}");
        assert!(error.to_string().contains(says), "{error}");
    }
}

#[test]
fn networks_without_links_or_hosts() {
    let invalid = |text: &str| {
        let error = import_text(text).unwrap_err();
        assert!(matches!(error, ImportError::Topology(TopologyError::Invalid(_))), "{error}");
    };
    invalid("graph { a; b }");
    invalid("a a 3\n");
    invalid("graph { a -- a }");
    invalid("?SNDlib native format; type: network; version: 1.0\nNODES ( a b ) LINKS ( )");
    let switches = "graph { node [type=switch]; a -- b }";
    let error = import_text(switches).unwrap_err().to_string();
    assert!(error.contains("host"), "{error}");
}

#[test]
fn directed_links_share_nothing() {
    let link_model = LinkModel::UndirectedShared;
    let options = ImportOptions { link_model, ..ImportOptions::default() };
    let refused = |result: Result<_, ImportError>| {
        let error = result.map(|_| ()).unwrap_err();
        assert!(matches!(error, ImportError::NothingShared { .. }), "{error}");
    };
    refused(topology(&instance("b4/B4.json"), &options));
    refused(topology("instances/fabrics/ft8x3/ftree/ibnetdiscover.out.gz", &options));
    refused(topology("ft(4,2)", &options));
    refused(import_with("a b\nb a\n", &options));
}
