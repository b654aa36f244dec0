//! Inputs of every kind through the command line: pipes, stdin, endless ones, and how much of their
//! text reaches a terminal.
#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "helpers of tests, like tests, may panic")]

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use crate::files::gzip;
use crate::program::{Run, in_little_memory, program, run};
use crate::stopped::{How, ended, send, stopped, wait_until};

const NETLIST: &str = "Switch 4 \"sw\" # \"leaf\" lid 9 lmc 0\n[1] \"a\"[1]\n[2] \"b\"[1]\n\n\
    Ca 1 \"a\" # \"one\"\n[1] \"sw\"[1] # lid 1 lmc 0\n\n\
    Ca 1 \"b\" # \"two\"\n[1] \"sw\"[2] # lid 2 lmc 0\n";

/// Runs a line that reads `input`.
fn fed(line: &str, input: impl AsRef<[u8]>) -> Run {
    Run::fed(&mut program(line), input)
}

fn bytes(path: &str) -> Vec<u8> {
    fs::read(path).unwrap()
}

/// Every reader with what it reads, once from a pipe under a name and once from stdin.
#[test]
fn every_reader_takes_pipes_and_stdin() {
    let fabric = "instances/fabrics/ft8x3/ftree/ibnetdiscover.out.gz";
    let lmc = "instances/fabrics/ft8x2/minhop_lmc2";
    let tables = bytes("instances/fabrics/ft8x3/ftree/opensm-lfts.dump.gz");
    let paths = bytes("instances/tables/ft-4-2-all-shortest-paths.csv");
    let certificate = bytes("results/or/table-1/certificates/ft-4-2-dmodk.cert");
    let cases = "[[case]]\ntopology = 'ft(4,2)'\nrouting = 'dmodk'\noblivious_ratio = '2'\n";
    let choice: Vec<String> = (0..32).map(|host| format!("host-{host} 1\n")).collect();
    let choice = choice.concat();
    let network = bytes("instances/networks/examples/ring.csv");
    let ibsim = NETLIST.as_bytes();
    for (line, input) in [
        ("topo ?", &network[..]),
        ("topo ? --unit-capacity", ibsim),
        (&*format!("route {fabric} lft:? --pair 0 1"), &tables),
        ("route ft(4,2) table:? --pair 0 1", &paths),
        (
            &format!(
                "route {lmc}/ibnetdiscover.out lft:{lmc}/opensm-lfts.dump.gz --lmc ? --pair 0 1"
            ),
            choice.as_bytes(),
        ),
        ("load ft(4,2) dmodk ?", b"source,destination,demand\n0,1,1\n"),
        ("load ft(4,2) dmodk file(format=pairs):?", b"0 1\n"),
        ("traffic --hosts 8 ?", b"# 1 pairs: source destination\n0 3\n"),
        ("check ?", &certificate),
        ("embed ?", &certificate),
        ("regress ?", cases.as_bytes()),
        ("topo ft(4,2) --fail-links ?", b"sw-1-0 sw-2-0\n"),
        ("topo ft(4,2) --fail-switches ?", b"sw-2-0\n"),
        // The network is damaged once for both.
        ("fabric ft(4,2) --routing ecmp --routing minhop --fail-links ?", b"sw-1-0 sw-2-0\n"),
    ] {
        for place in ["-", "/dev/stdin"] {
            let run = fed(&line.replace('?', place), input).expects(0);
            assert_ne!(run.stdout, "", "{line}");
        }
    }
}

