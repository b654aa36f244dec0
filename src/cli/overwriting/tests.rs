//! Whose files are recognised, and that every output of every verb is looked at.

use super::*;
use crate::cli::VERBS;

#[test]
fn only_what_shows_that_it_is_ours_is() {
    for own in [
        "routebound-certificate 1\nnetwork",
        "{\"routebound_part\":1}",
        "%%MatrixMarket matrix coordinate\n% worst-case traffic, written by routebound\n",
        "# written by routebound\nnode-1\n",
        "<!-- written by routebound -->\n<svg>",
        "<html>\n<meta name=\"generator\" content=\"routebound 1.0\"/>",
        "link,name,level,direction,capacity,traffic,load,flows,contention\n",
    ] {
        assert!(is_marked(own), "{own}");
    }
    for foreign in [
        "%%MatrixMarket matrix coordinate real general\n2 2 1\n1 2 1\n",
        "source,destination,share,links\n0,1,1,0 1\n",
        "Notes: the file bad.mtx was written by routebound\n",
        "Notes\nwritten by routebound in May, and corrected since\n",
        "# Mine\n# worst-case traffic, written by routebound and halved\n",
        "seed,cycle,delivered\n1,2,3\n",
        "notes on <meta name=\"generator\" content=\"routebound 1.0\"/>",
        "digraph {\n}\n",
        "{\"topology\":\"mine\"}",
    ] {
        assert!(!is_marked(foreign), "{foreign}");
    }
}

#[test]
fn a_foreign_file_is_replaced_with_force_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mine.lrat");
    let [kept, forced] = [false, true].map(Overwriting::new);
    assert!(kept.file(&path).is_ok());
    fs::write(&path, "").unwrap();
    assert!(kept.file(&path).is_ok());
    fs::write(&path, "1 0\n").unwrap();
    let error = kept.file(&path).unwrap_err().to_string();
    assert!(error.contains("mine.lrat") && error.contains("`--force`"), "{error}");
    assert!(forced.file(&path).is_ok());
    fs::write(path.with_extension("cnf"), "c cover encoding: of a tree\n").unwrap();
    assert!(kept.file(&path).is_ok());
    let table = folder.path().join("mine.csv");
    fs::write(&table, "0,1,1\n").unwrap();
    fs::write(beside(&table, ".about"), "worst-case traffic, written by routebound\n").unwrap();
    assert!(kept.file(&table).is_ok());
    for path in [path, table] {
        let now = fs::metadata(&path).unwrap().modified().unwrap();
        let file = File::options().write(true).open(&path).unwrap();
        file.set_modified(now + std::time::Duration::from_mins(1)).unwrap();
        assert!(kept.file(&path).is_err(), "{} was edited", path.display());
    }
}

#[test]
fn a_folder_of_a_study_is_known_by_its_page() {
    let folder = tempfile::tempdir().unwrap();
    let [kept, forced] = [false, true].map(Overwriting::new);
    let path = folder.path();
    assert!(kept.study(path, "or-table-1").is_ok());
    fs::write(path.join("table.csv"), "mine\n").unwrap();
    assert!(kept.study(path, "or-table-1").is_err() && forced.study(path, "or-table-1").is_ok());
    fs::create_dir(path.join("README.md")).unwrap();
    assert!(kept.study(path, "or-table-1").is_err());
    fs::remove_dir(path.join("README.md")).unwrap();
    let page = "# Ratios\n\nMade by `routebound\nstudy or-table-1`.\n";
    fs::write(path.join("README.md"), page).unwrap();
    assert!(kept.study(path, "or-table-1").is_ok());
    assert!(["or-table", "or-table-12", ""].iter().all(|name| kept.study(path, name).is_err()));
}

/// The names that a folder below `results` would have as a study.
fn pages(folder: &Path, name: &str, found: &mut Vec<(PathBuf, String)>) {
    if folder.join("README.md").is_file() {
        found.push((folder.to_path_buf(), name.to_string()));
    }
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        if entry.file_type().unwrap().is_dir() {
            let own = entry.file_name().into_string().unwrap();
            let name = if name.is_empty() { own } else { format!("{name}-{own}") };
            pages(&entry.path(), &name, found);
        }
    }
}

/// The pages of studies belong to these alone, and the pages that list them, written by hand, to none.
#[test]
fn committed_pages_are_of_their_own_study() {
    let mut found = Vec::new();
    pages(&Path::new(env!("CARGO_MANIFEST_DIR")).join("results"), "", &mut found);
    let is_list = |name: &str| ["", "asked", "gl", "go", "or", "ro"].contains(&name);
    assert_eq!(found.iter().filter(|(_, name)| is_list(name)).count(), 6);
    for (folder, page) in &found {
        for (_, name) in &found {
            let is_own = page == name && !is_list(name);
            assert_eq!(is_study(folder, name), is_own, "{name} in {}", folder.display());
        }
        for kind in crate::study::KINDS {
            assert_eq!(is_study(folder, kind.name), page == kind.name, "{}", folder.display());
        }
    }
    assert!(found.len() > 20, "{}", found.len());
}

