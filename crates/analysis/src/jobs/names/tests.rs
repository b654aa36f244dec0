//! What names mean on small fabrics.

use super::*;
use crate::jobs::Hostlist;
use crate::rational::Rational;
use crate::topology::NetworkBuilder;

/// Names as a fabric has them, of one leaf.
fn fabric(names: &[&str]) -> Topology {
    let mut network = NetworkBuilder::new();
    let leaf = network.switch("leaf");
    for name in names {
        let host = network.host(*name);
        network.cable(host, leaf, Rational::ONE);
    }
    network.build("fabric").unwrap()
}

fn found(fabric: &Topology, text: &str) -> Result<String, String> {
    let nodes = Nodes::of(fabric);
    let names = NodeNames::new(fabric, &nodes);
    let listed = Hostlist::parse(text).unwrap().names().next().unwrap();
    match names.find(&listed) {
        Err(error) => Err(error.to_string()),
        Ok(None) => Err(names.unknown(&listed.name).to_string()),
        Ok(Some(found)) => {
            let all: Vec<_> = found.nodes.iter().map(|at| &nodes.nodes[*at].name[..]).collect();
            Ok(all.join(" ") + if found.by_label { " by label" } else { "" })
        }
    }
}

#[test]
fn names_mean_what_they_say() {
    let fabric = fabric(&[
        "dgx-1 mlx5_0",
        "dgx-1 mlx5_1",
        "dgx-02.site",
        "x*",
        "xy",
        "4",
        "u.a",
        "u.b",
        "v.a",
    ]);
    for (text, expected) in [
        ("dgx-1", "dgx-1"),
        ("dgx-1 mlx5_1", "dgx-1"),
        ("\"dgx-1 mlx5_1\"", "dgx-1"),
        ("0", "dgx-1"),
        ("1", "dgx-1"),
        ("2", "dgx-02.site"),
        ("08", "v.a"),
        ("\"4\"", "4"),
        ("x*", "x*"),
        ("x?", "x* xy"),
        ("*.a", "u.a v.a"),
        ("dgx-02", "dgx-02.site by label"),
        ("xy.site", "xy by label"),
        ("v", "v.a by label"),
    ] {
        assert_eq!(found(&fabric, text).as_deref(), Ok(expected), "{text}");
    }
    for (text, expected) in [
        ("9", "there is no host 9; hosts are numbered 0 to 8"),
        (
            "dgx-2",
            "there is no node `dgx-2` (did you mean `dgx-1`?): give one of the 8 nodes from `4` to `xy`, the full name of an adapter",
        ),
        ("nothing", "there is no node `nothing`: give"),
        ("\"x?\"", "there is no node `x?` (did you mean `x*`?)"),
        ("y*", "no node matches `y*`: `*` stands for any text"),
        ("u", "`u` may be `u.a`, `u.b`: give one of these names"),
        ("v.b", "there is no node `v.b` (did you mean"),
        ("xy.", "xy"),
    ] {
        let error = found(&fabric, text).unwrap_or_else(|error| error);
        assert!(error.starts_with(expected), "{text}: {error}");
    }
}

#[test]
fn names_of_several_nodes_are_refused() {
    let error = found(&fabric(&["a b c", "x", "a b c", "x", "x"]), "x").unwrap_err();
    assert_eq!(
        error,
        "3 nodes are called `x`: give the full name of an adapter, or one of the host numbers 1, 3, 4"
    );
    let long = format!("{}*", "a".repeat(MAX_PATTERN));
    let error = found(&fabric(&["x"]), &long).unwrap_err();
    assert!(error.starts_with("number of bytes of a pattern is 257"), "{error}");
}

#[test]
fn patterns_match_whole_names() {
    for (pattern, name, expected) in [
        ("*", "", true),
        ("?", "", false),
        ("a*", "a", true),
        ("*a*b", "xaabab", true),
        ("*a*b", "xaaba", false),
        ("?*é", "xé", true),
        ("a?c", "abc", true),
        ("a?c", "abbc", false),
        ("a**c", "ac", true),
    ] {
        assert_eq!(matches(pattern, name), expected, "{pattern} {name}");
    }
}