#[test]
fn stdin_is_read_once() {
    for line in [
        "ratio - lft:-",
        "load ft(4,2) table:- -",
        "topo - --unit-capacity --fail-links -",
        "check - -",
        "regress - -",
    ] {
        let input = match line.split(' ').next() {
            Some("ratio") => bytes("instances/fabrics/ft8x2/minhop_lmc2/ibnetdiscover.out"),
            // Traffic is read first.
            Some("load") => b"# 2 pairs: source destination\n0 1\n1 0\n".to_vec(),
            Some("check") => bytes("results/or/table-1/certificates/ft-4-2-dmodk.cert"),
            Some("regress") => b"[[case]]\ntopology = 'ft(4,2)'\nrouting = 'dmodk'\n".to_vec(),
            _ => NETLIST.as_bytes().to_vec(),
        };
        fed(line, input).refuses(2, "`-` is given twice");
    }
    fed("regress - --bless", "").refuses(2, "`--bless` rewrites case files");
}

/// A pipe in a folder, to which nothing is written.
fn silent(folder: &Path) -> String {
    let path = folder.join("silent");
    assert!(Command::new("mkfifo").arg(&path).status().unwrap().success());
    path.to_str().unwrap().into()
}

fn readers(place: &str) -> [String; 10] {
    [
        "topo ?",
        "ratio ? dmodk",
        "route ft(4,2) table:?",
        "load ft(4,2) dmodk ?",
        "traffic --hosts 8 ?",
        "check ?",
        "embed ?",
        "regress ?",
        "topo ft(4,2) --fail-links ?",
        "topo ft(4,2) --fail-switches ?",
    ]
    .map(|line| line.replace('?', place))
}

#[test]
fn a_time_limit_ends_reading() {
    let folder = tempfile::tempdir().unwrap();
    for place in ["-".to_string(), silent(folder.path())] {
        for line in readers(&place) {
            let mut command = program(line);
            // Nothing is written to its stdin, which stays open.
            command.stdin(Stdio::piped());
            let run = stopped(command, How::Limit(0.1));
            assert!(run.stderr.contains("stopped by the time limit"), "{run:?}");
        }
    }
}

#[test]
fn a_signal_ends_reading() {
    let folder = tempfile::tempdir().unwrap();
    for line in readers(&silent(folder.path())) {
        stopped(program(line), How::Signal("INT", Duration::ZERO));
    }
}

/// What follows from the network and the traffic alone is printed while the routing is not open yet.
#[test]
fn a_stop_before_the_routing_is_open_leaves_what_is_known() {
    let folder = tempfile::tempdir().unwrap();
    let path = silent(folder.path());
    let known = "baseload           1\n";
    for (line, to_stdout, to_stderr) in [
        ("load ft(4,2) table:? shift(4)", known, "while opening `table:"),
        ("load ft(4,2) table:? shift(4) --links", "", known),
        ("load ft(4,2) table:? shift(4) --json", "\"baseload\": \"1\"", "while opening `table:"),
        (
            "ratio ft(4,2) table:?",
            "oblivious ratio         between 1 and 8 (claimed",
            "while opening",
        ),
        ("ratio ft(4,2) table:? --json", "\"complete\": false", "while opening"),
        ("fabric ft(4,2) --routing table:?", "ft(4,2), whole", "while opening"),
    ] {
        let mut other_end = None;
        let run = ended(&mut program(line.replace('?', &path)), |process| {
            let path = path.clone();
            // This waits until the program has opened its end.
            let open = thread::spawn(move || fs::OpenOptions::new().write(true).open(path));
            wait_until(|| open.is_finished());
            other_end = Some(open.join().unwrap().unwrap());
            send("INT", process);
            Duration::ZERO
        });
        let run = run.expects(3);
        assert!(run.stdout.contains(to_stdout) && run.stderr.contains(to_stderr), "{run:?}");
        assert_eq!(run.stdout.is_empty(), to_stdout.is_empty(), "{run:?}");
    }
}

