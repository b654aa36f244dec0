//! Every command of a page runs, ends with the exit code stated there, and prints what the page shows.
//!
//! Commands are the indented lines, and in tables the code that begins with `routebound`. The fenced text below them is
//! their output, where `...` alone stands for omitted lines, and at the end of a line for the rest of it. The output of
//! `routebound list` is the whole list: `make update-suites` writes it into the page.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

use super::{BOOK, book, text_of};
use crate::files::root;
use crate::transcript::is_update;

/// Commands, the text shown below them, and where both begin: line numbers from 1.
#[derive(Debug, Default)]
pub(super) struct Block {
    line: usize,
    pub(super) commands: Vec<String>,
    pub(super) shown: Vec<String>,
    shown_from: usize,
}

/// Commands of other programs: they are tried on a fresh machine, or belong to the fabric.
const OTHERS: &[&str] = &["make ", "cargo ", "ibnetdiscover ", "dump_fts ", "pdsh "];

/// Commands that take minutes, are told to take that long, or take seconds for what other tests show on smaller
/// instances: `slow-tests` runs them. `fabrics::jobs` has those of `two-jobs.txt`, `theorems` those of papers and with
/// `--planted`, `structure` those of `regress`, `searches` local search and `--all`, `adaptive_rates` linear programs,
/// `tori` the load of `romm`, `.ci/test-interop` the tables of the README; of the others, pages and examples have the
/// same or a smaller one. An entry that begins with `routebound` is a whole command.
const SLOW: &[&str] = &[
    "routebound verify",
    "--time-limit 60",
    "--time 60",
    "--save-jobs jobs",
    "verify --planted",
    "regress instances/",
    "regress cases.toml --add-missing",
    "synth 'ft(4,4)' --method local",
    "synth 'ft(10,2)' --paths 2",
    "check two.cert",
    "ratio 'ft(8,2)' 'kpath(k=2,choice=first)' --rates adaptive",
    "ratio 'ft(8,2)' 'kpath(k=2,choice=disjoint)' --rates adaptive",
    "check rates.cert",
    "attack 'ft(8,3)' 'random(seed=1)' --all",
    "--shuffle-lids 20",
    "verify or --up-to 8",
    "verify nb --planted",
    "compare ecmp minhop --network instances/fabrics/ndr542/ibnetdiscover.out.gz",
    "routebound fabric instances/fabrics/ft16x3",
    "routebound improve instances/fabrics/ft16x3/ibnetdiscover.out.gz \
     lft:instances/fabrics/ft16x3/updn/opensm-lfts.dump.gz",
    "lft:instances/fabrics/ft16x3/updn/opensm-lfts.dump.gz --save-tables better.dump",
    "routebound improve instances/fabrics/ft8x3_messy/updn/ibnetdiscover.out.gz \
     lft:instances/fabrics/ft8x3_messy/updn/opensm-lfts.dump.gz --save-tables better.dump",
    "lft:better.dump --network",
    "ratio 'ft(8,3)' dmodk --failures 2",
    "check failures.cert",
    "ft8x3/dfsssp --failures 1",
    "nonblocking 'ftree(3,1,3)' --least-m",
    "ratio 'torus(8,2)' romm",
    "sim 'kary(4,4)'",
    "ratio 'ftree(24,24,2)'",
    "--hosts instances/asked/four-dgx.txt",
    "--jobs instances/jobs/two-jobs.txt --collective ring --restarts 1",
    "--save-jobs measure",
];

/// Commands of README that other pages have as well: `slow-tests` runs them there.
const REPEATED: &[&str] =
    &["routebound fabric instances/fabrics/ft8x3_messy/updn --save-html report.html"];

/// Commands that take up to an hour run for a second only.
const LONG: &str = "--full";

/// Commands whose whole output a page has.
const LISTS: &str = "routebound list ";

fn is_slow(command: &str, page: &Path) -> bool {
    let words = command.split('#').next().unwrap().trim();
    let is_named =
        |part: &&str| words == *part || (!part.starts_with("routebound ") && words.contains(part));
    SLOW.iter().any(is_named) || (REPEATED.contains(&words) && !page.ends_with("README.md"))
}

/// The exit codes that a command may have: 0 unless the page says or implies another one.
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

/// The commands in a row of a table.
fn in_row(line: &str) -> Option<Vec<String>> {
    let code = line.strip_prefix("| ")?.split('`').skip(1).step_by(2);
    Some(code.filter(|code| code.starts_with("routebound ")).map(String::from).collect())
}

