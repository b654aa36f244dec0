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

/// The greatest difference in percent.
fn off(tree: &str, pattern: &str) -> f64 {
    let differences = over_printed(tree, pattern).map(|found| 100.0 * (found - 1.0).abs());
    differences.into_iter().fold(0.0, f64::max)
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
