//! The patterns of \[GO\] 5.2.1 that have no figure: the worst one for deterministic routing, bit reversal, and
//! those with which "the overall results are qualitatively similar"; and the patterns of the figures on k-ary n-trees
//! of other sizes.

mod sizes;

use super::points::{SEED, network, pattern, with_routes};
use super::{UNIFORM, page};
use crate::load::LinkLoads;
use crate::optimum::optimal_cut;
use crate::routing::build;
use crate::simulation::packet::{Delivery, Model, Search, Setup};
use crate::study::engine;
use crate::study::prelude::*;

pub(super) const KIND: Kind<Study> = Study::kind::<Saturations>(
    &["go-patterns"],
    "[GO] 5.2.1",
    "saturation of deterministic and adaptive routing under bit reversal, under the worst pattern for \
            deterministic routing, under shuffle and complement, and on trees of other sizes than the figures'",
);

/// Networks with traffic.
const PATTERNS: [(&str, &str); 9] = [
    ("kary(2,2)", "samelast(2)"),
    ("kary(2,6)", "samelast(2)"),
    ("kary(4,3)", "samelast(4)"),
    ("kary(4,3)", "bitrev"),
    ("kary(4,4)", "bitrev"),
    ("kary(4,4)", "shuffle"),
    ("kary(4,4)", "complement"),
    (SHOWN, FIGURES[0]),
    (SHOWN, FIGURES[1]),
];

/// The network of Figures 5 and 6, and their patterns.
const SHOWN: &str = "kary(4,4)";
const FIGURES: [&str; 2] = ["uniform", "hotspot-percent(percent=5)"];

/// Networks of other sizes.
const SIZES: [&str; 6] =
    ["kary(2,4)", "kary(2,8)", "kary(4,2)", "kary(8,3)", "kary(16,2)", "kary(32,2)"];

/// All networks with traffic.
fn patterns() -> impl Iterator<Item = (&'static str, &'static str)> {
    PATTERNS.into_iter().chain(itertools::iproduct!(SIZES, FIGURES))
}

const ROUTINGS: [&str; 5] = ["dmodk", "ff", "sadp", "adaptive-random", "least-loaded"];

/// Packets of the busiest hosts in a run.
const PACKETS: u64 = 500;

const HEADS: [&str; 8] =
    ["network", "traffic", "routing", "1/load", "1/optu", "accepted", "accepted +-", "all keep up"];

/// A row of the table.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub(super) struct Line {
    network: String,
    traffic: String,
    routing: String,
    /// What D-mod-k can carry, as a fraction of a host link, and what any routing can.
    #[serde(rename = "1/load")]
    own: Option<f64>,
    #[serde(rename = "1/optu")]
    any: f64,
    /// Flits per cycle and host that are delivered when all hosts generate as many as they can.
    accepted: f64,
    /// Half the width of its 95 % confidence interval.
    #[serde(rename = "accepted +-")]
    error: f64,
    /// For permutations the largest load that every host keeps up with.
    #[serde(rename = "all keep up")]
    sustained: Option<f64>,
}

/// A network with traffic, and a routing.
type Saturation = ((&'static str, &'static str), &'static str);

/// Networks with traffic, by every routing.
struct Saturations(Vec<Saturation>);

impl Rows for Saturations {
    type Key = Saturation;
    type Row = Vec<String>;

    fn keys(&self) -> &[Saturation] {
        &self.0
    }

    fn find(
        &self,
        &((spec, traffic), routing): &Saturation,
        progress: &Progress,
    ) -> Result<Vec<String>> {
        let topology = network(spec)?;
        let matrix = pattern(traffic, &topology)?;
        let most = matrix.sent().into_iter().max().unwrap_or_default();
        // Load is that of the hosts that send the most, as a fraction of a link.
        let part =
            |load: Rational| most.checked_div(&load).map_or(1.0, |part| part.to_f64().min(1.0));
        let quiet = progress.part(1.0);
        let own = if routing == "dmodk" {
            let own = build(routing, &topology)?;
            let loads = LinkLoads::of(&topology, &*own, matrix.demands(), &quiet)?;
            format!("{:.4}", part(loads.max_load()))
        } else {
            String::new()
        };
        let any = optimal_cut(&topology, matrix.demands()).map_or(1.0, |cut| part(cut.load));
        let model = Model::go();
        // A search says something where packets are sent at equal distances to one destination.
        let is_searched = matrix.len() <= topology.hosts();
        let steps = if is_searched { 8 } else { 0 };
        let search = Search { packets: PACKETS, steps, ..Search::default() };
        let found = with_routes(routing, &topology, |routes| {
            let delivery = Delivery::AsTheyCome;
            let setup = Setup { topology: &topology, model: &model, routes, delivery, seed: SEED };
            setup.saturation(matrix.demands().into(), search, &quiet)
        })?;
        let accepted = &found.at_full_load.accepted;
        let [accepted, error] = [accepted.mean, accepted.half_width].map(|x| format!("{x:.4}"));
        let sustained = format!("{:.4}", found.sustained.to_f64());
        let sustained = if is_searched { sustained } else { String::new() };
        let head = [spec, traffic, routing].map(String::from);
        let cells = [own, format!("{any:.4}"), accepted, error, sustained];
        Ok(head.into_iter().chain(cells).collect())
    }

    fn holds(&self, &((network, traffic), routing): &Saturation, found: &Vec<String>) -> bool {
        let number = |at: usize| found.get(at).and_then(|cell: &String| cell.parse::<f64>().ok());
        let is_part = |at: usize| number(at).is_some_and(|part| (0.0..=1.0).contains(&part));
        let head = [network, traffic, routing].map(String::from);
        found.len() == HEADS.len() && found.starts_with(&head) && (4..6).all(is_part)
    }
}

impl Entry for Saturations {
    type Row = Vec<String>;

    fn of(tier: Tier) -> Result<Self> {
        let count = if tier == Tier::Small { 1 } else { usize::MAX };
        let of_pattern = |pattern| ROUTINGS.map(|routing| (pattern, routing));
        Ok(Self(patterns().take(count).flat_map(of_pattern).collect()))
    }

    fn finder(&self) -> Finder<'_, Vec<String>> {
        Finder::at_once(self)
    }

    fn tables(&self, found: &[Vec<String>]) -> Result<Vec<Table>> {
        Ok(vec![Table::new("table.csv", &HEADS, found.to_vec())])
    }

    const FROM_TABLES: bool = true;

    fn page(&self, _: &[Vec<String>], tables: &[Table]) -> Result<Page> {
        let lines: Vec<Line> = engine::lines(tables)?;
        Ok(page(HEADER, &claims(&lines), &overview(&lines)))
    }
}

