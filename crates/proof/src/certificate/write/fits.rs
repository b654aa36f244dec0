//! Whether a certificate can be read again once it is written: the limits of the format.

use std::io::{self, Write};
use std::slice;

use super::super::budget::{Budget, Listed};
use super::super::lines::{MAX_BYTES, MAX_LINE};
use super::super::{
    Among, Automorphism, Certificate, Cover, DualDemand, FailuresCertificate, JobsCertificate,
    Least, Optimality, OptimumCertificate, RoutedTraffic, RoutingForm, WorstCaseCertificate,
};
use super::rows::{Row, length_of, write_rows};
use super::{write_head, write_routing, write_tail};
use crate::limit::TooLarge;
use crate::progress::{Interrupted, Progress, Stopped};
use crate::rational::MAX_DIGITS;

/// Verifies that a certificate, once written, is within the limits on bytes, lines, digits, nodes
/// of cuts and what is listed. O(length of the text).
///
/// # Errors
/// [`Interrupted`] above one of them, or when `progress` ends.
pub fn fits(certificate: &Certificate, progress: &Progress) -> Result<(), Interrupted> {
    counted(certificate)?;
    let mut measure = Measure { progress, line: 1, column: 0, bytes: 0, digits: 0 };
    measure.take(certificate).map_err(|error| match error.downcast::<TooLarge>() {
        Ok(limit) => Interrupted::TooLarge(limit),
        // Nothing else ends the measuring.
        Err(_) => Interrupted::Stopped(Stopped),
    })
}

/// Counts everything that a reader counts before holding it in memory.
pub(in crate::certificate) fn counted(certificate: &Certificate) -> Result<Budget, TooLarge> {
    let mut budget = Budget::default();
    match certificate {
        Certificate::WorstCase(certificate) => check_worst_case(certificate, &mut budget)?,
        Certificate::Optimum(OptimumCertificate { demands, flow, lengths, .. }) => {
            budget.take(Listed::Amounts, demands.len() + lengths.len())?;
            take_flow(flow, &mut budget)?;
        }
        Certificate::Product(certificate) => {
            let mut sent = certificate.witnesses.iter().map(|witness| witness.sent.len());
            sent.try_for_each(|count| budget.take(Listed::Amounts, count))?;
        }
        Certificate::Local(certificate) => {
            let rules = certificate.rules.iter();
            let mut numbers = rules.map(|rule| rule.destinations.len() + rule.tops.len());
            numbers.try_for_each(|count| budget.take_path(count))?;
        }
        Certificate::Jobs(certificate) => take_jobs(certificate, &mut budget)?,
        Certificate::Failures(certificate) => take_failures(certificate, &mut budget)?,
    }
    Ok(budget)
}

fn take_jobs(certificate: &JobsCertificate, budget: &mut Budget) -> Result<(), TooLarge> {
    take_routing(&certificate.routing, budget)?;
    let members = certificate.groups.iter().flat_map(|group| &group.members);
    budget.take(Listed::Amounts, members.map(|member| 1 + member.len()).sum())?;
    budget.take(Listed::Amounts, certificate.used_by.len() + certificate.sends.len())?;
    take_covers(&certificate.covers, budget)
}

fn take_failures(certificate: &FailuresCertificate, budget: &mut Budget) -> Result<(), TooLarge> {
    let FailuresCertificate { elements, set, demands, automorphisms, failed, .. } = certificate;
    take_routing(&certificate.routing, budget)?;
    let numbers = elements.iter().chain(failed.iter().map(|(set, _)| set)).map(Vec::len);
    budget.take(Listed::Amounts, numbers.sum::<usize>() + set.len() + demands.len())?;
    take_automorphisms(automorphisms, budget)?;
    take_covers(&certificate.covers, budget)?;
    failed.iter().try_for_each(|(_, covers)| take_covers(covers, budget))
}

fn take_flow(flow: &RoutedTraffic, budget: &mut Budget) -> Result<(), TooLarge> {
    match flow {
        RoutedTraffic::Even => Ok(()),
        RoutedTraffic::Paths(paths) => {
            paths.iter().try_for_each(|path| budget.take_path(path.links.len()))
        }
    }
}