/// What options need beside them, each with one of the examples of its verb.
const COMPANIONS: &[&str] =
    &["", "--format=dot", "--paths", "--links", "--sweep=n=16", "--local-adaptive", "--load=1"];

/// The arguments that name outputs.
fn outputs_of(verb: &Verb) -> Vec<clap::Arg> {
    let file = clap::Arg::new("file").value_parser(clap::value_parser!(OutputPath));
    let folder = clap::Arg::new("folder").value_parser(clap::value_parser!(OutputFolder));
    let types = [file, folder].map(|argument| argument.get_value_parser().type_id());
    let all = (verb.arguments)(clap::Command::new(verb.name));
    let is_output = |argument: &&clap::Arg| types.contains(&argument.get_value_parser().type_id());
    all.get_arguments().filter(is_output).cloned().collect()
}

/// The arguments of an example of a verb with an output.
fn with_output(verb: &Verb, option: &str, path: &Path) -> ArgMatches {
    let parsed = |example: &str, companion: &str| {
        let mut words: Vec<String> = example.split(' ').map(String::from).collect();
        words.extend(Some(companion).filter(|word| !word.is_empty()).map(String::from));
        // The example may have one already.
        if let Some(at) = words.iter().position(|word| *word == format!("--{option}")) {
            words.drain(at..=at + 1);
        }
        words.insert(0, "routebound".to_string());
        words.push(format!("--{option}={}", path.display()));
        crate::cli::command().try_get_matches_from(words).ok()
    };
    let mut lines = verb.examples.iter().flat_map(|one| COMPANIONS.iter().map(move |c| (one, c)));
    let found = lines.find_map(|(example, companion)| parsed(example, companion));
    let (_, own) = found.as_ref().and_then(ArgMatches::subcommand).unwrap_or_else(|| {
        panic!("{} --{option}: what goes with it stands not in COMPANIONS", verb.name)
    });
    own.clone()
}

/// A user learns one vocabulary, and knows an output by its name.
#[test]
fn outputs_of_all_verbs_have_names_that_say_so() {
    let mut count = 0;
    for verb in VERBS {
        for argument in outputs_of(verb) {
            let name = argument.get_long().unwrap();
            let known = ["certificate", "certificate-before", "output", "part"].contains(&name);
            assert!(known || name.starts_with("save-"), "{} --{name}", verb.name);
            count += 1;
        }
        let all = (verb.arguments)(clap::Command::new(verb.name));
        let ids: Vec<clap::Id> =
            outputs_of(verb).iter().map(|argument| argument.get_id().clone()).collect();
        for argument in all.get_arguments().filter(|one| !ids.contains(one.get_id())) {
            let name = argument.get_long().unwrap_or_default();
            assert!(!name.starts_with("save"), "{} --{name} is not an output", verb.name);
        }
    }
    assert!(count > 20, "{count}");
}

/// Every output of every verb is looked at before the work.
#[test]
fn no_option_replaces_a_file_of_somebody_else() {
    let folder = tempfile::tempdir().unwrap();
    let (foreign, own) = (folder.path().join("mine.mtx"), folder.path().join("own.mtx"));
    fs::write(&foreign, "%%MatrixMarket matrix coordinate real general\n2 2 0\n").unwrap();
    fs::write(&own, format!("%%MatrixMarket matrix\n% {MARK}\n")).unwrap();
    let [kept, forced] = [false, true].map(Overwriting::new);
    for verb in VERBS {
        for argument in outputs_of(verb).iter().filter(|one| one.get_id() != "part") {
            let option = argument.get_long().unwrap();
            let checked =
                |path: &Path, allowed| check(verb, &with_output(verb, option, path), allowed);
            let place = format!("{} --{option}", verb.name);
            let nowhere = checked(&foreign.join("in/it"), kept).unwrap_err();
            assert!(format!("{nowhere:#}").contains("cannot write"), "{place}: {nowhere:#}");
            assert!(checked(&folder.path().join("new"), kept).is_ok(), "{place}");
            if argument.get_value_names().is_some_and(|names| names[0] == "FOLDER") {
                assert!(checked(&foreign, forced).is_err(), "{place}");
                continue;
            }
            let refused = checked(&foreign, kept).unwrap_err().to_string();
            assert!(refused.contains("add `--force`"), "{place}: {refused}");
            assert!(checked(&foreign, forced).is_ok() && checked(&own, kept).is_ok(), "{place}");
        }
    }
    let names = fs::read_dir(folder.path()).unwrap().map(|file| file.unwrap().file_name());
    assert_eq!(names.count(), 2, "nothing is left of the trials");
}
