//! Every command of the README runs, ends with the exit code stated there, and prints what the
//! README shows. Commands are the indented lines; the fenced text below them is their output,
//! where `...` alone stands for omitted lines, and at the end of a line for the rest of it.
#![cfg(all(unix, feature = "highs", feature = "sat"))]
#![expect(clippy::unwrap_used, reason = "helpers of tests fail by panic")]

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

/// Commands, what is shown below them, and the line of the README they begin at.
#[derive(Debug, Default)]
struct Block {
    line: usize,
    commands: Vec<String>,
    shown: Vec<String>,
}

/// Commands of other programs: they are tried on a fresh machine, or belong to the fabric.
const OTHERS: &[&str] = &["make ", "cargo ", "ibnetdiscover ", "dump_fts ", "pdsh "];

/// Commands that take minutes, or are told to take that long: `slow-tests` runs them.
/// `fabrics::jobs` has the one with `--save-jobs`, `theorems` that with `--planted`.
const SLOW: &[&str] =
    &["verify", "--time-limit 60", "--time 60", "--save-jobs", "verify --planted"];

/// Commands that take up to an hour run for a second only.
const LONG: &str = "--full";

fn is_slow(command: &str) -> bool {
    let words = command.split('#').next().unwrap().trim();
    words == "routebound verify" || SLOW[1..].iter().any(|part| words.contains(part))
}

/// The exit codes that a command may have: 0 unless the README says or implies another one.
fn codes(command: &str) -> &'static [i32] {
    if command.contains("# exit code 1") {
        &[1]
    } else if command.contains("--time") {
        // As far as it got in that time.
        &[0, 3]
    } else {
        &[0]
    }
}

fn blocks(readme: &str) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let (mut fence, mut last_was_command) = (None, false);
    for (number, line) in (1..).zip(readme.lines()) {
        if let Some(language) = line.strip_prefix("```") {
            fence = if fence.is_none() { Some(language) } else { None };
        } else if fence == Some("text") {
            blocks.last_mut().unwrap().shown.push(line.to_string());
        } else if let Some(command) = line.strip_prefix("    ").filter(|_| fence.is_none()) {
            if !last_was_command {
                blocks.push(Block { line: number, ..Block::default() });
            }
            let commands = &mut blocks.last_mut().unwrap().commands;
            match commands.last_mut().filter(|last| last.ends_with('\\')) {
                Some(last) => *last = format!("{}{}", last.trim_end_matches('\\'), command.trim()),
                None => commands.push(command.to_string()),
            }
        }
        last_was_command = line.starts_with("    ") && fence.is_none();
    }
    blocks
}

/// A folder with what the commands read.
fn workplace() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for shown in ["instances", "results"] {
        symlink(root.join(shown), folder.path().join(shown)).unwrap();
    }
    // The reader's own fabric, its tables, and lists that only the reader can write.
    let fabric = root.join("instances/fabrics/ft8x3/updn");
    symlink(fabric.join("ibnetdiscover.out.gz"), folder.path().join("fabric.txt")).unwrap();
    symlink(fabric.join("opensm-lfts.dump.gz"), folder.path().join("tables.txt")).unwrap();
    let formats = root.join("instances/fabrics/ft8x2/formats");
    for (file, name) in [
        ("ibdiagnet2.db_csv", "ibdiagnet2.db_csv"),
        ("ibdiagnet2.far", "ibdiagnet2.far"),
        ("lldpctl.txt", "fabric.lldp"),
    ] {
        symlink(formats.join(file), folder.path().join(name)).unwrap();
    }
    fs::write(folder.path().join("cables.txt"), "sw-1-0 sw-2-0\n").unwrap();
    let case = "[[case]]\ntopology = \"ft(4,2)\"\nrouting = \"dmodk\"\n";
    fs::write(folder.path().join("cases.toml"), case).unwrap();
    folder
}

/// Runs a command as a shell would, and says what it printed.
fn run(command: &str, folder: &Path) -> (Option<i32>, String, String) {
    let program = Path::new(assert_cmd::cargo::cargo_bin!("routebound")).parent().unwrap();
    let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap());
    let output = Command::new("sh")
        .args(["-c", command])
        .env("PATH", path)
        .current_dir(folder)
        .output()
        .unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

