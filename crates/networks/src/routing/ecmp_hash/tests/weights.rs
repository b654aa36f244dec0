//! Weights of next hops from a file.

use super::*;
use crate::failure;

/// A file of weights, with this spec of it.
fn weights(folder: &tempfile::TempDir, rows: &str) -> String {
    let file = folder.path().join("w.csv");
    std::fs::write(&file, format!("# x\nswitch,next,weight\n{rows}")).unwrap();
    format!("split=\"{}\"", file.display())
}

/// By hand, of 256 hashes that are even modulo powers of two: 3 and 1 of 4 buckets; 2 and 6 are the same; of 8 buckets
/// for 3, 2 and 1 the first ends at 8·3/6 = 4, the second at 8·5/6, rounded to 7; weight 0 is not used, and switches
/// without rows are even. Of two cables to a neighbour each has its weight: buckets 0 and 1 of 4 are theirs, 2 and 3
/// the others'.
#[test]
fn weights_by_hand_divide_the_flows() {
    let folder = tempfile::tempdir().unwrap();
    let two = fabric(&[4, 12]);
    let split = |rows: &str| weights(&folder, rows);
    assert_eq!(shares(&split("a,s0,3\na,s1,1\n"), &two), [192, 64]);
    assert_eq!(shares(&split("a, s1, 2\na, s0, 6\n"), &two), [192, 64]);
    assert_eq!(shares(&split("a,s0,0\na,s1,7\n"), &two), [256]);
    assert_eq!(shares(&split("b,s0,3\nb,s1,1\n"), &two), [128, 128]);
    let three = fabric(&[1, 1, 1]);
    let rows = split("a,s0,3\na,s1,2\na,s2,1\n");
    assert_eq!(shares(&format!("{rows},buckets=8"), &three), [128, 96, 32]);
    let rows = split("a,s0,1\na,s1,0\na,s2,3\n");
    assert_eq!(shares(&rows, &three), [64, 192]);
    let mut network = NetworkBuilder::new();
    let hosts = ["h0", "h1"].map(|host| network.host(host.to_string()));
    let [leaf, other, spine] = ["a", "b", "s0"].map(|name| network.switch(name));
    network.cable(hosts[0], leaf, Rational::ONE);
    network.cable(hosts[1], other, Rational::ONE);
    let second = network.switch("s1");
    for (from, to) in
        [(leaf, spine), (leaf, spine), (leaf, second), (spine, other), (second, other)]
    {
        network.cable(from, to, Rational::ONE);
    }
    let network = network.build("cables").unwrap();
    let spec = format!("ecmp-hash(flows=256,ports=49152,{})", split("a,s0,1\na,s1,2\n"));
    let routing = build(&spec, &network).unwrap();
    let found: Vec<String> =
        paths(&*routing, 0, 1).iter().map(|(share, _)| share.to_string()).collect();
    assert_eq!(found, ["1/4", "1/4", "1/2"]);
    // The spec names the file, and is read back.
    assert_eq!(build(routing.spec(), &network).unwrap().spec(), routing.spec());
    Instance::trusted(network, routing).check_paths(&Progress::silent()).unwrap();
}

