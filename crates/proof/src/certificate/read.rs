//! Reading certificates, with a typed reason and the line for every refusal.

use std::io::BufRead;

use super::budget::Listed;
use super::lines::{Lines, ReadError};
use super::{
    AllowedPath, Among, Certificate, Claim, Cover, DualDemand, EmbeddedNetwork, Least, LinkRecord,
    NetworkForm, NextLink, OPTU, Optimality, OptimumCertificate, PathRecord, Quantity,
    RoutedTraffic, RoutingForm, Split, Witness, WorstCaseCertificate,
};
use crate::limit::within;
use crate::rational::Rational;
use crate::topology::{Host, LinkId, MAX_LINKS, NodeId};
use crate::traffic::Demand;

/// Reads a certificate. Memory is proportional to what the text holds.
///
/// # Errors
/// [`ReadError`] with the line.
///
/// ```
/// # use routebound_proof as routebound;
/// use routebound::certificate::{ReadError, read};
/// assert!(matches!(read(&b"routebound-certificate 9\n"[..]), Err(ReadError::Version(_))));
/// assert!(matches!(read(&b"routebound-certificate 1\n"[..]), Err(ReadError::Truncated(1))));
/// ```
pub fn read(reader: impl BufRead) -> Result<Certificate, ReadError> {
    read_all(Lines::new(reader))
}

fn read_all<R: BufRead>(mut lines: Lines<R>) -> Result<Certificate, ReadError> {
    lines.header()?;
    let network = lines.network()?;
    let routing = lines.routing()?;
    let classes = lines.sets("class", Listed::ClassHosts)?;
    // Jobs have no classes of hosts: there a group is not expected.
    if classes.is_empty()
        && let Some(groups) = lines.groups()?
    {
        return Ok(Certificate::Jobs(lines.jobs((network, routing), groups)?));
    }
    let cuts = lines.sets("cut", Listed::CutNodes)?;
    let is_bare =
        routing == RoutingForm::Paths(Vec::new()) && cuts.is_empty() && classes.is_empty();
    #[cfg(feature = "names")]
    if let Some(found) = lines.of_kind((&network, &routing), (&classes, &cuts), is_bare)? {
        return Ok(found);
    }
    let Some(claim) = lines.claim()? else {
        return Err(lines.unexpected("a `claim` line"));
    };
    match claim.quantity {
        Some(_) => lines.about_routing(network, routing, classes, cuts, claim),
        None if is_bare => Ok(Certificate::Optimum(lines.optimum(network, claim)?)),
        None => Err(lines.unexpected("a claim about a routing")),
    }
}

/// What may stand where most certificates end.
const LAST: &str = "a `cover`, a `least` or the `end` line";

/// A claim; no quantity means optu.
struct AnyClaim {
    quantity: Option<Quantity>,
    lower: Rational,
    upper: Rational,
}

impl<R: BufRead> Lines<R> {
    fn network(&mut self) -> Result<NetworkForm, ReadError> {
        if let Some(words) = self.words("topology")? {
            if cfg!(not(feature = "names")) {
                return Err(self.is_named());
            }
            return Ok(NetworkForm::Named(words.join(" ")));
        }
        let [hosts] = self.wanted("hosts", "a `topology` or a `hosts` line")?;
        let hosts = self.integer::<u32>(&hosts)? as usize;
        let [nodes] = self.wanted("nodes", "a `nodes` line")?;
        let nodes = self.integer::<u32>(&nodes)? as usize;
        let mut links = Vec::new();
        while let Some([from, to, capacity]) = self.record("link")? {
            let (from, to) = (self.integer(&from)?, self.integer(&to)?);
            links.push(LinkRecord { from, to, capacity: self.rational(&capacity)? });
            let count = Some(links.len() as u128);
            within("number of links", count, MAX_LINKS, "check a smaller instance")?;
        }
        Ok(NetworkForm::Embedded(EmbeddedNetwork { hosts, nodes, links }))
    }

    fn routing(&mut self) -> Result<RoutingForm, ReadError> {
        if let Some(words) = self.words("routing")? {
            return Ok(RoutingForm::Named(words.join(" ")));
        }
        if let Some([split]) = self.record("split")? {
            let split = self.named(&split, &Split::NAMES, "`paths` or `hops`")?;
            return Ok(RoutingForm::Split(split));
        }
        let mut rows = Vec::new();
        while let Some(line) = self.line("next")? {
            rows.push(self.next_record(&line)?);
        }
        if !rows.is_empty() {
            return Ok(RoutingForm::Next(rows));
        }
        Ok(RoutingForm::Paths(self.paths()?))
    }

    /// Entries are read one by one: there may be very many.
    fn next_record(&mut self, line: &str) -> Result<(NodeId, Vec<NextLink>), ReadError> {
        let mut words = line.split_ascii_whitespace().skip(1);
        let node = words.next().ok_or_else(|| self.word_count("next"))?;
        let count = words.clone().count();
        if count == 0 {
            return Err(self.word_count("next"));
        }
        self.budget.take(Listed::NextLinks, count)?;
        let node = self.integer(node)?;
        let mut entries = Vec::with_capacity(count);
        for word in words {
            let entry = if word == "-" { None } else { Some(self.integer(word)?) };
            entries.push(entry.into());
        }
        Ok((node, entries))
    }

