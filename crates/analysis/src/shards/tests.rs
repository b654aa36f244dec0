//! Shards, parts and their merge, without an engine.

#[path = "../../../../tests/common/resealed.rs"]
mod resealed;

use std::fs;
use std::path::Path;

use super::line::Header;
use super::*;
use resealed::resealed;

/// Squares; unit 7 is never final.
struct Squares;

impl Work for Squares {
    type Result = u64;
    type Scratch = ();

    fn scratch(&self) {}

    fn find(&self, (): &mut (), unit: u64) -> Found<u64> {
        if unit == 7 { Found::Passing(49) } else { Found::Final(unit * unit) }
    }

    fn fits(&self, unit: u64, result: &u64) -> bool {
        *result >= unit
    }
}

fn command() -> Command {
    Command(vec!["square".into(), "12".into()])
}

fn shard(text: &str) -> Shard {
    text.parse().unwrap()
}

fn all() -> Vec<Option<u64>> {
    (0..12_u64).map(|unit| Some(unit * unit)).collect()
}

/// Runs a shard to its end, and returns what it knows.
fn run(path: &Path, text: &str) -> (Vec<Option<u64>>, Kept) {
    let part = Arc::new(Part::open(path, command(), shard(text)).unwrap());
    let found = Units::from(Arc::clone(&part)).each("squares", 0..12, &Squares);
    let kept = part.finish(false).unwrap();
    (found, kept)
}

#[test]
fn every_unit_is_done_by_one_shard() {
    for of in [1, 2, 3, 7, 16] {
        let shards: Vec<Shard> = (1..=of).filter_map(|i| Shard::new(i, of)).collect();
        assert_eq!(shards.len() as u64, of);
        for unit in 0..100 {
            assert_eq!(shards.iter().filter(|shard| shard.does(unit)).count(), 1, "{unit} of {of}");
        }
        // Also of the even units alone no shard gets more than its share and a few.
        let even = |shard: &Shard| (0..100).step_by(2).filter(|unit| shard.does(*unit)).count();
        assert!(shards.iter().all(|shard| even(shard) <= 50_usize.div_ceil(shards.len()) + 3));
    }
    for bad in ["", "3", "0/4", "5/4", "1/0", "a/b", "1/65537", "1/2/3"] {
        assert!(matches!(bad.parse::<Shard>(), Err(ShardError::Shard(_))), "{bad}");
    }
}

#[test]
fn parts_of_any_number_of_shards_are_the_whole() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(Units::default().each("squares", 0..12, &Squares), all());
    for of in [1, 2, 7] {
        let paths: Vec<_> = (1..=of).map(|i| folder.path().join(format!("{i}-{of}"))).collect();
        for (i, path) in (1..).zip(&paths) {
            let (found, kept) = run(path, &format!("{i}/{of}"));
            let own = found.iter().flatten().count() as u64;
            let passing = u64::from(found[7].is_some());
            assert_eq!(kept, Kept { kept: own - passing, of: own, finished: true });
        }
        let parts = Parts::open(paths.iter().map(|path| &**path)).unwrap();
        assert_eq!(parts.known.len(), 11);
        let units = Units::from(Arc::new(parts));
        assert_eq!(units.each("squares", 0..12, &Squares), all());
        units.check().unwrap();
    }
}

#[test]
fn a_torn_part_is_continued() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("part");
    run(&path, "1/2");
    let whole = fs::read(&path).unwrap();
    // Killed after any byte: the same lines are there in the end.
    for end in 0..whole.len() {
        fs::write(&path, &whole[..end]).unwrap();
        let (_, kept) = run(&path, "1/2");
        assert!(kept.finished, "{end}");
        let mut lines: Vec<String> =
            fs::read_to_string(&path).unwrap().lines().map(str::to_string).collect();
        let mut expected: Vec<String> =
            String::from_utf8(whole.clone()).unwrap().lines().map(str::to_string).collect();
        lines.sort();
        expected.sort();
        assert_eq!(lines, expected, "{end}");
    }
}

