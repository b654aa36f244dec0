//! Layouts against hand calculation and against counts by definition; conservation of messages.

use std::collections::BTreeSet;

use super::mesh::{number, place};
use super::*;
use crate::topology::UniversalShape;

fn named(name: &str, hosts: usize) -> Layout {
    Layout::named(name, hosts, 1).unwrap()
}

/// λ of a step with host channels of one wire.
fn factor(layout: &Layout, growth: &str) -> String {
    let spec = format!("universal({},growth={growth})", layout.hosts());
    let shape = UniversalShape::named(&spec).unwrap().unwrap();
    layout.step_load_factor(shape.wires()).unwrap().to_string()
}

/// The most wires that leave a region, by level.
fn most(layout: &Layout) -> Vec<u64> {
    layout.crossings().into_iter().filter_map(|of_level| of_level.into_iter().max()).collect()
}

#[test]
fn a_square_by_hand() {
    // 0 1 4 5 / 2 3 6 7 / 8 9 12 13 / 10 11 14 15.
    let mesh = named("mesh2", 16);
    let row = |y: u32| [0, 1, 2, 3].map(|x| number([x, y, 0], 2));
    assert_eq!([row(0), row(1), row(3)], [[0, 1, 4, 5], [2, 3, 6, 7], [10, 11, 14, 15]]);
    assert_eq!(mesh.links()[..4], [[0, 1], [0, 2], [1, 3], [1, 4]]);
    // A processor inside has 4 neighbours, two side by side at most 2 + 2 + 1 links out, a quarter 4
    // and a half 4.
    assert_eq!(most(&mesh), [4, 5, 4, 4]);
    let square: u64 = mesh.step().map(|(_, _, count)| count).sum();
    assert_eq!(square, 48);
}

/// Wires 1, 2, 2, 4, 4, 8 and 1, 1, 2, 3, 4, 6; 1, 2, 4, 4, 8, 16 and 1, 2, 3, 4, 6, 10. At n = 64 the
/// levels of the square have 4, 6, 8, 10, 8 and 8 links at most, those of the cube 6, 9, 12, 12, 16, 16:
/// a region of 2 × 1 × 1 in a cube of side 4 lies at a side.
#[test]
fn load_factors_by_hand() {
    let square = named("mesh2", 64);
    assert_eq!(most(&square), [4, 6, 8, 10, 8, 8]);
    let cube = named("mesh3", 64);
    assert_eq!(most(&cube), [6, 9, 12, 12, 16, 16]);
    let of = |layout: &Layout, growths: [&str; 2]| growths.map(|growth| factor(layout, growth));
    assert_eq!(of(&named("mesh2", 4), ["double2", "sqrt2"]), ["2", "2"]);
    assert_eq!(of(&named("mesh2", 16), ["double2", "sqrt2"]), ["4", "5"]);
    assert_eq!(of(&square, ["double2", "sqrt2"]), ["4", "6"]);
    assert_eq!(of(&named("mesh3", 8), ["quadruple3", "cbrt4"]), ["3", "3"]);
    assert_eq!(of(&cube, ["quadruple3", "cbrt4"]), ["6", "6"]);
    assert_eq!(factor(&named("mesh3", 512), "cbrt4"), "6");
    assert_eq!(factor(&named("mesh3", 4096), "cbrt4"), "20/3");
}

#[test]
fn meshes_have_as_many_crossings_as_their_closed_form_says() {
    for (name, dimensions, most) in [("mesh2", 2, 5), ("mesh3", 3, 4)] {
        for bits in 1..=most {
            let mesh = named(name, 1 << (dimensions * bits));
            for (k, of_level) in (0..).zip(mesh.crossings()) {
                let closed = mesh_crossing(dimensions, bits, k);
                assert_eq!(of_level.into_iter().max(), Some(closed), "{name} {bits} {k}");
            }
        }
    }
}

/// A unit of surface inside the square or cube has one wire through it.
#[test]
fn meshes_fill_their_surfaces() {
    for (name, hosts) in [("mesh2", 256), ("mesh3", 4096)] {
        let mesh = named(name, hosts);
        assert_eq!(mesh.wires_per_surface(), Rational::ONE);
        let unit = u64::from(UNIT).pow(mesh.dimensions() - 1);
        for (crossings, surfaces) in mesh.crossings().iter().zip(&mesh.surfaces) {
            assert!(crossings.iter().zip(surfaces).all(|(c, surface)| c * unit <= *surface));
        }
    }
    // Twice as many wires leave every region.
    let double = named("mesh2", 16).with_wires(2).unwrap();
    assert_eq!((factor(&double, "double2"), double.wires()), ("8".to_string(), 2));
    assert!(double.clone().with_wires(0).is_err() && double.with_wires(1 << 21).is_err());
}

#[test]
fn places_are_numbers_of_interleaved_bits() {
    for dimensions in [2, 3] {
        for host in (0..1 << 18).step_by(37) {
            assert_eq!(number(place(host, dimensions), dimensions), host);
        }
    }
    // y2 x2 y1 x1 y0 x0.
    assert_eq!(place(0b11_01_10, 2), [0b110, 0b101, 0]);
}