/// The rows of a pattern by routing.
struct Found<'l>(Vec<&'l Line>);

impl<'l> Found<'l> {
    fn new(lines: &'l [Line], network: &str, traffic: &str) -> Self {
        let is_of = |line: &&Line| line.network == network && line.traffic == traffic;
        Self(lines.iter().filter(is_of).collect())
    }

    /// What is accepted.
    fn of(&self, routing: &str) -> f64 {
        let line = self.0.iter().find(|line| line.routing == routing);
        line.map_or(f64::NAN, |line| line.accepted)
    }

    fn deterministic(&self) -> f64 {
        self.of("dmodk")
    }

    /// The most that links can carry under deterministic routing.
    fn bound(&self) -> f64 {
        self.0.iter().find_map(|line| line.own).unwrap_or(f64::NAN)
    }

    /// What is accepted with the deterministic routing over what is with FF and SADP.
    fn ratios(&self) -> [f64; 2] {
        ["ff", "sadp"].map(|routing| self.deterministic() / self.of(routing))
    }
}

const POORER: &str =
    "the performance of the deterministic routing algorithm was poorer than the adaptive one";

/// The claims of the paper about these patterns.
pub(super) fn claims(lines: &[Line]) -> Vec<Finding> {
    [same_last(lines), others(lines), sizes::claims(lines)].concat()
}

/// Destinations of the same last component.
fn same_last(lines: &[Line]) -> Vec<Finding> {
    let of = |network, traffic| Found::new(lines, network, traffic);
    let same = [(2.0, of("kary(2,6)", "samelast(2)")), (4.0, of("kary(4,3)", "samelast(4)"))];
    let generic = "in the generic case, it would be 1/k";
    vec![
        Finding::within(
            Case::quote(
                UNIFORM,
                "the effective bandwidth is half the total bandwidth with deterministic routing",
            ),
            "same last component, 2-ary 2-tree: accepted",
            [of("kary(2,2)", "samelast(2)").deterministic()],
            0.475..=0.525,
        ),
        Finding::within(
            Case::quote(UNIFORM, generic),
            "same last component, 2-ary 6-tree and 4-ary 3-tree: k/load",
            same.iter().map(|(k, found)| k * found.bound()),
            0.95..=1.05,
        ),
        Finding::within(
            Case::quote(UNIFORM, generic),
            "the same: k times accepted",
            same.iter().map(|(k, found)| k * found.deterministic()),
            0.95..=1.05,
        ),
        Finding::within(
            Case::quote(UNIFORM, POORER),
            "the same: accepted over that of FF and SADP",
            same.iter().flat_map(|(_, found)| found.ratios()),
            0.0..=0.95,
        ),
    ]
}

/// Bit reversal, shuffle and complement.
fn others(lines: &[Line]) -> Vec<Finding> {
    let of = |network, traffic| Found::new(lines, network, traffic);
    let reversal = of("kary(4,3)", "bitrev");
    vec![
        Finding::within(
            Case::quote(UNIFORM, "this is the case of the bit reversal traffic pattern"),
            "4-ary 3-tree: k times accepted",
            [4.0 * reversal.deterministic()],
            0.95..=1.05,
        ),
        Finding::within(
            Case::quote(UNIFORM, POORER),
            "bit reversal, 4-ary 3-tree: accepted over that of FF and SADP",
            reversal.ratios(),
            0.0..=0.95,
        ),
        Finding::within(
            Case::quote(
                UNIFORM,
                "(like perfect shuffle and complement) and the overall results are qualitatively similar",
            ),
            "both, 4-ary 4-tree: accepted over that of SADP",
            ["shuffle", "complement"].map(|traffic| of("kary(4,4)", traffic).ratios()[1]),
            0.95..=f64::INFINITY,
        ),
    ]
}

