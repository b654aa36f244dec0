//! Bounds on paths whose rates depend on the traffic: accepted when traffic and lengths prove them, refused for every
//! other reason.
use routebound_proof::certificate;
use routebound_proof::checker::check;

use super::fate::judge_texts;
use super::judge;

/// Two parallel links from host 0 to host 1, of which the pair may use the first one only: with 2 to send it has load
/// 2, where both links would have 1.
pub fn with_record() -> String {
    include_str!("rates/one_of_two.txt").to_string()
}

#[test]
fn it_survives_writing_and_is_accepted() {
    let text = with_record();
    let read = certificate::read(text.as_bytes()).unwrap();
    assert_eq!(certificate::read(read.to_string().as_bytes()).unwrap(), read);
    let record = text.find("adaptive-rates").unwrap();
    assert!(read.to_string().ends_with(&text[record..]));
    let found: Vec<String> = check(&read).unwrap().iter().map(ToString::to_string).collect();
    assert_eq!(found.last().unwrap(), "oblivious-ratio with adaptive rates = 2");
}

#[test]
fn traffic_and_lengths_prove_the_bound() {
    let point = |from: &'static str, to: &'static str| [(from, to)];
    let lower = |to| point("adaptive-rates oblivious-ratio 2 listed", to);
    let [one] = lower("adaptive-rates oblivious-ratio 1 listed");
    judge(
        &with_record(),
        &[
            (&lower("adaptive-rates oblivious-ratio 1/2 listed"), ""),
            (&lower("adaptive-rates oblivious-ratio 0 listed"), ""),
            // No max load is below optu, whatever the lengths.
            (&[one, ("length 0 1", "length 1 1")], ""),
            (&[one, ("length 0 1\n", "")], "≥ 0 only"),
            (
                &lower("adaptive-rates oblivious-ratio 3 listed"),
                "LOWER 3, but the claim has only 2",
            ),
            (&lower("adaptive-rates hose-load 1 listed"), "hose-load, which is not claimed"),
            (
                &lower("adaptive-rates optu 1 listed"),
                "expected oblivious-ratio, permutation-load or",
            ),
            (
                &lower("adaptive-rates oblivious-ratio 2 some"),
                "expected `all`, `shortest` or `listed`",
            ),
            (&lower("adaptive-rates oblivious-ratio 2"), "wrong number of words"),
            // With both links to divide the traffic over, the sender has a shorter way.
            (&point("allowed 0 1 0", "allowed 0 1 0\nallowed 0 1 1"), "≥ 0 only"),
            (&point("allowed 0 1 0", "allowed 0 1 1"), "a path of (0,1) is not among those"),
            (&point("allowed 1 0 2\n", ""), "a path of (1,0) is not among those"),
            (&point("allowed 0 1 0", "allowed 0 1 2"), "does not join its pair"),
        ],
    );
}

/// The routing's own paths, without a list of them.
pub fn own_paths() -> String {
    let text = with_record().replace("2 listed\nallowed 0 1 0\nallowed 1 0 2\n", "2 own\n");
    assert!(text.contains(" own\ndemand"));
    text
}

#[test]
fn the_paths_of_the_routing_need_no_list() {
    let text = own_paths();
    let read = certificate::read(text.as_bytes()).unwrap();
    assert_eq!(certificate::read(read.to_string().as_bytes()).unwrap(), read);
    judge(
        &text,
        &[
            (&[("length 0 1", "length 0 7")], ""),
            (&[("length 0 1", "length 1 1")], "≥ 0 only"),
            (&[("oblivious-ratio 2 own", "oblivious-ratio 3/2 own")], ""),
            // With a path over the other link the sender has a shorter way.
            (
                &[
                    ("path 0 1 1 0", "path 0 1 1/2 0\npath 0 1 1/2 1"),
                    ("claim oblivious-ratio 2 2", "claim oblivious-ratio 1 2"),
                    ("cover 2 s 1", "cover 1 s 0\ncover 2 s 1"),
                ],
                "≥ 0 only",
            ),
            (&[("2 own", "2 own\nallowed 0 1 0")], "expected"),
        ],
    );
}

#[test]
fn wrong_traffic_and_lengths_are_refused() {
    const DEMAND: &str = "demand 0 1 2\nroute even\nlength";
    let point = |from: &'static str, to: &'static str| [(from, to)];
    judge(
        &with_record(),
        &[
            // Less traffic, more than can be routed, none, or that of nobody.
            (&point(DEMAND, "demand 0 1 1\nroute even\nlength"), "≥ 1 only"),
            (&point(DEMAND, "demand 0 1 3\nroute even\nlength"), "more than the stated 1"),
            (&point(DEMAND, "route even\nlength"), "has no demand"),
            (&point(DEMAND, "demand 0 0 2\nroute even\nlength"), "bad demand"),
            (&point("route even\nlength", "length"), "needs a `route`"),
            // Lengths of other links, of all, of none.
            (&point("length 0 1", "length 1 1"), "≥ 0 only"),
            (&point("length 0 1", "length 0 1\nlength 1 1"), "≥ 1 only"),
            (&point("length 0 1\n", ""), "≥ 0 only"),
            (&point("length 0 1", "length 0 0"), "≥ 0 only"),
            (&point("length 0 1", "length 0 7"), ""),
            (&point("length 0 1", "length 0 1\nlength 0 1"), "length of link 0 is repeated"),
            (&point("length 0 1", "length 9 1"), "there is no such link"),
        ],
    );
}

