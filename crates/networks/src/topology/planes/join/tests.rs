//! Hosts are matched by name, or the planes refused.

use super::*;

/// A switch with hosts of these names.
fn star(names: &[&str], capacity: u64) -> Topology {
    let mut network = NetworkBuilder::new();
    let switch = network.switch("sw");
    for name in names {
        let host = network.host(*name);
        network.cable(host, switch, Rational::from(capacity));
    }
    network.build("star").unwrap()
}

fn joined(planes: &[&[&str]], common: bool) -> Result<Topology, PlanesError> {
    let planes = planes.iter().map(|names| star(names, 1)).collect();
    Topology::of_planes("planes", planes, common)
}

/// In the order of the first plane; every host has a port on each, to a switch of each.
#[test]
fn hosts_are_matched_by_node_or_by_their_whole_names() {
    let names = |fabric: &Topology| {
        fabric.host_numbers().map(|host| fabric.node(host).name.clone()).collect::<Vec<_>>()
    };
    let fabric = joined(&[&["b mlx5_0", "a mlx5_0"], &["a mlx5_1", "b mlx5_1"]], false).unwrap();
    assert_eq!(names(&fabric), ["b", "a"]);
    let links: Vec<String> = fabric.link_numbers().map(|link| fabric.link_name(link)).collect();
    assert_eq!(links[0], "b[1] -> p1/sw[1]");
    assert!(links.contains(&"b[2] -> p2/sw[2]".to_string()), "{links:?}");
    for plane in fabric.planes() {
        for (own, link) in plane.topology.link_numbers().zip(plane.links(&fabric)) {
            let (own, found) =
                (plane.topology.ends(own).unwrap(), fabric.ends(link.unwrap()).unwrap());
            let name = |of: &Topology, node| of.node(node).name.clone();
            let [a, b] = [own.0, own.1].map(|node| name(&plane.topology, node));
            let [c, d] = [found.0, found.1].map(|node| name(&fabric, node));
            assert!(
                a.starts_with(&c) && d == format!("{}{b}", plane.prefix)
                    || c.ends_with(&a) && b.starts_with(&d)
            );
        }
    }
    let note = "hosts are the same on all planes where the first words of their names are, such as `b` of `b mlx5_0`";
    assert_eq!(fabric.notes().last().map(String::as_str), Some(note));
    let rails: &[&str] = &["a mlx5_0", "a mlx5_1"];
    let fabric = joined(&[rails, rails], false).unwrap();
    assert_eq!(names(&fabric), rails);
    assert!(!fabric.notes().iter().any(|note| note.contains("words")));
}

/// A switch that serves nothing but hosts that are left out is named.
#[test]
fn switches_of_hosts_left_out_are_refused() {
    let mut network = NetworkBuilder::new();
    for (switch, hosts) in [("x", &["a", "b"][..]), ("y", &["m"])] {
        let switch = network.switch(switch);
        for host in hosts {
            let host = network.host(*host);
            network.cable(host, switch, Rational::ONE);
        }
    }
    let planes = vec![network.build("two switches").unwrap(), star(&["a", "b"], 1)];
    let error = Topology::of_planes("planes", planes, true).unwrap_err().to_string();
    assert!(
        error.starts_with("switch `p1/y` serves only hosts that are left out: give"),
        "{error}"
    );
}

#[test]
fn hosts_that_do_not_match_are_refused() {
    for (planes, says) in [
        (vec![&["a", "b"][..]], "takes the files of two planes or more"),
        (vec![&["a", "b"], &["a", "c"]], "plane 2 has no host `b` that plane 1 has"),
        (
            vec![&["a", "b"], &["a", "b"], &["a", "b", "c"]],
            "plane 1 has no host `c` that plane 3 has",
        ),
        (vec![&["a", "b"], &["a", "a"]], "plane 2 has two hosts `a`"),
        (vec![&["a x0", "a x1"], &["a x2", "a x3"]], "plane 1 has two hosts `a`: give the ports"),
    ] {
        let error = joined(&planes, false).unwrap_err().to_string();
        assert!(error.contains(says), "{error}");
    }
    assert_eq!(joined(&[&["a"], &["b"]], true).unwrap_err(), PlanesError::NothingInCommon);
    let fabric = joined(&[&["a", "b", "m"], &["n", "b", "a"]], true).unwrap();
    assert_eq!((fabric.hosts(), fabric.links()), (2, 8));
    let note = fabric.notes().last().unwrap();
    assert_eq!(note, "left out 2 hosts that not all planes have, such as `m`, which plane 2 lacks");
}

/// 200 and 400 Gbit/s are 1 and 2; a plane without speeds has no place beside them.
#[test]
fn capacities_are_in_the_unit_of_the_first_plane() {
    let of = |unit: Option<u64>| star(&["a", "b"], 1).with_unit(unit.map(Rational::from));
    let fabric = Topology::of_planes("x", vec![of(Some(200)), of(Some(400))], false).unwrap();
    let mut capacities: Vec<_> =
        fabric.link_numbers().map(|link| &fabric.link(link).capacity).collect();
    capacities.sort_unstable();
    let (one, two) = (Rational::ONE, Rational::from(2));
    assert_eq!(capacities, [&one, &one, &one, &one, &two, &two, &two, &two]);
    let error = Topology::of_planes("x", vec![of(Some(200)), of(None)], false).unwrap_err();
    assert!(error.to_string().contains("speeds of plane 2 are not known"), "{error}");
}