    fn path_record(&mut self, words: &[String]) -> Result<PathRecord, ReadError> {
        let [s, d, share, links @ ..] = words else { return Err(self.word_count("path")) };
        let links = self.links("path", links)?;
        let (s, d, share) = (self.integer(s)?, self.integer(d)?, self.rational(share)?);
        Ok(PathRecord { s, d, share, links })
    }

    /// The links of a path, at least one; the path is counted.
    fn links(&mut self, record: &str, words: &[String]) -> Result<Vec<LinkId>, ReadError> {
        if words.is_empty() {
            return Err(self.word_count(record));
        }
        self.budget.take_path(words.len())?;
        words.iter().map(|link| self.integer(link)).collect()
    }

    /// Sets of nodes, each a record; the nodes are counted before they are held in memory.
    fn sets(&mut self, record: &str, what: Listed) -> Result<Vec<Vec<NodeId>>, ReadError> {
        let mut sets = Vec::new();
        while let Some(words) = self.words(record)? {
            if words.is_empty() {
                return Err(self.word_count(record));
            }
            let mut nodes = Vec::new();
            for word in &words {
                let (first, last) = word.split_once('-').unwrap_or((word, word));
                let (first, last): (NodeId, NodeId) = (self.integer(first)?, self.integer(last)?);
                if last < first {
                    return Err(self.reversed(word));
                }
                self.budget.take(what, (last - first) as usize + 1)?;
                nodes.extend(first..=last);
            }
            sets.push(nodes);
        }
        Ok(sets)
    }

    fn claim(&mut self) -> Result<Option<AnyClaim>, ReadError> {
        let Some([name, lower, upper]) = self.record("claim")? else { return Ok(None) };
        let expected = "oblivious-ratio, permutation-load, hose-load or optu";
        let known = (name != OPTU).then(|| self.named(&name, &Quantity::NAMES, expected));
        let quantity = known.transpose()?;
        let (lower, upper) = (self.rational(&lower)?, self.rational(&upper)?);
        Ok(Some(AnyClaim { quantity, lower, upper }))
    }

    fn about_routing(
        &mut self,
        network: NetworkForm,
        routing: RoutingForm,
        classes: Vec<Vec<Host>>,
        cuts: Vec<Vec<NodeId>>,
        first: AnyClaim,
    ) -> Result<Certificate, ReadError> {
        let claims = self.claims(first)?;
        #[cfg(feature = "names")]
        if let Some(product) = self.product((&network, &routing), (&classes, &cuts), &claims)? {
            return Ok(Certificate::Product(product));
        }
        let found = self.worst_case(network, routing, claims)?;
        Ok(Certificate::WorstCase(WorstCaseCertificate { classes, cuts, ..found }))
    }

    fn claims(&mut self, first: AnyClaim) -> Result<Vec<Claim>, ReadError> {
        let (mut claims, mut next) = (Vec::new(), Some(first));
        while let Some(AnyClaim { quantity, lower, upper }) = next {
            let Some(quantity) = quantity else {
                return Err(self.not_expected(OPTU, "a claim about the same routing"));
            };
            claims.push(Claim { quantity, lower, upper });
            next = self.claim()?;
        }
        Ok(claims)
    }

    fn worst_case(
        &mut self,
        network: NetworkForm,
        routing: RoutingForm,
        claims: Vec<Claim>,
    ) -> Result<WorstCaseCertificate, ReadError> {
        let witness = self.witness()?;
        let by_ends = self.record::<0>("ends")?.is_some();
        let automorphisms = self.automorphisms()?;
        let (covers, cuts, optimality) = (self.covers()?, Vec::new(), self.optimality()?);
        self.end(LAST)?;
        Ok(WorstCaseCertificate {
            network,
            routing,
            classes: Vec::new(),
            cuts,
            claims,
            witness,
            automorphisms,
            covers,
            by_ends,
            optimality,
        })
    }

    fn optimality(&mut self) -> Result<Option<Optimality>, ReadError> {
        if let Some(least) = self.least()? {
            return Ok(Some(Optimality::OverPaths(least)));
        }
        #[cfg(feature = "names")]
        if let Some(found) = self.of_names()? {
            return Ok(Some(found));
        }
        Ok(self.by_destination()?.map(Optimality::ByDestination))
    }

    fn least(&mut self) -> Result<Option<Least>, ReadError> {
        let Some([name, lower, among]) = self.record("least")? else { return Ok(None) };
        let quantity = self.named(&name, &Quantity::NAMES, "oblivious-ratio or hose-load")?;
        let lower = self.rational(&lower)?;
        let among = self.among(&among)?;
        let mut dual_demands = Vec::new();
        while let Some([link, weight]) = self.record("against")? {
            let (link, weight) = (self.integer(&link)?, self.rational(&weight)?);
            let (demands, flow) = (self.demands()?, self.any_flow()?);
            dual_demands.push((weight, DualDemand { link, demands, flow }));
        }
        Ok(Some(Least { quantity, lower, among, dual_demands }))
    }

