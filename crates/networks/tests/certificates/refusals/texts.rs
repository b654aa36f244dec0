//! Texts that are written, damaged, cut off or without end.
use routebound_networks::certificate::{self, Certificate, ReadError};
use routebound_networks::generators::checker::{Accepted, check};
use routebound_networks::rational::Rational;

use super::{certify, text};

#[test]
fn both_forms_survive_writing_and_are_accepted() {
    for (topology, routing) in [
        ("ft(4,2)", "dmodk"),
        ("ft(4,3)", "smodk"),
        ("ft(8,2)", "grid"),
        ("xgft(2;4,3;1,2)", "rnca-d(seed=5)"),
        ("xgft(2;2,3;2,2)", "random(seed=2)"),
    ] {
        for embed in [false, true] {
            let certificate = certify(topology, routing, embed);
            let again = certificate::read(text(&certificate).as_bytes()).unwrap();
            assert_eq!(again, Certificate::WorstCase(certificate));
            let claims = if topology.starts_with("xgft") { 1 } else { 2 };
            assert_eq!(check(&again).unwrap().len(), claims);
        }
    }
}

/// Change any one number by one: the checker refuses, or what it accepts is still true. A
/// changed instance is another instance, so instance lines are left alone here.
#[test]
fn no_changed_number_makes_it_accept_something_wrong() {
    let truth = Rational::from(2);
    let good = text(&certify("ft(4,2)", "dmodk", false));
    let lines: Vec<&str> = good.lines().collect();
    let mut refused = 0;
    for (at, line) in lines.iter().enumerate().skip(3) {
        let words: Vec<&str> = line.split(' ').collect();
        for (index, word) in words.iter().enumerate() {
            let Ok(number) = word.parse::<u32>() else { continue };
            for other in [number.wrapping_sub(1), number + 1, 0, 4_294_967_295] {
                let mut changed = words.clone();
                let other = other.to_string();
                changed[index] = &other;
                let mut all = lines.clone();
                let changed = changed.join(" ");
                all[at] = &changed;
                match certificate::read(all.join("\n").as_bytes()) {
                    Err(_) => refused += 1,
                    Ok(certificate) => match check(&certificate) {
                        Err(_) => refused += 1,
                        Ok(claims) => {
                            let holds =
                                |claim: &Accepted| claim.lower <= truth && truth <= claim.upper;
                            assert!(claims.iter().all(holds), "{line} -> {changed}");
                        }
                    },
                }
            }
        }
    }
    assert!(refused > 100, "{refused}");
}

#[test]
fn damaged_texts_are_refused_for_their_reason() {
    let good = text(&certify("ft(4,2)", "smodk", true));
    let read = |text: &str| certificate::read(text.as_bytes()).unwrap_err();
    let with = |from: &str, to: &str| {
        assert!(good.contains(from), "{from}");
        read(&good.replacen(from, to, 1))
    };
    assert!(matches!(read(""), ReadError::NotACertificate(_)));
    assert!(matches!(read("\u{0}\u{1}"), ReadError::NotACertificate(_)));
    assert!(matches!(with("certificate 1", "certificate 2"), ReadError::Version(_)));
    assert!(matches!(with("hosts", "guests"), ReadError::Unexpected { line: 2, .. }));
    assert!(matches!(with("hosts 8", "hosts 8 9"), ReadError::WordCount { line: 2, .. }));
    assert!(matches!(with("hosts 8", "hosts 99999999999"), ReadError::TooLarge(_)));
    assert!(matches!(with("hosts 8", "hosts -8"), ReadError::Integer { line: 2, .. }));
    let long = format!("claim oblivious-ratio {}", "9".repeat(300));
    assert!(matches!(with("claim oblivious-ratio 2", &long), ReadError::TooLarge(_)));
    assert!(matches!(with("ratio 2", "ratio 2/0"), ReadError::Rational { .. }));
    assert!(matches!(with("ratio 2", "ratio nan"), ReadError::Rational { .. }));
    assert!(matches!(with("oblivious", "obvious"), ReadError::Unexpected { .. }));
    assert!(matches!(with("route even", "route odd"), ReadError::Unexpected { .. }));
    assert!(matches!(with("cover 0 s", "cover 0 x"), ReadError::WordCount { .. }));
    assert!(matches!(with("claim", "cut 3-\nclaim"), ReadError::Integer { .. }));
    assert!(matches!(with("claim", "cut 0-4000000000\nclaim"), ReadError::TooLarge(_)));
    assert!(matches!(with("cover 0 s 0", "cover 0 s"), ReadError::WordCount { .. }));
    assert!(matches!(read(&format!("{good}more\n")), ReadError::TrailingText(_)));
}

#[test]
fn every_truncation_is_noticed() {
    let good = text(&certify("ft(4,2)", "dmodk", true));
    let lines: Vec<&str> = good.lines().collect();
    for count in 0..lines.len() {
        let cut = lines[..count].join("\n");
        let refused = certificate::read(cut.as_bytes()).is_err();
        assert!(refused, "accepted {count} of {} lines", lines.len());
    }
}

/// A line without end is refused after 16 MiB, not read to its end.
#[test]
fn endless_lines_are_refused() {
    let endless = std::io::BufReader::new(std::io::repeat(b'7'));
    assert!(matches!(certificate::read(endless), Err(ReadError::TooLarge(_))));
}