#[test]
fn foreign_parts_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    run(&path("1"), "1/2");
    let open = |names: &[&str]| {
        let paths: Vec<_> = names.iter().map(|name| path(name)).collect();
        Parts::open(paths.iter().map(|path| &**path)).map(|_| ()).unwrap_err()
    };
    assert!(matches!(open(&[]), ShardError::NoParts));
    let missing = ShardError::Incomplete { missing: Some("2/2".into()), unfinished: None };
    assert_eq!(open(&["1"]), missing);
    // The file of a shard is not that of another one, nor of another command.
    let other = Part::open(&path("1"), command(), shard("2/2")).unwrap_err();
    assert!(matches!(other, ShardError::Command { .. }), "{other}");
    let other = Part::open(&path("1"), Command(vec!["cube".into()]), shard("1/2")).unwrap_err();
    assert!(matches!(other, ShardError::Command { .. }), "{other}");
    fs::write(path("text"), "hello\n").unwrap();
    let other = Part::open(&path("text"), command(), shard("1/2")).unwrap_err();
    assert!(matches!(other, ShardError::NoPart { .. }), "{other}");
    assert_eq!(fs::read_to_string(path("text")).unwrap(), "hello\n");
    let one = Part::open(&path("1"), command(), shard("1/2")).unwrap();
    let two = Part::open(&path("1"), command(), shard("1/2")).unwrap_err();
    assert!(matches!(two, ShardError::InUse(_)), "{two}");
    drop(one);
}

#[test]
fn damaged_parts_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    run(&path("1"), "1/2");
    run(&path("2"), "2/2");
    let open = |names: &[&str]| {
        let paths: Vec<_> = names.iter().map(|name| path(name)).collect();
        Parts::open(paths.iter().map(|path| &**path)).map(|_| ()).unwrap_err()
    };
    let whole = fs::read_to_string(path("1")).unwrap();
    let changed = |from: &str, to: &str| {
        assert!(whole.contains(from));
        fs::write(path("changed"), resealed(&whole.replace(from, to))).unwrap();
    };
    let unfinished: String = whole.lines().filter(|line| !line.contains("finished")).join_lines();
    fs::write(path("changed"), unfinished).unwrap();
    assert!(matches!(open(&["changed", "2"]), ShardError::Incomplete { missing: None, .. }));
    // A changed first line, and a line of another part.
    fs::write(path("changed"), whole.replace("square", "sphere")).unwrap();
    assert!(matches!(open(&["changed", "2"]), ShardError::Line { line: 1, .. }));
    let other = fs::read_to_string(path("2")).unwrap();
    let mixed = other.lines().next().into_iter().chain(whole.lines().skip(1)).join_lines();
    fs::write(path("changed"), mixed).unwrap();
    assert!(matches!(open(&["1", "changed"]), ShardError::Line { line: 2, .. }));
    changed("\"unit\":0", "\"unit\":x");
    assert!(matches!(open(&["changed", "2"]), ShardError::Line { .. }));
    changed("\"unit\":0", "\"unit\":1");
    assert!(matches!(open(&["changed", "2"]), ShardError::Differ { unit: 1, .. }));
    changed("\"found\":9,", "\"found\":10,");
    assert!(matches!(open(&["1", "changed", "2"]), ShardError::Differ { unit: 3, .. }));
    changed("square", "cube");
    assert!(matches!(open(&["changed", "2"]), ShardError::Command { .. }));
    changed("\"version\":\"", "\"version\":\"9.");
    assert!(matches!(open(&["changed", "2"]), ShardError::NoPart { .. }));
    // A number that its unit cannot have is noticed when it is used.
    changed("\"found\":9,", "\"found\":2,");
    let paths = [path("changed"), path("2")];
    let parts = Parts::open(paths.iter().map(|path| &**path)).unwrap();
    let units = Units::from(Arc::new(parts));
    units.each("squares", 0..12, &Squares);
    assert!(matches!(units.check(), Err(ShardError::Result { unit: 3, .. })));
}

trait JoinLines {
    /// All of them, each with its end.
    fn join_lines(self) -> String;
}

impl<'l, I: Iterator<Item = &'l str>> JoinLines for I {
    fn join_lines(self) -> String {
        self.flat_map(|line| [line, "\n"]).collect()
    }
}