/// Compression bombs of a gigabyte and more, and an endless device. `check` and `embed` read certificates alike.
#[test]
fn what_does_not_end_is_not_read_to_its_end() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, start: &str, unit: &str| {
        let member = gzip(unit.repeat((1 << 24) / unit.len()).as_bytes()).repeat(80);
        let path = folder.path().join(name);
        fs::write(&path, [gzip(start.as_bytes()), member].concat()).unwrap();
        path.to_str().unwrap().to_string()
    };
    let blank = file("blank", "EmbeddedMap{ map: [", "\n");
    let marks = file("marks", "EmbeddedMap{ map: [0", ",");
    let demands = file("demands", "<?xml version=\"1.0\"?>\n<network>\n<demands>", "<demand/>\n");
    let head = "routebound-certificate 1\n";
    let remarks = file("remarks", head, &format!("# {}\n", "remark ".repeat(9)));
    let links = file("links", &format!("{head}hosts 2\nnodes 3\n"), "link 0 1 1\n");
    let zero = "/dev/zero".to_string();
    let runs = [
        ("load ft(4,2) dmodk ?", &blank, 3),
        ("load ft(4,2) dmodk ?", &marks, 3),
        ("load ft(4,2) dmodk ?", &demands, 3),
        ("load ft(4,2) dmodk ?", &zero, 3),
        ("load ft(4,2) table:? uniform", &zero, 2),
        ("check ?", &remarks, 3),
        ("check ?", &zero, 3),
        ("embed ?", &links, 3),
        ("embed ?", &zero, 3),
        ("regress ?", &zero, 3),
        ("regress ?", &blank, 3),
        ("topo ft(4,2) --fail-links ?", &zero, 3),
        ("topo ?", &zero, 2),
    ];
    // Every other one, of every verb: the full tier has all.
    let step = if cfg!(feature = "slow-tests") { 1 } else { 2 };
    for (line, file, code) in runs.into_iter().step_by(step) {
        in_little_memory(1_600_000, line.replace('?', file)).expects(code);
    }
}

/// A certificate names its files; whoever wrote it must not make the checker wait.
#[test]
fn pipes_beside_a_certificate_are_refused() {
    let from = Path::new("results/optimal-single-path/certificates");
    let folder = tempfile::tempdir().unwrap();
    let name = "ft-4-2-formula";
    fs::copy(from.join(format!("{name}.cert")), folder.path().join("a.cert")).unwrap();
    let certificate = folder.path().join("a.cert");
    let files = [format!("{name}.cnf"), format!("{name}.lrat")];
    for torn in &files {
        for file in &files {
            let place = folder.path().join(file);
            let _ = fs::remove_file(&place);
            if file == torn {
                assert!(Command::new("mkfifo").arg(&place).status().unwrap().success());
            } else {
                fs::copy(from.join(file), &place).unwrap();
            }
        }
        let text = run(["check", certificate.to_str().unwrap()]).expects(1).stdout;
        assert!(text.contains("it is not a regular file"), "{text}");
    }
}

