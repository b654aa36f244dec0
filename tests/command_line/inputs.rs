//! Inputs of every kind through the command line: pipes, stdin, endless ones, and how much of their
//! text reaches a terminal.
#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "helpers of tests, like tests, may panic")]

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

use flate2::Compression;
use flate2::write::GzEncoder;

use crate::stopped::{How, stopped};

const NETLIST: &str = "Switch 4 \"sw\" # \"leaf\" lid 9 lmc 0\n[1] \"a\"[1]\n[2] \"b\"[1]\n\n\
    Ca 1 \"a\" # \"one\"\n[1] \"sw\"[1] # lid 1 lmc 0\n\n\
    Ca 1 \"b\" # \"two\"\n[1] \"sw\"[2] # lid 2 lmc 0\n";

fn start(arguments: &[&str]) -> Child {
    let mut program = Command::new(assert_cmd::cargo::cargo_bin!("routebound"));
    program.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    program.spawn().unwrap()
}

fn run(arguments: &[&str], input: impl AsRef<[u8]>) -> Output {
    let mut child = start(arguments);
    // The program may refuse before it has read all.
    let _ = child.stdin.take().unwrap().write_all(input.as_ref());
    child.wait_with_output().unwrap()
}

fn refused(arguments: &[&str], input: impl AsRef<[u8]>, code: i32) -> String {
    let output = run(arguments, input);
    let complaint = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {complaint}");
    complaint
}

fn instance(path: &str) -> String {
    format!("{}/{path}", env!("CARGO_MANIFEST_DIR"))
}

fn bytes(path: &str) -> Vec<u8> {
    fs::read(instance(path)).unwrap()
}

/// Every reader with what it reads, once from a pipe under a name and once from stdin.
#[test]
fn every_reader_takes_pipes_and_stdin() {
    let fabric = instance("instances/fabrics/ft8x3/ftree/ibnetdiscover.out.gz");
    let lmc = instance("instances/fabrics/ft8x2/minhop_lmc2/ibnetdiscover.out");
    let lmc_tables =
        format!("lft:{}", instance("instances/fabrics/ft8x2/minhop_lmc2/opensm-lfts.dump.gz"));
    let tables = bytes("instances/fabrics/ft8x3/ftree/opensm-lfts.dump.gz");
    let paths = bytes("instances/tables/ft-4-2-all-shortest-paths.csv");
    let certificate = bytes("results/or/table-1/certificates/ft-4-2-dmodk.cert");
    let cases = "[[case]]\ntopology = 'ft(4,2)'\nrouting = 'dmodk'\noblivious_ratio = '2'\n";
    let choice: Vec<String> = (0..32).map(|host| format!("host-{host} 1\n")).collect();
    let choice = choice.concat();
    let network = bytes("instances/networks/examples/ring.csv");
    let ibsim = NETLIST.as_bytes();
    for (arguments, input) in [
        (&["topo", "?"][..], &network[..]),
        (&["topo", "?", "--unit-capacity"], ibsim),
        (&["route", &fabric, "lft:?", "--pair", "0", "1"], &tables),
        (&["route", "ft(4,2)", "table:?", "--pair", "0", "1"], &paths),
        (&["route", &lmc, &lmc_tables, "--lmc", "?", "--pair", "0", "1"], choice.as_bytes()),
        (&["load", "ft(4,2)", "dmodk", "?"], b"source,destination,demand\n0,1,1\n"),
        (&["load", "ft(4,2)", "dmodk", "file(format=pairs):?"], b"0 1\n"),
        (&["traffic", "--hosts", "8", "?"], b"# 1 pairs: source destination\n0 3\n"),
        (&["check", "?"], &certificate),
        (&["embed", "?"], &certificate),
        (&["regress", "?"], cases.as_bytes()),
        (&["topo", "ft(4,2)", "--fail-links", "?"], b"sw-1-0 sw-2-0\n"),
        (&["topo", "ft(4,2)", "--fail-switches", "?"], b"sw-2-0\n"),
        // The network is damaged once for both.
        (
            &["fabric", "ft(4,2)", "--routing", "ecmp", "--routing", "minhop", "--fail-links", "?"],
            b"sw-1-0 sw-2-0\n",
        ),
    ] {
        for place in ["-", "/dev/stdin"] {
            let arguments: Vec<String> =
                arguments.iter().map(|argument| argument.replace('?', place)).collect();
            let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
            let output = run(&arguments, input);
            assert!(output.status.success(), "{arguments:?}: {output:?}");
            assert!(!output.stdout.is_empty(), "{arguments:?}");
        }
    }
}

