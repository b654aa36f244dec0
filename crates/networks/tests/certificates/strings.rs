//! Certificates as strings.

use std::fs;

use routebound_networks::certificate::{self, Certificate, ReadError};
use routebound_networks::generators::checker::{Refusal, TextError, check_text};
use routebound_networks::progress::Progress;

use super::committed::certificates;
use super::fate::project;

/// A string of a certificate is the file that is committed, and read back it is the same.
#[test]
fn committed_certificates_come_back_from_their_strings() {
    let paths = certificates();
    assert!(paths.len() >= 60, "{}", paths.len());
    for path in paths {
        let text = fs::read_to_string(&path).unwrap();
        let certificate: Certificate = text.parse().unwrap();
        assert!(certificate::fits(&certificate, &Progress::silent()).is_ok());
        let written = certificate.to_string();
        let records = |text: &str| -> Vec<String> {
            text.lines().filter(|line| !line.starts_with('#')).map(str::to_string).collect()
        };
        assert_eq!(records(&written), records(&text), "{}", path.display());
        assert_eq!(written.parse::<Certificate>().unwrap(), certificate, "{}", path.display());
    }
}

/// Names may hold any character; what is written is never half of one.
#[test]
fn names_are_written_whole() {
    let text = "routebound-certificate 1\ntopology ft(4,2)\nclaim optu 1 1\ndemand 0 2 1\n\
        route even\nlength 0 1\nend\n";
    let Ok(Certificate::Optimum(mut certificate)) = text.parse() else { panic!("not read") };
    certificate.network = certificate::NetworkForm::Named("é(4,2)".to_string());
    let written = Certificate::Optimum(certificate).to_string();
    assert_eq!(written, text.replace("ft", "é"));
    assert!(matches!(written.parse::<Certificate>(), Err(ReadError::Character(2))));
}

#[test]
fn a_text_is_checked_or_the_reason_is_typed() {
    let path = "results/or/table-1/certificates/ft-4-3-dmodk.cert";
    let text = fs::read_to_string(project().join(path)).unwrap();
    let accepted = check_text(&text).unwrap();
    assert_eq!(accepted[0].quantity, "oblivious-ratio");
    // m - 1, as in Table I of [OR].
    assert_eq!((accepted[0].lower.clone(), accepted[0].upper.clone()), (3.into(), 3.into()));
    let more = text.replace("claim oblivious-ratio 3 3", "claim oblivious-ratio 4 4");
    let refused = check_text(&more);
    assert!(matches!(refused, Err(TextError::Refused(Refusal::WitnessTooLight { .. }))));
    let half = &text[..text.len() / 2];
    assert!(matches!(check_text(half), Err(TextError::Unreadable(_))));
}
