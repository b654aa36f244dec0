//! Claims on the top switches that local adaptive routing needs: what their rules and their refutation
//! must be.

use std::fs;
use std::path::Path;

use super::fate::{Fate, agreed, changed, fate_in, mutations};

/// The scheme of a network of two switches, which only its own hosts could block.
pub const TWO: &str = "routebound-certificate 1
topology ftree(2,2,2)
claim local-adaptive-switches 2 2
rule 0 2 0
rule 0 3 0
rule 0 2,3 0,1
rule 1 0 1
rule 1 1 0
rule 1 0,1 1,0
end
";

/// The committed certificate of ftree(2,3,4), with its formula and proof in `folder`.
fn refuted(folder: &Path) -> String {
    let committed =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("results/local-adaptive/certificates");
    for name in ["local-2-4.cnf", "local-2-4.lrat"] {
        fs::copy(committed.join(name), folder.join(name)).unwrap();
    }
    fs::read_to_string(committed.join("local-2-4.cert")).unwrap()
}

fn judge(text: &str, folder: &Path, reason: &str) {
    match fate_in(text.as_bytes(), folder) {
        Fate::Accepted => assert_eq!(reason, "", "{text}"),
        Fate::Refused(found) | Fate::TooLarge(found) => {
            assert!(!reason.is_empty() && found.contains(reason), "{found}\n{text}");
        }
    }
}

#[test]
fn rules_are_a_scheme() {
    let none = Path::new("");
    judge(TWO, none, "");
    for (from, to, reason) in [
        ("2 2\n", "3 2\n", "lower bound above its upper bound"),
        ("2 2\n", "0 2\n", ""),
        ("2 2\n", "2 3\n", "are about ftree(n,UPPER,r)"),
        ("ftree(2,2,2)", "ftree(2,3,2)", "are about ftree(n,UPPER,r)"),
        ("ftree(2,2,2)", "xgft(2;2,2;1,2)", ""),
        ("ftree(2,2,2)", "xgft(2;2,2;2,2)", "are about ftree(n,UPPER,r)"),
        ("ftree(2,2,2)", "ft(4,3)", "are about ftree(n,UPPER,r)"),
        ("ftree(2,2,2)", "universal(4)", "are about ftree(n,UPPER,r)"),
        ("ftree(2,2,2)", "ftree(2,2,3)", "no rule for"),
        ("rule 0 2 0\n", "", "switch 0 has no rule for some"),
        ("rule 0 2 0\n", "rule 0 2 0\nrule 0 2 1\n", "rule 1 repeats"),
        ("rule 0 2 0", "rule 0 2 2", "rule 0 is not about"),
        ("rule 0 2 0", "rule 0 1 0", "rule 0 is not about"),
        ("rule 0 2 0", "rule 0 4 0", "rule 0 is not about"),
        ("rule 0 2 0", "rule 2 2 0", "rule 0 is not about"),
        ("rule 0 2 0", "rule 0 2 0,1", "rule 0 is not about"),
        ("2,3 0,1", "3,2 0,1", "rule 2 is not about"),
        ("2,3 0,1", "2,2 0,1", "rule 2 is not about"),
        ("2,3 0,1", "2,3 1,1", "rule 2 is not about"),
        ("2,3 0,1", "2,3 0", "rule 2 is not about"),
        ("rule 0 2 0", "rule 0 2", "wrong number of words"),
        ("2,3 0,1", "2, 3 0,1", "wrong number of words"),
        ("2,3 0,1", "2,,3 0,1", "not a non-negative integer"),
        ("end", "fewer 2 a b\nend", "needs a `fewer` record"),
        ("claim", "routing dmodk\nclaim", "expected a claim about a routing"),
        ("switches 2 2", "switches 2/1 2", "not a non-negative integer"),
    ] {
        judge(&changed(TWO, &[(from, to)]), none, reason);
    }
}

#[test]
fn rules_of_two_switches_do_not_meet() {
    let folder = tempfile::tempdir().unwrap();
    let text = refuted(folder.path());
    judge(&text, folder.path(), "");
    // Hosts 4 and 5 are under switch 2: 0 and 1 may send to them at once.
    let top = |switch: u32, host: u32| {
        let name = format!("rule {switch} {host} ");
        text.lines().find_map(|line| line.strip_prefix(&name)).unwrap().to_string()
    };
    let (own, other) = (format!("rule 0 4 {}\n", top(0, 4)), format!("rule 0 4 {}\n", top(1, 5)));
    judge(&changed(&text, &[(&own, &other)]), folder.path(), "through the same top switch");
}