/// Text from files in errors, remarks and reports: no control characters, and limited in length.
#[test]
fn words_of_files_are_quoted_and_cut() {
    let folder = tempfile::tempdir().unwrap();
    let escape = "\u{1b}]0;owned\u{7}\u{9b}2J";
    let long = "x".repeat(20_000);
    for word in [escape, &long] {
        let traffic = format!("source,destination,demand\n0,{word},1\n");
        let graph = format!("graph {{ \"{word}\" -- b [capacity=0] }}");
        let json =
            format!("{{\"nodes\": [{{\"id\": \"{}\"}}], \"links\": 7}}", "y".repeat(word.len()));
        let certificate = format!("routebound-certificate 1\n{word}\n");
        let cases = format!("[[case]]\ntopology = 'ft(4,2)'\nrouting = '{word}'\n");
        let key = format!("[[case]]\n'{}' = 1\n", "k".repeat(word.len()));
        let discovery = format!("Switch 4 \"{word}\"\n[1] \"b\"[1]\n");
        let tables = format!("Unicast lids [0-9] of switch x guid 0x1\n{word}\n");
        let (fabric, failed) = (NETLIST.replace("Ca 1 \"b\"", "Ca 1 \"c\""), format!("{word}\n"));
        for (line, input) in [
            ("load ft(4,2) dmodk -", &traffic),
            ("topo -", &graph),
            ("topo -", &json),
            ("topo -", &format!("{word}\n")),
            ("topo - --unit-capacity", &discovery),
            ("topo - --unit-capacity", &fabric.replace("\"a\"", &format!("\"{word}\""))),
            ("ratio ft(4,2) lft:-", &tables),
            ("ratio ft(4,2) table:-", &format!("{word},1,1,0\n")),
            ("topo ft(4,2) --fail-links -", &failed),
            ("check -", &certificate),
            ("embed -", &certificate),
            ("regress -", &cases),
            ("regress -", &key),
        ] {
            let run = fed(line, input);
            assert_ne!(run.code, 0, "{run:?}");
            let said = run.said();
            assert!(!said.contains(|c: char| c.is_control() && c != '\n'), "{line}: {said}");
            assert!(said.len() < 2500, "{line}: {} bytes", said.len());
        }
    }
    // Names in reports.
    let named = NETLIST.replace("\"one\"", &format!("\"{escape}\""));
    let path = folder.path().join("named");
    fs::write(&path, named).unwrap();
    let path = path.to_str().unwrap();
    let line = format!("load {path} ecmp - --unit-capacity");
    let said = fed(&line, "source,destination,demand\n0,1,1\n").expects(0).said();
    assert!(said.contains("\\u{1b}]0;owned"), "{said}");
    assert!(!said.contains(|c: char| c.is_control() && c != '\n'), "{said}");
}

/// Numbers in claims have 200 digits at most, but their sums have more.
#[test]
fn long_numbers_of_a_refusal_are_cut() {
    // Shares with denominators that have no common factor: their sum is long.
    let share = |share: u64| format!("path 0 1 1/{} 0\n", 10_u64.pow(18) + 2 * share + 1);
    let checked = |count: u64| {
        let shares: Vec<String> = (0..count).map(share).collect();
        let text = format!(
            "routebound-certificate 1\nhosts 2\nnodes 2\nlink 0 1 1\nlink 1 0 1\n{}path 1 0 1 1\n\
             claim oblivious-ratio 1 1\nwitness 0 1\ndemand 0 1 1\nroute even\nend\n",
            shares.concat()
        );
        fed("check -", &text)
    };
    // 2000 denominators of 60 bits are beyond the limit on sums, 1000 are not.
    checked(2000).expects(3);
    let said = checked(1000).expects(1).stdout;
    assert!(said.contains("the shares of (0,1) sum to") && said.len() < 1000, "{}", said.len());
}

/// The writer of a pipe continues after the answer is known; it must not block the program.
#[test]
fn a_writer_that_is_left_ends() {
    let mut writer = Command::new("yes").stdout(Stdio::piped()).spawn().unwrap();
    Run::of(program("topo -").stdin(writer.stdout.take().unwrap())).expects(2);
    assert!(!writer.wait().unwrap().success());
}

/// The sizes of a tree, two words per line, are not links; a list of links between nodes with such
/// names still is one.
#[test]
fn sizes_of_a_tree_for_htsim_are_no_links() {
    let sizes = "# a fat-tree\nNodes 432\nTiers 3\nPodsize 16\nTier 0\nDownlink_speed_Gbps 200\n";
    let refused = fed("topo -", sizes).refuses(2, "gives htsim the sizes of a tree");
    assert!(refused.stderr.contains("write the tree as a spec"), "{refused:?}");
    fed("topo -", "Nodes Tiers\nTiers Podsize\n").expects(0);
}

#[test]
fn a_netlist_without_speeds_is_told_what_to_do() {
    let refused = fed("topo -", NETLIST).refuses(2, "line 2: the cable has no width and speed");
    assert!(refused.stderr.contains("--unit-capacity"), "{refused:?}");
    fed("topo - --unit-capacity", NETLIST).expects(0);
}