#[test]
fn bad_weights_are_refused() {
    let (two, folder) = (fabric(&[4, 12]), tempfile::tempdir().unwrap());
    for (rows, says) in [
        ("", "w.csv, line 1: there are no rows"),
        ("a,s0\n", "line 3: 2 columns, expected switch,next,weight"),
        ("leaf,s0,1\n", "line 3: switch is `leaf`, no node of the network"),
        ("a,s,1\n", "line 3: next is `s`, no node of the network (did you mean `s0`?)"),
        ("a,s0,1/2\n", "line 3: weight is `1/2`, expected an integer from 0 to 4294967296"),
        ("a,s0,4294967297\n", "line 3: weight is `4294967297`, expected"),
        ("a,s0,1\na,s0,5\n", "line 4: line 3 already gives this next hop a weight"),
        (
            "a,s0,1\na,s1,1\na,h0,1\n",
            "line 5: `h0` is not one of the next hops among which `a` chooses, which are `s0`, `s1`",
        ),
        ("s0,a,1\n", "among which `s0` chooses, of which it has none: remove the row"),
        (
            "b,s0,1\nb,s1,1\na,s1,1\n",
            "line 5: `a` has rows, but none for its next hop `s0`: give it a weight, 0 if it is not used",
        ),
        (
            "a,s0,0\na,s1,0\n",
            "line 3: all next hops of `a` to `h2` have weight 0: give one a weight above 0",
        ),
        ("a,s0,1\na,s1,70000\n", "buckets of a switch, by weights is 70001, above the limit of"),
    ] {
        let spec = format!("ecmp-hash({})", weights(&folder, rows));
        let error = build(&spec, &two).err().unwrap().to_string();
        assert!(error.contains(says), "{rows}: {error}");
    }
    let few = weights(&folder, "a,s0,1\na,s1,100\n");
    let error = build(&format!("ecmp-hash({few},buckets=20)"), &two).err().unwrap().to_string();
    assert!(error.contains("gets none of the 20 buckets: use more buckets"), "{error}");
    for (split, says) in [
        ("capactiy", "`split=capactiy` is neither equal, nor capacity, nor a file"),
        ("no/such.csv", "no/such.csv: no such file"),
    ] {
        let error = build(&format!("ecmp-hash(split={split})"), &two).err().unwrap().to_string();
        assert!(error.contains(says), "{error}");
    }
}

/// Spine s0 of three is gone: weights 2 and 1 are left of 3, 2 and 1, so that two thirds of the flows take s1: of three
/// buckets. The row of s0 is not used; of the cable that is left to h2, too.
#[test]
fn flows_are_divided_among_the_next_hops_that_are_left() {
    let (three, folder) = (fabric(&[1, 1, 1]), tempfile::tempdir().unwrap());
    let all = failure::between_switches(&three);
    let to_s0 = all.into_iter().filter(|cable| cable.name(&three).contains("s0"));
    let left = failure::damage(&three, &to_s0.collect::<Vec<_>>()).unwrap().topology;
    let rows = weights(&folder, "a,s0,3\na,s1,2\na,s2,1\n");
    let found = shares(&rows, &left);
    let by_hand = (49152..49408_u16).filter(|port| {
        let key = key::Key::of(
            &Fields::try_from("src+dst+sport+dport+proto".to_string()).unwrap(),
            0,
            2,
            *port,
        )
        .seeded(1)
        .to_vec();
        Function::Crc32.of(&key) % 3 < 2
    });
    let first = by_hand.count() as u64;
    assert_eq!(found, [first, 256 - first]);
    let routing = build(&format!("ecmp-hash({rows})"), &left).unwrap();
    assert!(routing.notes()[0].contains(" not used: after the failure"), "{:?}", routing.notes());
    // Where nothing failed, it is a mistake; and what is left must have a weight above 0.
    let error =
        build(&format!("ecmp-hash({})", weights(&folder, "a,s1,2\na,s2,1\na,b,1\n")), &three);
    assert!(error.is_err());
    let error =
        build(&format!("ecmp-hash({})", weights(&folder, "a,s0,1\na,s1,0\na,s2,0\n")), &left);
    assert!(error.err().unwrap().to_string().contains("have weight 0"));
}

#[test]
fn answers_and_weights_of_one_switch_are_refused() {
    let (network, folder) = (generate("ftree(2,4,3)").unwrap(), tempfile::tempdir().unwrap());
    let rows = weights(&folder, "sw-1-0,sw-2-0,6\n");
    let table = folder.path().join("t.csv");
    std::fs::write(&table, "switch,source,destination,port,next\nsw-1-0,0,2,*,sw-2-0\n").unwrap();
    let spec = format!("ecmp-hash({rows},table=\"{}\")", table.display());
    let error = build(&spec, &network).err().unwrap().to_string();
    assert!(error.contains("line 3: `table` has the answers of `sw-1-0`"), "{error}");
}