#[test]
fn fewer_switches_are_refuted_for_the_network() {
    let folder = tempfile::tempdir().unwrap();
    let text = refuted(folder.path());
    let fewer = text.lines().find(|line| line.starts_with("fewer")).unwrap();
    for (from, to, reason) in [
        ("switches 3 3", "switches 2 3", "needs a `fewer` record"),
        (fewer, "", "needs a `fewer` record"),
        ("fewer 4", "fewer 5", "not about a part"),
        ("fewer 4", "fewer 1", "not about a part"),
        ("fewer 4", "fewer 3", "differs from the encoding"),
        ("2-4.cnf", "2-4.lrat", "the formula local-2-4.lrat is refused"),
        ("2-4.lrat", "2-4.cnf", "the proof local-2-4.cnf is refused"),
    ] {
        judge(&changed(&text, &[(from, to)]), folder.path(), reason);
    }
}

#[test]
fn what_is_too_large_is_not_judged() {
    let none = Path::new("");
    for (from, to) in [("(2,2,2)", "(33,2,2)"), ("(2,2,2)", "(2,2,33)")] {
        judge(&changed(TWO, &[(from, to)]), none, "number of hosts");
    }
    // The size is refused before the files, which are not there, are looked at.
    let rule = |switch: u32, host: u32| format!("rule {switch} {host} 0\n");
    let rules: String = (0..64_u32)
        .flat_map(|switch| {
            (0..64).filter(move |host| *host != switch).map(move |d| rule(switch, d))
        })
        .collect();
    let text = format!(
        "routebound-certificate 1\ntopology ftree(1,4000000,64)\n\
         claim local-adaptive-switches 4000000 4000000\n{rules}fewer 64 a b\nend\n"
    );
    judge(&text, none, "size of the formula");
}

/// The checker encodes what the layer `sat` writes, whether or not it can be refuted: what is wrong is
/// the proof, which is not there, and a literal of the formula that is changed.
#[cfg(feature = "sat")]
#[test]
fn two_implementations_of_the_formula_agree() {
    use routebound::certificate::{Certificate, LocalCertificate, LocalRefutation};
    use routebound::generators::Named;
    use routebound::generators::checker::{BadFile, Check, Refusal};
    use routebound::nonblocking::{LocalOptions, least_local_switches};
    use routebound::progress::Progress;
    use routebound::sat::local_adaptive::LocalProblem;

    let folder = tempfile::tempdir().unwrap();
    let stopped = Progress::silent();
    stopped.stop().request();
    for (n, m, r) in [(2, 2, 3), (2, 3, 4), (2, 3, 5), (3, 3, 3), (3, 5, 3)] {
        // Nothing is searched: it is a scheme of 2n top switches or more.
        let all = least_local_switches(n, r, &LocalOptions::default(), &stopped).unwrap();
        let fewer = LocalRefutation { switches: r, formula: "f".into(), proof: "p".into() };
        let found = LocalCertificate { lower: m + 1, fewer: Some(fewer), ..all.certificate };
        let problem = LocalProblem { hosts: n, tops: m, switches: r };
        let written = problem.formula(&Progress::silent()).unwrap().unwrap();
        let mut text = Vec::new();
        written.write_dimacs("what is stated", &mut text).unwrap();
        fs::write(folder.path().join("f"), &text).unwrap();
        fs::write(folder.path().join("p"), "").unwrap();
        let check = Check::new(&Named).folder(folder.path());
        let refused = || check.run(&Certificate::Local(found.clone())).unwrap_err();
        let is_proof = matches!(refused(), Refusal::File(BadFile::Proof { .. }));
        assert!(is_proof, "{n} {m} {r}: {}", refused());
        let text = String::from_utf8(text).unwrap().replacen("\n-", "\n", 1);
        fs::write(folder.path().join("f"), &text).unwrap();
        assert!(matches!(refused(), Refusal::File(BadFile::Formula { .. })), "{n} {m} {r}");
    }
}

/// The second checker decides the same of every text with one word or line changed; where there is a proof to check, by
/// default of every third one.
#[test]
fn a_second_checker_agrees() {
    let folder = tempfile::tempdir().unwrap();
    let text = refuted(folder.path());
    let rules = |text: &str| text.lines().filter(|line| line.contains("rule")).count();
    let all_rules = |other: &String| {
        rules(other) == rules(&text)
            && text.lines().filter(|line| line.contains("rule")).all(|line| other.contains(line))
    };
    let step = if cfg!(feature = "slow-tests") { 1 } else { 3 };
    let refuted = mutations(&text).into_iter().filter(all_rules).step_by(step);
    let texts: Vec<String> = mutations(TWO).into_iter().chain(refuted).collect();
    let accepted = agreed(&texts, folder.path());
    assert!(texts.len() > 400 && accepted > 20, "{accepted} of {}", texts.len());
}
