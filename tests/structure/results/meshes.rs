//! What is found about the meshes of \[OR\], against the committed means.

use super::results;

/// The printed means of D-mod-k and OSRM, in Tables II and III.
const PRINTED: [(&str, &str, [f64; 2]); 6] = [
    ("ft(32,2)", "2d", [1.88, 1.74]),
    ("ft(8,3)", "2d", [1.64, 1.63]),
    ("ft(16,3)", "2d", [2.83, 2.83]),
    ("ft(32,2)", "3d", [2.34, 2.14]),
    ("ft(8,3)", "3d", [2.04, 1.99]),
    ("ft(16,3)", "3d", [2.48, 2.43]),
];

/// The means of D-mod-k and OSRM for a mesh, over the printed ones.
fn over_printed(tree: &str, pattern: &str) -> [f64; 2] {
    let mut reader = csv::Reader::from_path(results().join("or/definitions/table.csv")).unwrap();
    let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    let of_mesh = rows.iter().filter(|row| &row[0] == tree && &row[1] == pattern);
    let means: Vec<f64> = of_mesh.map(|row| row[4].parse().unwrap()).collect();
    let kind = &pattern[4 + usize::from(pattern.starts_with('t'))..][..2];
    let (.., printed) = PRINTED.iter().find(|known| (known.0, known.1) == (tree, kind)).unwrap();
    [means[0] / printed[0], means[1] / printed[1]]
}

/// The maximum difference in percent.
fn off(tree: &str, pattern: &str) -> f64 {
    let differences = over_printed(tree, pattern).map(|found| 100.0 * (found - 1.0).abs());
    differences.into_iter().fold(0.0, f64::max)
}

/// What the page says of a mesh: with which printed means it agrees.
fn agrees(tree: &str, pattern: &str) -> String {
    let page = std::fs::read_to_string(results().join("or/definitions/README.md")).unwrap();
    let section = page.split("\n## ").find(|text| text.starts_with(&tree.to_uppercase())).unwrap();
    let mut lines = section.lines().map(|line| line.split('|').map(str::trim).collect::<Vec<_>>());
    lines.find(|cells| cells.get(2) == Some(&pattern)).unwrap()[7].to_string()
}

#[test]
fn the_findings_on_meshes_that_agree_hold() {
    let both = |tree, pattern| agrees(tree, pattern) == "**both**";
    assert!(both("ft(16,3)", "mesh2d(32,32)") && both("ft(16,3)", "torus2d(32,32)"));
    // Nothing else in two dimensions is within 3 % of a printed mean on the other trees.
    let others = [
        ("ft(32,2)", &["16,32", "22,22", "2,256", "4,128"][..]),
        ("ft(8,3)", &["8,16", "11,11", "2,64", "4,32"][..]),
    ];
    for (tree, sizes) in others {
        let far =
            |pattern: &str| over_printed(tree, pattern).iter().all(|of| (of - 1.0).abs() > 0.03);
        for size in sizes {
            assert!(far(&format!("mesh2d({size})")), "{tree} {size}");
        }
        for size in &sizes[..2] {
            assert!(far(&format!("torus2d({size})")), "{tree} {size}");
        }
    }
    for (tree, side) in [("ft(32,2)", 16), ("ft(8,3)", 8)] {
        let torus = over_printed(tree, &format!("torus2d({side},{side})"));
        assert!(torus.iter().all(|of| (of - 1.0).abs() > 0.03), "{tree}");
    }
    assert_eq!(agrees("ft(32,2)", "mesh2d(16,16)"), "D-mod-k only");
    assert!(both("ft(8,3)", "mesh2d(8,8)"));
    // Three dimensions: as cubic as N allows, and floor(cbrt N) cubed, which is the same on FT(32,2).
    assert!(both("ft(32,2)", "torus3d(8,8,8)") && both("ft(16,3)", "torus3d(8,8,16)"));
    assert_eq!(agrees("ft(8,3)", "torus3d(4,4,8)"), "OSRM only");
    assert!(both("ft(8,3)", "torus3d(5,5,5)") && both("ft(16,3)", "torus3d(10,10,10)"));
    for (tree, size) in [
        ("ft(32,2)", "8,8,8"),
        ("ft(8,3)", "4,4,8"),
        ("ft(8,3)", "5,5,5"),
        ("ft(16,3)", "8,8,16"),
        ("ft(16,3)", "10,10,10"),
        ("ft(16,3)", "4,16,16"),
    ] {
        assert_eq!(agrees(tree, &format!("mesh3d({size})")), "no", "{tree} {size}");
    }
    assert!(both("ft(32,2)", "mesh3d(2,16,16)") && both("ft(8,3)", "mesh3d(2,8,8)"));
}

#[test]
fn the_findings_on_meshes_hold() {
    // Two dimensions.
    assert!(off("ft(16,3)", "mesh2d(32,32)") < 3.0 && off("ft(16,3)", "torus2d(32,32)") < 3.0);
    assert!(off("ft(8,3)", "mesh2d(8,8)") < 3.0 && off("ft(8,3)", "torus2d(8,8)") > 8.0);
    let [mlid, osrm2] = over_printed("ft(32,2)", "mesh2d(16,16)");
    assert!((mlid - 1.0).abs() < 0.003 && osrm2 > 1.09, "{mlid} {osrm2}");
    for other in ["mesh2d(16,32)", "mesh2d(22,22)", "mesh2d(2,256)", "mesh2d(4,128)"] {
        assert!(off("ft(32,2)", other) > 20.0, "{other}");
    }
    let inverse =
        over_printed("ft(32,2)", "mesh2d(16,32)").map(|found| format!("{:.2}", 1.0 / found));
    assert_eq!(inverse, ["0.73", "0.75"]);
    // Divided by 5 in place of 4.
    let fifths = |tree, pattern| over_printed(tree, pattern).map(|found| found * 0.8 - 1.0);
    assert!(fifths("ft(8,3)", "mesh2d(8,16)").iter().all(|off| off.abs() < 0.03));
    assert!(fifths("ft(32,2)", "mesh2d(16,32)").iter().all(|off| off.abs() > 0.06));
    // Three dimensions, as cubic as N allows, and others.
    for (tree, size, within) in
        [("ft(32,2)", "8,8,8", 3.0), ("ft(8,3)", "4,4,8", 3.5), ("ft(16,3)", "8,8,16", 3.0)]
    {
        assert!(off(tree, &format!("torus3d({size})")) < within, "{tree}");
        assert!(off(tree, &format!("mesh3d({size})")) > 6.0, "{tree}");
    }
    assert!(off("ft(16,3)", "mesh3d(4,16,16)") > 6.0);
    assert!(off("ft(32,2)", "mesh3d(2,16,16)") < 3.0 && off("ft(8,3)", "mesh3d(2,8,8)") < 3.0);
}