#[test]
fn stdin_is_read_once() {
    for arguments in [
        &["ratio", "-", "lft:-"][..],
        &["load", "ft(4,2)", "table:-", "-"],
        &["topo", "-", "--unit-capacity", "--fail-links", "-"],
        &["check", "-", "-"],
        &["regress", "-", "-"],
    ] {
        let input = match arguments[0] {
            "ratio" => bytes("instances/fabrics/ft8x2/minhop_lmc2/ibnetdiscover.out"),
            "load" => bytes("instances/tables/ft-4-2-all-shortest-paths.csv"),
            "check" => bytes("results/or/table-1/certificates/ft-4-2-dmodk.cert"),
            "regress" => b"[[case]]\ntopology = 'ft(4,2)'\nrouting = 'dmodk'\n".to_vec(),
            _ => NETLIST.as_bytes().to_vec(),
        };
        let complaint = refused(arguments, input, 2);
        assert!(complaint.contains("`-` is given twice"), "{arguments:?}: {complaint}");
    }
    let complaint = refused(&["regress", "-", "--bless"], "", 2);
    assert!(complaint.contains("`--bless` rewrites case files"), "{complaint}");
}

/// A pipe in a folder, to which nothing is written.
fn silent(folder: &Path) -> String {
    let path = folder.join("silent");
    assert!(Command::new("mkfifo").arg(&path).status().unwrap().success());
    path.to_str().unwrap().into()
}

fn readers(place: &str) -> Vec<Vec<String>> {
    let lines = [
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
    ];
    let words = |line: &str| line.split(' ').map(|word| word.replace('?', place)).collect();
    lines.into_iter().map(words).collect()
}

#[test]
fn a_time_limit_ends_reading() {
    let folder = tempfile::tempdir().unwrap();
    for place in ["-".to_string(), silent(folder.path())] {
        for arguments in readers(&place) {
            let mut command = Command::new(assert_cmd::cargo::cargo_bin!("routebound"));
            // Nothing is written to its stdin, which stays open.
            command.args(&arguments).stdin(Stdio::piped());
            let output = stopped(command, How::Limit(0.1));
            let complaint = String::from_utf8(output.stderr).unwrap();
            assert!(complaint.contains("stopped by the time limit"), "{arguments:?}: {complaint}");
        }
    }
}

#[test]
fn a_signal_ends_reading() {
    let folder = tempfile::tempdir().unwrap();
    for arguments in readers(&silent(folder.path())) {
        let mut command = Command::new(assert_cmd::cargo::cargo_bin!("routebound"));
        command.args(arguments).stdin(Stdio::null());
        stopped(command, How::Signal("INT", Duration::ZERO));
    }
}

fn gzip(content: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(content).unwrap();
    encoder.finish().unwrap()
}

/// Runs the program in less than a gigabyte, where the system can limit it.
fn run_in_little_memory(arguments: &[&str]) -> Output {
    let program = assert_cmd::cargo::cargo_bin!("routebound");
    let limited = r#"ulimit -v 1600000 2>/dev/null; exec "$0" --threads 2 "$@""#;
    let mut shell = Command::new("sh");
    shell.args(["-c", limited]).arg(program).args(arguments).stdin(Stdio::null()).output().unwrap()
}

/// Compression bombs of a gigabyte and more, and an endless device.
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
    let remarks = file("remarks", head, "# remark\n");
    let links = file("links", &format!("{head}hosts 2\nnodes 3\n"), "link 0 1 1\n");
    let zero = "/dev/zero".to_string();
    for (arguments, file, code) in [
        (&["load", "ft(4,2)", "dmodk", "?"][..], &blank, 3),
        (&["load", "ft(4,2)", "dmodk", "?"], &marks, 3),
        (&["load", "ft(4,2)", "dmodk", "?"], &demands, 3),
        (&["load", "ft(4,2)", "dmodk", "?"], &zero, 3),
        (&["load", "ft(4,2)", "table:?", "uniform"], &zero, 2),
        (&["check", "?"], &remarks, 3),
        (&["check", "?"], &links, 3),
        (&["check", "?"], &zero, 3),
        (&["embed", "?"], &remarks, 3),
        (&["embed", "?"], &links, 3),
        (&["embed", "?"], &zero, 3),
        (&["regress", "?"], &zero, 3),
        (&["regress", "?"], &blank, 3),
        (&["topo", "ft(4,2)", "--fail-links", "?"], &zero, 3),
        (&["topo", "?"], &zero, 2),
    ] {
        let arguments: Vec<String> =
            arguments.iter().map(|argument| argument.replace('?', file)).collect();
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let output = run_in_little_memory(&arguments);
        let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {complaint}");
    }
}