pub(super) fn blocks(page: &str) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let (mut fence, mut last_was_command) = (None, false);
    for (line, text) in (1..).zip(page.lines()) {
        let command = text.strip_prefix("    ").filter(|_| fence.is_none());
        if let Some(language) = text.strip_prefix("```") {
            fence = if fence.is_none() { Some(language) } else { None };
            if fence == Some("text") {
                blocks.last_mut().unwrap().shown_from = line + 1;
            }
        } else if fence == Some("text") {
            blocks.last_mut().unwrap().shown.push(text.to_string());
        } else if let Some(command) = command {
            if !last_was_command {
                blocks.push(Block { line, ..Block::default() });
            }
            let commands = &mut blocks.last_mut().unwrap().commands;
            match commands.last_mut().filter(|last| last.ends_with('\\')) {
                Some(last) => *last = format!("{}{}", last.trim_end_matches('\\'), command.trim()),
                None => commands.push(command.to_string()),
            }
        } else if let Some(commands) = in_row(text).filter(|_| fence.is_none()) {
            blocks.push(Block { line, commands, ..Block::default() });
        }
        last_was_command = command.is_some();
    }
    blocks
}

/// A folder with what the commands read.
fn workplace() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for shown in ["instances", "results"] {
        symlink(root().join(shown), folder.path().join(shown)).unwrap();
    }
    // The reader's own fabric, its tables, and lists that only the reader can write.
    let fabric = root().join("instances/fabrics/ft8x3/updn");
    symlink(fabric.join("ibnetdiscover.out.gz"), folder.path().join("fabric.txt")).unwrap();
    symlink(fabric.join("opensm-lfts.dump.gz"), folder.path().join("tables.txt")).unwrap();
    let formats = root().join("instances/fabrics/ft8x2/formats");
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
    let program = Path::new(env!("CARGO_BIN_EXE_routebound")).parent().unwrap();
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

/// `3` of a remark `# 3: …` or `# 3, …`: the answer, which must be printed.
fn answer(command: &str) -> Option<&str> {
    let remark = command.split_once('#')?.1.trim();
    let end = remark.find([':', ','])?;
    Some(&remark[..end]).filter(|answer| answer.parse::<u64>().is_ok())
}

/// Runs the commands of a block; what they print, unless one of them is slow.
fn printed(block: &Block, page: &Path, folder: &Path) -> Option<String> {
    let mut printed = Some(String::new());
    for command in &block.commands {
        if OTHERS.iter().any(|other| command.starts_with(other)) {
            continue;
        }
        assert!(command.starts_with("routebound "), "line {}: {command}", block.line);
        if is_slow(command, page) && !cfg!(feature = "slow-tests") {
            printed = None;
            continue;
        }
        let is_long = command.contains(LONG);
        let command = &if is_long { format!("{command} --time-limit 1") } else { command.clone() };
        let (code, stdout, stderr) = run(command, folder);
        let place = format!("line {}: {command}\n{stdout}{stderr}", block.line);
        assert!(code.is_some_and(|code| codes(command).contains(&code)), "{code:?} {place}");
        if let Some(answer) = answer(command) {
            let mut words = stdout.split(|c: char| !c.is_ascii_digit());
            assert!(words.any(|word| word == answer), "{place}");
        }
        printed = printed.map(|before| before + &stdout);
    }
    printed
}

/// Whether the page shows lists, with at least one line to begin with.
fn is_list(block: &Block) -> bool {
    block.commands.iter().all(|command| command.starts_with(LISTS)) && !block.shown.is_empty()
}

/// The text before two spaces: what a line is about.
fn label(line: &str) -> &str {
    line.trim_start().split("  ").next().unwrap()
}

/// The shown lines as they are printed now: a line that is not printed any more becomes the next one of its label.
fn refreshed(shown: &[String], printed: &str) -> Vec<String> {
    let mut lines = printed.lines();
    let refresh = |line: &String| {
        let alone = std::slice::from_ref(line);
        let same = |now: &str| missing(alone, now).is_none();
        let mut coming = lines.clone();
        if line.trim().is_empty() || line.trim() == "..." {
            line.clone()
        } else if let Some(at) = coming.position(same) {
            lines.nth(at);
            line.clone()
        } else if let Some(at) = lines.clone().position(|now| label(now) == label(line)) {
            lines.nth(at).unwrap().trim_end().to_string()
        } else {
            line.clone()
        }
    };
    shown.iter().map(refresh).collect()
}