/// A process that was just killed may hold its part for a moment.
#[test]
fn a_part_is_waited_for() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("part");
    let held = Part::open(&path, command(), shard("1/2")).unwrap();
    let killed = std::thread::spawn(move || {
        std::thread::sleep(std::time::Duration::from_millis(100));
        drop(held);
    });
    Part::open(&path, command(), shard("1/2")).unwrap();
    killed.join().unwrap();
}

/// What is not a part is not read to its end, which a device may not have.
#[cfg(target_os = "linux")]
#[test]
fn the_first_bytes_show_a_part() {
    let error = Parts::open(["/dev/zero".as_ref()]).map(|_| ()).unwrap_err();
    assert!(matches!(error, ShardError::NoPart { .. }), "{error}");
    let error = Part::open("/dev/zero".as_ref(), command(), shard("1/2")).unwrap_err();
    assert!(error.to_string().ends_with("it is not a regular file"), "{error}");
}

/// Who does the whole work and keeps it knows everything, also where it cannot be kept.
#[test]
fn the_whole_work_is_done_with_a_part() {
    let part = Arc::new(Part::in_memory(command(), shard("1/1")));
    let units = Units::whole(Arc::clone(&part));
    assert!(units.part().is_none() && units.kept().is_some());
    assert_eq!(units.each("squares", 0..12, &Squares), all());
    assert_eq!(Units::whole(Arc::clone(&part)).each("squares", 0..12, &Squares), all());
    part.limit(1);
    assert_eq!(units.each("cubes", 0..12, &Squares), all());
    assert!(units.have_failed() && part.finish(false).is_err());
}

/// Whatever byte is damaged, the line is named; nothing after it is taken for a torn end.
#[test]
fn damage_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("part");
    run(&path, "1/1");
    let whole = fs::read(&path).unwrap();
    let lines: Vec<&[u8]> = whole.split_inclusive(|byte| *byte == b'\n').collect();
    assert_eq!(resealed(std::str::from_utf8(&whole).unwrap()).as_bytes(), whole);
    let begin = lines[0].len() + lines[1].len();
    let end = begin + lines[2].len() - 1;
    for at in begin..end {
        for byte in [0xff, b'7', b'x', b'{'].into_iter().filter(|byte| *byte != whole[at]) {
            let mut damaged = whole.clone();
            damaged[at] = byte;
            fs::write(&path, &damaged).unwrap();
            for error in [
                Part::open(&path, command(), shard("1/1")).unwrap_err(),
                Parts::open([&*path]).map(|_| ()).unwrap_err(),
            ] {
                let ShardError::Line { line, .. } = error else { panic!("{at}: {error}") };
                assert_eq!(line, 3);
            }
            assert_eq!(fs::read(&path).unwrap(), damaged, "a damaged part was changed");
        }
    }
}

/// A part that holds no result is not a loss: a command that was mistyped leaves one.
#[test]
fn a_part_without_results_gives_way() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("part");
    let other = || Command(vec!["squar".into(), "12".into()]);
    drop(Part::open(&path, other(), shard("1/2")).unwrap());
    let (_, kept) = run(&path, "1/2");
    assert!(kept.finished);
    let error = Part::open(&path, other(), shard("1/2")).unwrap_err();
    assert!(matches!(error, ShardError::Command { .. }), "{error}");
    // The first line of another command that was cut short, and nothing at all.
    let torn = other();
    let torn = Header::new(torn, shard("2/2")).line();
    for text in ["", &torn[..5], &torn[..torn.len() - 1]] {
        fs::write(&path, text).unwrap();
        let error = Parts::open([&*path]).map(|_| ()).unwrap_err();
        assert!(matches!(error, ShardError::Torn(_)), "{error}");
        run(&path, "1/2");
    }
    fs::write(&path, "hello").unwrap();
    let error = Part::open(&path, command(), shard("1/2")).unwrap_err();
    assert!(matches!(error, ShardError::NoPart { .. }), "{error}");
    assert_eq!(fs::read_to_string(&path).unwrap(), "hello");
}