/// By definition: a wire leaves a region if one of its ends is inside.
#[test]
fn crossings_of_small_geometric_networks_by_definition() {
    for (name, hosts) in [("geometric2", 64), ("geometric3", 64)] {
        for seed in 1..=5 {
            let network = Layout::named(name, hosts, seed).unwrap();
            for (k, of_level) in network.crossings().iter().enumerate() {
                for (region, count) in of_level.iter().enumerate() {
                    let inside: BTreeSet<Host> =
                        (index32(region << k)..index32((region + 1) << k)).collect();
                    let one =
                        |ends: &&[Host; 2]| inside.contains(&ends[0]) != inside.contains(&ends[1]);
                    assert_eq!(*count, network.links().iter().filter(one).count() as u64);
                }
            }
        }
    }
}

#[test]
fn geometric_networks_are_connected_and_of_bounded_degree() {
    for (name, hosts) in [("geometric2", 1024), ("geometric3", 512)] {
        let network = named(name, hosts);
        let mut degree = vec![0; hosts];
        network.links().iter().flatten().for_each(|end| degree[*end as usize] += 1);
        // A minimum spanning tree has at most 6 links at a point of the plane, 12 in space.
        let most = degree.iter().max().copied().unwrap();
        assert!(
            (2 * network.dimensions()..=6 * network.dimensions() - 6).contains(&most),
            "{most}"
        );
        assert!(network.links().windows(2).all(|two| two[0] < two[1]));
        assert!(network.links().iter().all(|[a, b]| a < b));
        let all = (1..host_number(hosts)).map(|d| (0, d, 1));
        assert_eq!(carry(&network, all, &Progress::silent()).unwrap().ledger.waiting(), 0);
        assert_ne!(network, Layout::named(name, hosts, 2).unwrap());
    }
}

#[test]
fn messages_are_carried_as_by_hand() {
    let quiet = Progress::silent();
    let mesh = named("mesh2", 16);
    // 0 to 15: three steps along each axis.
    let one = carry(&mesh, [(0, 15, 1)], &quiet).unwrap();
    assert_eq!((one.steps, one.hops, one.queue), (6, 6, 1));
    // Five messages over one link, one after the other; two at a time on two wires.
    let five = carry(&mesh, [(0, 1, 5), (3, 3, 9)], &quiet).unwrap();
    assert_eq!((five.steps, five.hops, five.queue), (5, 5, 5));
    let wide = mesh.clone().with_wires(2).unwrap();
    assert_eq!(carry(&wide, [(0, 1, 5)], &quiet).unwrap().steps, 3);
    // Both wait for the link from 4 to 5; that from 4 is there first and continues first.
    let meeting = carry(&mesh, [(1, 5, 1), (4, 5, 2)], &quiet).unwrap();
    assert_eq!((meeting.steps, meeting.queue), (3, 2));
    let step = carry(&mesh, mesh.step(), &quiet).unwrap();
    assert_eq!((step.steps, step.hops), (1, 48));
    assert_eq!(carry(&mesh, [], &quiet).unwrap().steps, 0);
    assert!(matches!(carry(&mesh, [(0, 16, 1)], &quiet), Err(LayoutError::UnknownHost { .. })));
}

/// What crosses the surface of a region did so on its wires: λ(M) ≤ t·λ of a step.
#[test]
fn load_factors_are_at_most_steps_times_that_of_one() {
    let shape = |layout: &Layout| {
        let spec = format!("universal({})", layout.hosts());
        UniversalShape::named(&spec).unwrap().unwrap()
    };
    for (name, hosts) in [("mesh2", 64), ("mesh3", 64), ("geometric2", 64), ("geometric3", 64)] {
        for seed in 0..20 {
            let network = Layout::named(name, hosts, seed).unwrap();
            let mut random = Streams::new(seed).at(0);
            let mut host = || random.random_range(0..host_number(hosts));
            let messages: Vec<(Host, Host, u64)> = (0..100).map(|_| (host(), host(), 1)).collect();
            let carried = carry(&network, messages.iter().copied(), &Progress::silent()).unwrap();
            let shape = shape(&network);
            let one = network.step_load_factor(shape.wires()).unwrap();
            let lambda = (0..network.height()).map(|k| {
                let leaves = |region: u32| {
                    let out = |(s, d, _): &&(Host, Host, u64)| s >> k == region && d >> k != region;
                    messages.iter().filter(out).count() as u64
                };
                let most = (0..index32(hosts >> k)).map(leaves).max().unwrap();
                Rational::new(most, shape.wires()[k as usize]).unwrap()
            });
            let lambda = lambda.max().unwrap();
            assert!(lambda <= &Rational::from(carried.steps) * &one, "{name} {seed}");
        }
    }
}

#[test]
fn what_is_no_layout_is_refused() {
    for (name, hosts, says) in [
        (
            "mesh3",
            256,
            "`mesh3` has a number of processors that is a power of 8, from 8 on; found 256",
        ),
        ("mesh2", 128, "a power of 4"),
        ("geometric2", 1, "a power of 4, from 4 on"),
        ("ring", 16, "unknown network `ring`: it is one of mesh2, mesh3"),
        ("mesh2", 1 << 22, "above the limit"),
    ] {
        let error = Layout::named(name, hosts, 1).unwrap_err().to_string();
        assert!(error.contains(says), "{error}");
    }
}