/// Compares a page with what its commands print. Blocks that `update` selects get what is printed instead.
pub(super) fn judge(path: &Path, update: Option<fn(&Block) -> bool>) {
    let (page, folder) = (text_of(path), workplace());
    let mut lines: Vec<String> = page.lines().map(String::from).collect();
    // From the last to the first, so that lists of other lengths move no line that is still to come.
    let outputs: Vec<_> = blocks(&page)
        .into_iter()
        .filter(|block| update.is_none_or(|is_updated| is_updated(block)))
        .map(|block| (printed(&block, path, folder.path()), block))
        .collect();
    for (printed, block) in outputs.into_iter().rev() {
        let Some(printed) = printed else { continue };
        let now: Vec<String> = if is_list(&block) {
            printed.lines().map(|line| line.trim_end().to_string()).collect()
        } else {
            refreshed(&block.shown, &printed)
        };
        let place = format!("{}, line {}: it printed\n{printed}", path.display(), block.line);
        if update.is_some() && !block.shown.is_empty() {
            let from = block.shown_from - 1;
            lines.splice(from..from + block.shown.len(), now);
        } else if is_list(&block) {
            assert_eq!(block.shown, now, "{place}(`make update-suites` accepts it)");
        } else {
            assert_eq!(missing(&block.shown, &printed), None, "{place}");
        }
    }
    if update.is_some() {
        fs::write(path, lines.join("\n") + "\n").unwrap();
    }
}

/// Every page is a test of its own, so that they run beside each other.
macro_rules! pages {
    ($($test:ident $page:literal)*) => {
        const PAGES: &[&str] = &[$($page),*];
        $(
            #[test]
            fn $test() {
                judge(&root().join(BOOK).join($page), is_update().then_some(is_list));
            }
        )*
    };
}

pages! {
    readme "../../README.md"
    introduction "introduction.md"
    tutorial "tutorial.md"
    topologies_and_routings "topologies-and-routings.md"
    direct "direct.md"
    tori "tori.md"
    fabrics "fabrics.md"
    jobs "jobs.md"
    traffic_formats "traffic-formats.md"
    best_routings "best-routings.md"
    failures "failures.md"
    adversaries "adversaries.md"
    packets "packets.md"
    delivery_cycles "delivery-cycles.md"
    statements "statements.md"
    proofs "proofs.md"
    trust "trust.md"
    many_machines "many-machines.md"
    scripts "scripts.md"
    summary "SUMMARY.md"
}

#[test]
fn every_page_is_a_test() {
    let tested: BTreeSet<String> = PAGES[1..].iter().map(|page| (*page).to_string()).collect();
    assert_eq!(tested, book());
}

/// The table of verbs has every verb, with a command.
#[test]
fn the_readme_lists_every_verb() {
    let readme = text_of(&root().join("README.md"));
    let rows = readme.lines().skip_while(|line| !line.starts_with("| verb |")).skip(2);
    let rows = rows.take_while(|line| line.starts_with("| "));
    let verbs: BTreeSet<String> = rows
        .map(|row| {
            let verb = row.split('`').nth(1).unwrap().to_string();
            let of_verb = format!("routebound {verb}");
            assert!(in_row(row).unwrap().last().unwrap().starts_with(&of_verb), "{row}");
            verb
        })
        .collect();
    let (_, names, _) = run("routebound list verbs --names", root());
    assert_eq!(verbs, names.lines().map(String::from).collect());
}

/// Between them, the pages show every list but those of statements, studies and printed items, which have pages of
/// their own.
#[test]
fn every_list_is_shown() {
    let (_, all, _) = run("routebound list --json", root());
    let all: serde_json::Value = serde_json::from_str(&all).unwrap();
    let elsewhere = ["items", "theorems", "studies", "verbs", "verb", "schema"];
    let lists = all.as_object().unwrap().keys().filter(|list| !elsewhere.contains(&&***list));
    let lists = lists.map(|list| list.replace('_', "-"));
    let pages = book().into_iter().map(|page| text_of(&root().join(BOOK).join(page)));
    let shown = pages.flat_map(|page| blocks(&page)).filter(is_list).flat_map(|b| b.commands);
    let shown: Vec<String> = shown.filter(|command| !command.contains("--names")).collect();
    let shown: BTreeSet<&str> = shown.iter().flat_map(|list| list.split(' ').skip(2)).collect();
    let lists: Vec<String> = lists.collect();
    assert_eq!(shown, lists.iter().map(String::as_str).collect());
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
    let read = blocks(
        "x\n\n    routebound a \\\n      b\n    routebound c\n\n```text\nshown\n```\n\n| `x` | `routebound d` |\n",
    );
    assert_eq!(read[0].commands, ["routebound a b", "routebound c"]);
    assert_eq!((read[0].line, &read[0].shown[..]), (3, &["shown".to_string()][..]));
    assert_eq!((read.len(), read[0].shown_from), (2, 8));
    assert_eq!(read[1].commands, ["routebound d"]);
    let shown = ["max load  1", "...", "optu", "gone  2", "end"].map(String::from);
    let now = refreshed(&shown, "max load  3 of 4\nx\noptu      1\nend\n");
    assert_eq!(now, ["max load  3 of 4", "...", "optu      1", "gone  2", "end"]);
}