#[test]
fn a_part_holds_no_more_than_can_be_read() {
    let part = Arc::new(Part::in_memory(command(), shard("1/1")));
    let most = part.text().unwrap().len() + 3 * 60;
    part.limit(most as u64);
    let units = Units::from(Arc::clone(&part));
    let found = units.each("squares", 0..1000, &Squares);
    assert!(units.have_failed());
    let error = part.finish(false).unwrap_err();
    assert!(error.to_string().contains("number of bytes of a part"), "{error}");
    assert!(part.text().unwrap().len() <= most);
    // What comes after the failure is not even begun.
    assert!(found.iter().flatten().count() < 100, "{found:?}");
    let rest = units.each("cubes", 0..1000, &Squares);
    assert_eq!(rest.iter().flatten().count(), 0);
}

fn content(input: &str, crc32: u32) -> Content {
    Content { input: input.into(), bytes: 7, crc32 }
}

#[test]
fn all_shards_read_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let [one, two] = ["1", "2"].map(|name| folder.path().join(name));
    let read = |names: &[(&str, u32)]| names.iter().map(|(n, crc)| content(n, *crc)).collect();
    let same: BTreeSet<Content> = read(&[("a", 1), ("b", 2)]);
    let run = |path: &Path, text: &str, inputs: &BTreeSet<Content>| {
        let part = Arc::new(Part::open(path, command(), shard(text))?);
        let units = Units::from(Arc::clone(&part));
        units.reads(inputs, true)?;
        units.each("squares", 0..12, &Squares);
        part.finish(false)
    };
    run(&one, "1/2", &same).unwrap();
    run(&two, "2/2", &same).unwrap();
    let merge = |inputs: &BTreeSet<Content>| {
        let parts = Parts::open([&*one, &*two]).unwrap();
        Units::from(Arc::new(parts)).reads(inputs, true)
    };
    merge(&same).unwrap();
    run(&one, "1/2", &same).unwrap();
    // Changed, one more, one less.
    for (now, input) in [
        (read(&[("a", 1), ("b", 3)]), "b"),
        (read(&[("a", 1), ("b", 2), ("c", 3)]), "c"),
        (read(&[("b", 2)]), "a"),
    ] {
        let changed = ShardError::changed(input, shard("1/2"));
        assert_eq!(merge(&now), Err(changed));
    }
    // A resumed shard may have ended before it had read everything, but what it read was the same.
    let text = fs::read_to_string(&one).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    fs::write(&one, format!("{}\n{}\n", lines[0], lines[1])).unwrap();
    let error = run(&one, "1/2", &read(&[("a", 9), ("b", 2)])).unwrap_err();
    assert_eq!(error, ShardError::changed("a", shard("1/2")));
    run(&one, "1/2", &same).unwrap();
    merge(&same).unwrap();
    run(&one, "1/2", &read(&[("-", 1)])).unwrap_err();
    assert_eq!(merge(&read(&[("-", 1)])), Err(ShardError::Stdin));
}

#[test]
fn a_message_names_only_some_shards() {
    let part = Part::in_memory(command(), shard("3/100"));
    let stopped = || Ok(("three".to_string(), part.text().unwrap()));
    let error = Parts::read([stopped()]).map(|_| ()).unwrap_err().to_string();
    assert!(error.starts_with("there is no part of shard 1/100, 2/100, 4/100, "), "{error}");
    assert!(error.contains(", 17/100 and 83 more: run it again"), "{error}");
    let unfinished = "shard 3/100 (three) is not finished: run it again with this part";
    assert!(error.contains(unfinished), "{error}");
}

#[test]
fn names_keep_stages_apart() {
    let part = Arc::new(Part::in_memory(command(), shard("1/1")));
    let units = Units::from(Arc::clone(&part));
    units.within("a").each("squares", 0..2, &Squares);
    units.within("b").each("squares", 0..2, &Squares);
    part.finish(false).unwrap();
    let text = part.text().unwrap();
    let parts = Parts::read([Ok(("memory".to_string(), text))]).unwrap();
    assert_eq!(parts.known.len(), 4);
    assert!(parts.known("a: squares", 1).is_some() && parts.known("squares", 1).is_none());
}