/// A line with seconds as `N s` and one space between words.
fn comparable(line: &str) -> String {
    let words: Vec<&str> = line.split_whitespace().collect();
    let is_seconds = |at: usize| {
        let unit = words.get(at + 1).is_some_and(|unit| unit.trim_end_matches([',', ';']) == "s");
        unit && words[at].parse::<f64>().is_ok()
    };
    (0..words.len())
        .map(|at| if is_seconds(at) { "N" } else { words[at] })
        .collect::<Vec<_>>()
        .join(" ")
}

/// The first shown line that is not printed, lines in order.
fn missing<'s>(shown: &'s [String], printed: &str) -> Option<&'s str> {
    let mut lines = printed.lines().map(comparable);
    shown
        .iter()
        .map(String::as_str)
        .filter(|line| !line.trim().is_empty() && line.trim() != "...")
        .find(|line| {
            let wanted = comparable(line);
            let start = wanted.strip_suffix(" ...").or_else(|| wanted.strip_suffix(" …"));
            !lines.any(|line| match start {
                Some(start) => line.starts_with(start),
                None => line == wanted,
            })
        })
}

/// `3` of a remark `# 3: …` or `# 3, …`: the answer, which has to be printed.
fn answer(command: &str) -> Option<&str> {
    let remark = command.split_once('#')?.1.trim();
    let end = remark.find([':', ','])?;
    Some(&remark[..end]).filter(|answer| answer.parse::<u64>().is_ok())
}

#[test]
fn every_command_prints_what_the_readme_says() {
    let readme =
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md")).unwrap();
    let folder = workplace();
    let mut ran = 0;
    for Block { line, commands, shown } in blocks(&readme) {
        let mut printed = String::new();
        let mut all_ran = true;
        for command in &commands {
            if OTHERS.iter().any(|other| command.starts_with(other)) {
                continue;
            }
            assert!(command.starts_with("routebound "), "line {line}: {command}");
            if is_slow(command) && !cfg!(feature = "slow-tests") {
                all_ran = false;
                continue;
            }
            let is_long = command.contains(LONG);
            let command =
                &if is_long { format!("{command} --time-limit 1") } else { command.clone() };
            let (code, stdout, stderr) = run(command, folder.path());
            let place = format!("line {line}: {command}\n{stdout}{stderr}");
            assert!(code.is_some_and(|code| codes(command).contains(&code)), "{code:?} {place}");
            if let Some(answer) = answer(command) {
                let words =
                    |text: &str| text.split(|c: char| !c.is_ascii_digit()).any(|w| w == answer);
                assert!(words(&stdout), "{place}");
            }
            printed += &stdout;
            ran += 1;
        }
        if all_ran {
            assert_eq!(missing(&shown, &printed), None, "line {line}: it printed\n{printed}");
        }
    }
    assert!(ran >= 30, "{ran}");
}

#[test]
fn a_line_that_is_not_printed_is_missed() {
    let shown: Vec<String> =
        ["a  1", "...", "found in 2.5 s (x)", "s VERIFIED 7 ..."].map(String::from).to_vec();
    let printed = "a 1\nb\nfound in 9.25 s (x)\ns VERIFIED 7 (dmodk)\n";
    assert_eq!(missing(&shown, printed), None);
    assert_eq!(missing(&shown, &printed.replace('7', "8")), Some("s VERIFIED 7 ..."));
    assert_eq!(missing(&shown, &printed.replace("a 1", "a 2")), Some("a  1"));
    assert_eq!(answer("routebound synth x  # 3: no better"), Some("3"));
    assert_eq!(answer("routebound ratio x --fail 2  # 2 cables"), None);
    let read =
        blocks("x\n\n    routebound a \\\n      b\n    routebound c\n\n```text\nshown\n```\n");
    assert_eq!(read[0].commands, ["routebound a b", "routebound c"]);
    assert_eq!((read.len(), read[0].line, &read[0].shown[..]), (1, 3, &["shown".to_string()][..]));
}
