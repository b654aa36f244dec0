//! Lists of links and hosts, and paths by the names of their nodes.
#![expect(clippy::unwrap_used, reason = "helpers of tests fail by panicking")]

use std::fs;

use routebound::rational::Rational;
use serde_json::Value;

use crate::program::{done, json, refused};

const FABRIC: &str = "instances/fabrics/ft8x3_messy/updn/ibnetdiscover.out.gz";
const TABLES: &str = "lft:instances/fabrics/ft8x3_messy/updn/opensm-lfts.dump.gz";
const PLAFRIM: &str = "instances/fabrics/plafrim/ib-subnet-fe80_0000_0000_0000.txt";

/// The rows of a list as JSON.
fn rows(line: &str) -> Vec<Value> {
    done(line).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn ratio(row: &Value, side: &str) -> Rational {
    row[side].as_str().unwrap().parse().unwrap()
}

/// The first link has the oblivious ratio, and none is listed before a more endangered one.
#[test]
fn links_are_listed_by_ratio() {
    for instance in ["ft(8,2) dmodk".to_string(), format!("{FABRIC} {TABLES}")] {
        let rows = rows(&format!("ratio {instance} --links=json"));
        let known = json(format!("ratio {instance}"));
        let most = |row: &Value| ratio(row, "ratio_at_most");
        assert_eq!(most(&rows[0]).to_string(), known["oblivious_ratio"]["upper"]);
        assert!(rows.iter().all(|row| ratio(row, "ratio_at_least") <= most(row)));
        assert!(rows.windows(2).all(|pair| most(&pair[0]) >= most(&pair[1])));
        let worst =
            rows.iter().find(|row| row["link"] == known["witness"]["worst_link_id"]).unwrap();
        assert_eq!(worst["ratio_at_least"], known["oblivious_ratio"]["lower"]);
        let csv = done(format!("ratio {instance} --links=csv"));
        assert!(
            csv.starts_with("link,name,level,direction,capacity,ratio_at_least,ratio_at_most\n")
        );
        assert_eq!(csv.lines().count(), rows.len() + 1);
        assert_eq!(done(format!("ratio {instance} --links")).lines().count(), rows.len() + 1);
    }
    // Beside a list in a file, the result is printed.
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("links.csv").display().to_string();
    let text = done(format!("ratio ft(4,2) dmodk --links=csv --output {file}"));
    assert!(text.contains("oblivious ratio         2 (proven)"), "{text}");
    assert_eq!(fs::read_to_string(file).unwrap(), done("ratio ft(4,2) dmodk --links=csv"));
    refused("ratio ft(64,6) dmodk --engine by-digits --links", "`--links`");
}

#[test]
fn networks_list_their_links_and_hosts() {
    let links = rows(&format!("topo {PLAFRIM} --links=json"));
    let hosts = rows(&format!("topo {PLAFRIM} --hosts=json"));
    let known = json(format!("topo {PLAFRIM}"));
    assert_eq!(Value::from(links.len()), known["links"]);
    assert_eq!(Value::from(hosts.len()), known["hosts"]);
    let slow = links.iter().filter(|link| link["capacity"] == "1/4");
    assert_eq!(slow.count(), 12);
    assert_eq!(hosts[2]["name"], "fourmi002 HCA-1");
    assert_eq!(hosts[2]["joined_to"], "Voltaire 4036 # 4036-8524");
    assert_eq!((&hosts[2]["host"], &hosts[2]["sends_at_most"]), (&Value::from(2), &"1".into()));
    let csv = done("topo ft(4,2) --links=csv");
    let head = "link,name,level,direction,capacity,from,from_port,to,to_port";
    assert_eq!(csv.lines().next(), Some(head));
    assert!(csv.contains("16,sw-1-0[3] -> sw-2-0[1],2,up,1,sw-1-0,3,sw-2-0,1\n"), "{csv}");
    refused("topo ft(4,2) --links --hosts", "cannot be used with");
    refused("topo ft(4,2) --output x", "--links");
}

/// Odd capacities are listed where they are few.
#[test]
fn slow_links_are_named() {
    let text = done(format!("topo {PLAFRIM}"));
    let slow = text.lines().filter(|line| line.starts_with("  1/4: "));
    assert_eq!(slow.count(), 6, "{text}");
    assert!(!text.contains("  1/2: "), "{text}");
}

/// Tables of paths name nodes, and are read with or without the numbers of links.
#[test]
fn paths_have_the_names_of_their_nodes() {
    let folder = tempfile::tempdir().unwrap();
    let [both, nodes] = ["both.csv", "nodes.csv"].map(|name| folder.path().join(name));
    done(format!("route ft(4,2) dmodk --paths --output {}", both.display()));
    let text = fs::read_to_string(&both).unwrap();
    assert!(
        text.contains("0,2,1,0 16 26 10,host-0 > sw-1-0 > sw-2-0 > sw-1-1 > host-2\n"),
        "{text}"
    );
    // Without the fourth column.
    let without = |line: &str| {
        let cells: Vec<&str> = line.split(',').collect();
        [&cells[..3], &cells[4..]].concat().join(",") + "\n"
    };
    fs::write(&nodes, text.lines().map(without).collect::<String>()).unwrap();
    for file in [both, nodes] {
        let found = json(format!("ratio ft(4,2) table:{}", file.display()));
        assert_eq!(found["oblivious_ratio"]["upper"], "2");
    }
}

#[test]
fn a_beginning_of_a_name_is_enough_on_the_command_line() {
    let tables = PLAFRIM.replace("ib-subnet-", "ibroutes-").replace(".txt", "");
    let pair = |s: &str, d: &str| format!("route {PLAFRIM} lft:{tables} --pair {s} {d}");
    let text = done(pair("fourmi002", "devel01"));
    assert!(text.starts_with("\"fourmi002 HCA-1\" (host 2) to \"devel01 HCA-1\""), "{text}");
    refused(pair("fourmi", "devel01"), "`fourmi` may be `fourmi");
    refused(pair("fourni002", "devel01"), "there is no host `fourni002`");
}