fn check_worst_case(
    certificate: &WorstCaseCertificate,
    budget: &mut Budget,
) -> Result<(), TooLarge> {
    let WorstCaseCertificate { routing, cuts, witness, covers, optimality, .. } = certificate;
    take_automorphisms(&certificate.automorphisms, budget)?;
    take_routing(routing, budget)?;
    certificate
        .classes
        .iter()
        .try_for_each(|class| budget.take(Listed::ClassHosts, class.len()))?;
    budget.take(Listed::Amounts, witness.demands.len())?;
    take_flow(&witness.flow, budget)?;
    take_covers(covers, budget)?;
    match optimality {
        Some(Optimality::OverPaths(least)) => take_least(least, budget)?,
        Some(Optimality::AdaptiveRates(bound)) => {
            budget.take(Listed::Amounts, bound.demands.len() + bound.lengths.len())?;
            bound.flow.iter().try_for_each(|flow| take_flow(flow, budget))?;
            take_among(&bound.among, budget)?;
        }
        _ => {}
    }
    cuts.iter().try_for_each(|cut| budget.take(Listed::CutNodes, cut.len()))
}

fn take_routing(routing: &RoutingForm, budget: &mut Budget) -> Result<(), TooLarge> {
    match routing {
        RoutingForm::Named(_) | RoutingForm::Split(_) => Ok(()),
        RoutingForm::Next(rows) => {
            rows.iter().try_for_each(|(_, next)| budget.take(Listed::NextLinks, next.len()))
        }
        RoutingForm::Paths(paths) => {
            paths.iter().try_for_each(|path| budget.take_path(path.links.len()))
        }
    }
}

fn take_automorphisms(records: &[Automorphism], budget: &mut Budget) -> Result<(), TooLarge> {
    records.iter().try_for_each(|Automorphism { nodes, links }| {
        let numbers: usize = nodes.iter().chain(links).map(Vec::len).sum();
        budget.take(Listed::Images, 1 + numbers)
    })
}

fn take_covers(covers: &[Cover], budget: &mut Budget) -> Result<(), TooLarge> {
    covers.iter().try_for_each(|cover| {
        let Cover { sources, destinations, out_cuts, in_cuts, lengths, .. } = cover;
        let hosts = sources.len() + destinations.len();
        budget.take(Listed::Amounts, hosts + out_cuts.len() + in_cuts.len() + lengths.len())
    })
}

fn take_least(least: &Least, budget: &mut Budget) -> Result<(), TooLarge> {
    for (_, DualDemand { demands, flow, .. }) in &least.dual_demands {
        budget.take(Listed::Amounts, demands.len())?;
        flow.iter().try_for_each(|flow| take_flow(flow, budget))?;
    }
    take_among(&least.among, budget)
}

fn take_among(among: &Among, budget: &mut Budget) -> Result<(), TooLarge> {
    match among {
        Among::All | Among::Shortest | Among::Own => Ok(()),
        Among::Listed(paths) => {
            paths.iter().try_for_each(|path| budget.take_path(path.links.len()))
        }
    }
}

/// Number of bytes in a part of a text: more digits in a row than allowed fill one of the parts.
const PART: usize = MAX_DIGITS / 2;

/// Counts what is written and keeps nothing.
struct Measure<'p> {
    progress: &'p Progress,
    line: u64,
    /// Bytes of the line so far.
    column: u64,
    bytes: u64,
    /// Digits in a row.
    digits: usize,
}

impl Measure<'_> {
    /// Counts what [`write`](fn@super::write) writes.
    fn take(&mut self, certificate: &Certificate) -> io::Result<()> {
        write_head(certificate, &[], self)?;
        match certificate.routing() {
            None => {}
            Some(RoutingForm::Next(rows)) => rows.iter().try_for_each(|row| self.take_row(row))?,
            Some(routing) => write_routing(routing, self)?,
        }
        write_tail(certificate, self)
    }

    /// Counts the line of a row, which is not made where it cannot exceed any limit.
    fn take_row(&mut self, row: &Row) -> io::Result<()> {
        let length = length_of(row) as u64 + 1;
        if length >= MAX_LINE || self.bytes + length >= MAX_BYTES {
            return write_rows(slice::from_ref(row), self);
        }
        self.progress.check().map_err(io::Error::other)?;
        (self.line, self.column, self.digits) = (self.line + 1, 0, 0);
        self.bytes += length;
        Ok(())
    }

    /// Counts a piece of a line that cannot exceed any limit; `false` where that is not known.
    fn count_piece(&mut self, bytes: &[u8]) -> bool {
        let length = bytes.len() as u64;
        let is_mixed = |part: &[u8]| part.len() < PART || !part.iter().all(u8::is_ascii_digit);
        let fits = self.digits <= PART
            && bytes.chunks(PART).all(is_mixed)
            && self.column + length < MAX_LINE
            && self.bytes + length < MAX_BYTES
            && !bytes.contains(&b'\n');
        if fits {
            let digits = bytes.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
            self.digits = if digits == bytes.len() { self.digits + digits } else { digits };
            (self.column, self.bytes) = (self.column + length, self.bytes + length);
        }
        fits
    }

    fn count(&mut self, byte: u8) -> Result<(), TooLarge> {
        let remedy = "certify a smaller instance, or one with fewer different denominators";
        self.digits = if byte.is_ascii_digit() { self.digits + 1 } else { 0 };
        self.column += 1;
        self.bytes += 1;
        let within = |what: &str, size: u64, limit: u64| {
            if size <= limit {
                return Ok(());
            }
            let what = format!("{what} line {}", self.line);
            Err(TooLarge { what, size: format!("more than {limit}"), limit, remedy: remedy.into() })
        };
        within("number of digits of a number in", self.digits as u64, MAX_DIGITS as u64)?;
        within("length in bytes of", self.column, MAX_LINE - 1)?;
        within("bytes of the certificate up to", self.bytes, MAX_BYTES - 1)
    }
}