/// A line for every pattern.
fn overview(lines: &[Line]) -> String {
    let mut heads = vec!["network", "traffic", "1/load", "1/optu"];
    heads.extend(ROUTINGS);
    let row = |(network, traffic): (&str, &str)| {
        let found = Found::new(lines, network, traffic);
        let any = found.0.first().map_or(f64::NAN, |line| line.any);
        let values = [found.bound(), any].into_iter();
        let values = values.chain(ROUTINGS.map(|routing| found.of(routing)));
        let cells = values.map(|value| format!("{value:.3}"));
        [network, traffic].map(String::from).into_iter().chain(cells).collect()
    };
    format!("{OVERVIEW}{}{}", markdown(&heads, patterns().map(row)), reading(lines))
}

/// What the table says that the paper does not.
fn reading(lines: &[Line]) -> String {
    let reversal = Found::new(lines, "kary(4,3)", "bitrev");
    let all = |routing: &str| {
        let line = reversal.0.iter().find(|line| line.routing == routing);
        line.and_then(|line| line.sustained).unwrap_or(f64::NAN)
    };
    format!(
        "
The pattern of the same last component is bad for every routing: N/k hosts receive what N send, so that none can
carry more than 1/optu, the same as the links of deterministic routing. What adaptive routing gains there it gains
since fewer packets wait behind others in queues of two packets. Bit reversal is another matter: its destinations
are distinct, and some routing carries all of it. There adaptive routing accepts twice as much on average, but not
for every host: on the 4-ary 3-tree all hosts keep up with a load of {:.3} under deterministic routing, {:.3}
under FF and {:.3} under SADP (column `all keep up`, for permutations). Perfect shuffle puts a load of 2 on links
of deterministic routing, complement none above 1: so it accepts less of the one than adaptive routing does, and as
much of the other.
",
        all("dmodk"),
        all("ff"),
        all("sadp")
    )
}

const HEADER: &str = include_str!("patterns.header.md");

const OVERVIEW: &str = include_str!("patterns.overview.md");

#[cfg(test)]
mod tests {
    use super::*;

    /// Both hosts of a switch of the 2-ary 2-tree send to one host of the other.
    #[test]
    fn a_small_row_is_found() {
        let all = Saturations::of(Tier::Full).unwrap();
        let cells = all.find(&all.0[0], &Progress::silent()).unwrap();
        assert_eq!(cells[..3], ["kary(2,2)", "samelast(2)", "dmodk"]);
        assert!(all.holds(&all.0[0], &cells) && !all.holds(&all.0[1], &cells), "{cells:?}");
        let lines: Vec<Line> = engine::lines(&all.tables(&[cells]).unwrap()).unwrap();
        assert!((lines[0].accepted - 0.5).abs() < 0.02, "{lines:?}");
        // One of three units goes to a host of the same switch.
        assert!((lines[0].own.unwrap() - 0.6667).abs() < 1e-9, "{lines:?}");
        assert_eq!(lines[0].sustained, None);
    }

    #[test]
    fn rows_are_patterns_by_routings() {
        let Saturations(all) = Saturations::of(Tier::Full).unwrap();
        assert_eq!(all.len(), (PATTERNS.len() + SIZES.len() * FIGURES.len()) * ROUTINGS.len());
        assert_eq!(all[0], (PATTERNS[0], ROUTINGS[0]));
        assert_eq!(all[all.len() - 1], ((SIZES[5], FIGURES[1]), ROUTINGS[4]));
        let Saturations(small) = Saturations::of(Tier::Small).unwrap();
        assert_eq!(small, all[..ROUTINGS.len()]);
    }

    /// Claims follow from the accepted traffic: twice as much for adaptive routing.
    #[test]
    fn poorer_is_less() {
        let mut lines = Vec::new();
        for ((network, traffic), routing) in itertools::iproduct!(patterns(), ROUTINGS) {
            let [network, traffic, routing] = [network, traffic, routing].map(String::from);
            let k = if network.starts_with("kary(2") { 2.0 } else { 4.0 };
            let (own, accepted) =
                if routing == "dmodk" { (Some(1.0 / k), 1.0 / k) } else { (None, 2.0 / k) };
            lines.push(Line {
                network,
                traffic,
                routing,
                own,
                any: 1.0,
                accepted,
                error: 0.0,
                sustained: Some(0.25),
            });
        }
        let holds: Vec<bool> = claims(&lines).iter().map(|claim| !claim.fails()).collect();
        assert_eq!(holds[..7], [true, true, true, true, true, true, false]);
        assert_eq!(holds[7..], [true; 4]);
        assert!(overview(&lines).contains("a load of 0.250"));
    }
}