/// A certificate names its files; whoever wrote it must not make the checker wait.
#[test]
fn pipes_beside_a_certificate_are_refused() {
    let from = PathBuf::from(instance("results/optimal-single-path/certificates"));
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
        let output = run(&["check", certificate.to_str().unwrap()], "");
        let text = String::from_utf8(output.stdout).unwrap();
        assert_eq!(output.status.code(), Some(1), "{text}");
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
        for (arguments, input) in [
            (&["load", "ft(4,2)", "dmodk", "-"][..], &traffic),
            (&["topo", "-"], &graph),
            (&["topo", "-"], &json),
            (&["topo", "-"], &format!("{word}\n")),
            (&["topo", "-", "--unit-capacity"], &discovery),
            (&["topo", "-", "--unit-capacity"], &fabric.replace("\"a\"", &format!("\"{word}\""))),
            (&["ratio", "ft(4,2)", "lft:-"], &tables),
            (&["ratio", "ft(4,2)", "table:-"], &format!("{word},1,1,0\n")),
            (&["topo", "ft(4,2)", "--fail-links", "-"], &failed),
            (&["check", "-"], &certificate),
            (&["embed", "-"], &certificate),
            (&["regress", "-"], &cases),
            (&["regress", "-"], &key),
        ] {
            let output = run(arguments, input);
            assert!(!output.status.success(), "{arguments:?}: {output:?}");
            let said = [output.stdout, output.stderr].concat();
            let said = String::from_utf8(said).unwrap();
            assert!(!said.contains(|c: char| c.is_control() && c != '\n'), "{arguments:?}: {said}");
            assert!(said.len() < 2500, "{arguments:?}: {} bytes", said.len());
        }
    }
    // Names in reports.
    let named = NETLIST.replace("\"one\"", &format!("\"{escape}\""));
    let path = folder.path().join("named");
    fs::write(&path, named).unwrap();
    let path = path.to_str().unwrap();
    let output =
        run(&["load", path, "ecmp", "-", "--unit-capacity"], "source,destination,demand\n0,1,1\n");
    assert!(output.status.success(), "{output:?}");
    let said = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
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
        run(&["check", "-"], &text)
    };
    // 2000 denominators of 60 bits are beyond the limit on sums, 1000 are not.
    assert_eq!(checked(2000).status.code(), Some(3));
    let output = checked(1000);
    let said = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("the shares of (0,1) sum to") && said.len() < 1000, "{}", said.len());
}

/// The writer of a pipe continues after the answer is known; it must not block the program.
#[test]
fn a_writer_that_is_left_ends() {
    let mut writer = Command::new("yes").stdout(Stdio::piped()).spawn().unwrap();
    let program = assert_cmd::cargo::cargo_bin!("routebound");
    let source = writer.stdout.take().unwrap();
    let output = Command::new(program).args(["topo", "-"]).stdin(source).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(!writer.wait().unwrap().success());
}

/// The sizes of a tree, two words per line, are not links; a list of links between nodes with such
/// names still is one.
#[test]
fn sizes_of_a_tree_for_htsim_are_no_links() {
    let sizes = "# a fat-tree\nNodes 432\nTiers 3\nPodsize 16\nTier 0\nDownlink_speed_Gbps 200\n";
    let said = refused(&["topo", "-"], sizes, 2);
    assert!(said.contains("gives htsim the sizes of a tree"), "{said}");
    assert!(said.contains("write the tree as a spec"), "{said}");
    let links = run(&["topo", "-"], "Nodes Tiers\nTiers Podsize\n");
    assert!(links.status.success());
}

#[test]
fn a_netlist_without_speeds_is_told_what_to_do() {
    let said = refused(&["topo", "-"], NETLIST, 2);
    assert!(said.contains("line 2: the cable has no width and speed"), "{said}");
    assert!(said.contains("--unit-capacity"), "{said}");
    assert!(run(&["topo", "-", "--unit-capacity"], NETLIST).status.success());
}