impl Write for Measure<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.count_piece(bytes) {
            return Ok(bytes.len());
        }
        for byte in bytes {
            self.count(*byte).map_err(io::Error::other)?;
            if *byte == b'\n' {
                self.progress.check().map_err(io::Error::other)?;
                (self.line, self.column) = (self.line + 1, 0);
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::certificate::{NextLink, read};

    const TEXT: &str = "routebound-certificate 1
hosts 2
nodes 2
link 0 1 1
link 1 0 1
next 0 0
next 1 1
claim oblivious-ratio 1 @
witness 0 1
demand 0 1 1
route even
end
";

    fn fate(upper: &str) -> Result<(), Interrupted> {
        let mut certificate = read(TEXT.replace('@', "1").as_bytes()).unwrap();
        let Certificate::WorstCase(worst) = &mut certificate else { panic!("about a routing") };
        // A product is not limited the way a number in a text is.
        let factors = upper.split('*').map(|factor| factor.parse().unwrap());
        worst.claims[0].upper = factors.reduce(|a, b| &a * &b).unwrap();
        fits(&certificate, &Progress::silent())
    }

    #[test]
    fn what_fits_is_what_can_be_read() {
        let nines = "9".repeat(MAX_DIGITS);
        for upper in [&nines, &format!("1/{nines}")] {
            assert!(fate(upper).is_ok());
            assert!(read(TEXT.replace('@', upper).as_bytes()).is_ok());
        }
        let one = format!("1{}", "0".repeat(100));
        for product in [format!("{one}*{one}"), format!("1/{one}*1/{one}")] {
            match fate(&product) {
                Err(Interrupted::TooLarge(limit)) => {
                    assert_eq!(limit.what, "number of digits of a number in line 8", "{limit}");
                }
                other => panic!("{other:?}"),
            }
        }
    }

    #[test]
    fn lines_and_all_bytes_are_counted() {
        let progress = Progress::silent();
        let column = MAX_LINE - 2;
        let mut measure = Measure { progress: &progress, line: 3, column, bytes: 0, digits: 0 };
        assert!(measure.write_all(b"\n").is_ok());
        measure.column = column;
        let error = measure.write_all(b" \n").unwrap_err().to_string();
        assert!(error.starts_with("length in bytes of line 4 is more than"), "{error}");
        (measure.column, measure.bytes) = (0, MAX_BYTES - 2);
        assert!(measure.write_all(b" ").is_ok());
        let error = measure.write_all(b" ").unwrap_err().to_string();
        assert!(error.starts_with("bytes of the certificate up to line 4 is more"), "{error}");
        let row = (7, vec![NextLink::from(Some(8)), NextLink::NONE]);
        let length = length_of(&row) as u64 + 1;
        (measure.column, measure.bytes) = (0, MAX_BYTES - 1 - length);
        assert!(measure.take_row(&row).is_ok());
        assert_eq!((measure.line, measure.bytes), (5, MAX_BYTES - 1));
        (measure.column, measure.bytes) = (0, MAX_BYTES - length);
        let error = measure.take_row(&row).unwrap_err().to_string();
        assert!(error.starts_with("bytes of the certificate up to line 5 is more"), "{error}");
    }
}