/// On a star every pair has one path, which permutations and what hosts can send load with 1.
const STAR: &str = "routebound-certificate 1
hosts 3
nodes 4
link 0 3 1
link 1 3 1
link 2 3 1
link 3 0 1
link 3 1 1
link 3 2 1
split hops
claim permutation-load 1 1
claim hose-load 1 1
witness 0 1
demand 0 1 1
route even
ends
adaptive-rates permutation-load 1 shortest
demand 0 1 1/2
demand 1 2 1/2
length 0 1
length 1 1
end
";

#[test]
fn hosts_limit_permutations_and_what_is_sent() {
    let of = |changes: &[(&str, &str)]| {
        let change = |text: String, (from, to): &(&str, &str)| text.replace(from, to);
        changes.iter().fold(STAR.to_string(), change)
    };
    let half = ("adaptive-rates permutation-load 1 ", "adaptive-rates permutation-load 1/2 ");
    let hose = ("adaptive-rates permutation-load 1 ", "adaptive-rates hose-load 1 ");
    let whole = ("1/2", "1");
    let routed = ("length 0 1\n", "route even\nlength 0 1\n");
    let cases = [
        (of(&[]), "refused"),
        (of(&[half]), "accepted"),
        (of(&[whole]), "accepted"),
        (of(&[whole, hose]), "accepted"),
        (of(&[whole, ("shortest", "all")]), "accepted"),
        (of(&[whole, routed]), "refused"),
        (of(&[whole, hose, routed]), "refused"),
        // Host 0 sends twice: at most 1 in all if hosts are limited by their links, not at all in a permutation.
        (of(&[half, ("demand 1 2 1/2", "demand 0 2 1/2")]), "refused"),
        (of(&[hose, ("demand 1 2 1/2", "demand 0 2 1/2"), ("length 1 1\n", "")]), "accepted"),
        (of(&[whole, hose, ("demand 1 2 1\n", "demand 0 2 1\n")]), "refused"),
        (of(&[half, ("demand 0 1 1/2", "demand 0 1 3/2")]), "refused"),
        // A bound on one quantity needs a claim on it.
        (of(&[whole, hose, ("claim hose-load 1 1\n", "")]), "refused"),
    ];
    judge_texts(cases);
}

/// Hosts 0, 1, 2 in a triangle, with links 0 and 1 between hosts 0 and 1, and node 3 beside host 0, from which no way
/// leads on. All traffic takes the link between its hosts, so that the ratio is 2.
pub const TRIANGLE: &str = include_str!("rates/triangle.txt");

/// What is accepted about the rates.
fn accepted(text: &str) -> String {
    check(&certificate::read(text.as_bytes()).unwrap()).unwrap().pop().unwrap().to_string()
}

#[test]
fn with_all_paths_without_loops_nothing_is_lost() {
    let one = "oblivious-ratio with adaptive rates = 1";
    let between = "1 <= oblivious-ratio with adaptive rates <= 2";
    assert_eq!(accepted(TRIANGLE), one);
    let listed: Vec<&str> = TRIANGLE.lines().filter(|line| line.starts_with("allowed ")).collect();
    let without = |line: &str| TRIANGLE.replace(&format!("{line}\n"), "");
    for line in &listed {
        // The direct links have to be allowed, as the routing takes them; without any of the others something is lost.
        if line.split(' ').count() == 5 {
            assert_eq!(accepted(&without(line)), between, "{line}");
        }
    }
    // A path with a loop is none of them, and does not replace one; one more is no harm.
    let last = listed[1];
    let looped = format!("{last}\nallowed 0 1 6 7 0");
    assert_eq!(accepted(&TRIANGLE.replace(last, &looped)), one);
    let instead = accepted(&TRIANGLE.replace(last, "allowed 0 1 6 7 5 3"));
    assert_eq!(instead, between);
    let all = TRIANGLE.lines().filter(|line| !line.starts_with("allowed "));
    let all: String = all.map(|line| line.replace("listed", "all") + "\n").collect();
    assert_eq!(accepted(&all), one);
    assert_eq!(accepted(&all.replace("1 all", "1 shortest")), between);
}