    /// What the last word of a record about paths stands for.
    pub(super) fn among(&mut self, name: &str) -> Result<Among, ReadError> {
        match name {
            "all" => return Ok(Among::All),
            "shortest" => return Ok(Among::Shortest),
            "listed" => {}
            _ => return Err(self.not_expected(name, "`all`, `shortest` or `listed`")),
        }
        let mut paths = Vec::new();
        while let Some(words) = self.words("allowed")? {
            let [s, d, links @ ..] = &words[..] else { return Err(self.word_count("allowed")) };
            let links = self.links("allowed", links)?;
            paths.push(AllowedPath { s: self.integer(s)?, d: self.integer(d)?, links });
        }
        Ok(Among::Listed(paths))
    }

    fn optimum(
        &mut self,
        network: NetworkForm,
        claim: AnyClaim,
    ) -> Result<OptimumCertificate, ReadError> {
        let AnyClaim { lower, upper, .. } = claim;
        let demands = self.demands()?;
        let (flow, lengths) = (self.flow()?, self.lengths()?);
        self.end(LAST)?;
        Ok(OptimumCertificate { network, lower, upper, demands, flow, lengths })
    }

    pub(super) fn lengths(&mut self) -> Result<Vec<(LinkId, u64)>, ReadError> {
        let mut lengths = Vec::new();
        while let Some([link, length]) = self.record("length")? {
            self.budget.take(Listed::Amounts, 1)?;
            lengths.push((self.integer(&link)?, self.integer(&length)?));
        }
        Ok(lengths)
    }

    fn witness(&mut self) -> Result<Witness, ReadError> {
        let [link, optu] = self.wanted("witness", "a `claim` or the `witness` line")?;
        let (link, optu) = (self.integer(&link)?, self.rational(&optu)?);
        Ok(Witness { link, demands: self.demands()?, optu, flow: self.flow()? })
    }

    pub(super) fn demands(&mut self) -> Result<Vec<Demand>, ReadError> {
        let mut demands = Vec::new();
        while let Some([s, d, amount]) = self.record("demand")? {
            self.budget.take(Listed::Amounts, 1)?;
            let (s, d, amount) = (self.integer(&s)?, self.integer(&d)?, self.rational(&amount)?);
            demands.push(Demand { s, d, amount });
        }
        Ok(demands)
    }

    fn flow(&mut self) -> Result<RoutedTraffic, ReadError> {
        let flow = self.any_flow()?;
        flow.ok_or_else(|| self.unexpected("a `demand` or a `route` line"))
    }

    pub(super) fn any_flow(&mut self) -> Result<Option<RoutedTraffic>, ReadError> {
        let Some([rule]) = self.record("route")? else { return Ok(None) };
        match rule.as_str() {
            "even" => Ok(Some(RoutedTraffic::Even)),
            "paths" => Ok(Some(RoutedTraffic::Paths(self.paths()?))),
            _ => Err(self.not_expected(&rule, "`even` or `paths`")),
        }
    }

    fn paths(&mut self) -> Result<Vec<PathRecord>, ReadError> {
        let mut paths = Vec::new();
        while let Some(words) = self.words("path")? {
            paths.push(self.path_record(&words)?);
        }
        Ok(paths)
    }

    pub(super) fn covers(&mut self) -> Result<Vec<Cover>, ReadError> {
        let mut covers = Vec::new();
        while let Some(words) = self.words("cover")? {
            covers.push(self.cover(&words)?);
        }
        Ok(covers)
    }

    fn cover(&mut self, words: &[String]) -> Result<Cover, ReadError> {
        let [link, words @ ..] = words else { return Err(self.word_count("cover")) };
        let mut cover = Cover { link: self.integer(link)?, ..Cover::default() };
        let mut rest = words;
        for (name, side) in [
            ("s", &mut cover.sources),
            ("d", &mut cover.destinations),
            ("o", &mut cover.out_cuts),
            ("i", &mut cover.in_cuts),
            ("l", &mut cover.lengths),
        ] {
            let Some((_, words)) = rest.split_first().filter(|(word, _)| *word == name) else {
                continue;
            };
            let is_name = |word: &String| word.bytes().all(|byte| byte.is_ascii_alphabetic());
            let (weighted, next) =
                words.split_at(words.iter().position(is_name).unwrap_or(words.len()));
            if weighted.is_empty() {
                return Err(self.word_count("cover"));
            }
            self.budget.take(Listed::Amounts, weighted.len())?;
            *side = weighted.iter().map(|word| self.weighted(word)).collect::<Result<_, _>>()?;
            rest = next;
        }
        if rest.is_empty() { Ok(cover) } else { Err(self.word_count("cover")) }
    }

    fn weighted(&self, word: &str) -> Result<(u32, Rational), ReadError> {
        let (id, weight) = word.split_once(':').unwrap_or((word, "1"));
        Ok((self.integer(id)?, self.rational(weight)?))
    }
}

#[cfg(test)]
mod tests;
