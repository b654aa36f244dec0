//! Static worst cases, met by packets: how much of the proven worst case does adaptivity take back?

use crate::certificate::Quantity;
use crate::input::contents;
use crate::progress::Stopped;
use crate::simulation::packet::select::SELECTIONS;
use crate::simulation::packet::{Delivery, Model, Routes, Search, Setup, Spread};
use crate::study::fabrics::instance;
use crate::study::prelude::*;
use crate::worst_case::{self, witness};

pub(super) const KIND: Kind<Study> = Study::kind::<Instances>(
    &["static-dynamic"],
    "ours; [GO] 5",
    "saturation of packets under the exact worst permutation of each routing, against 1/load, and \
            that of adaptive routing under the same permutations",
);

/// Networks with their routings.
const INSTANCES: [(&str, &str); 15] = [
    ("ft(8,3)", "dmodk"),
    ("ft(8,3)", "smodk"),
    ("ft(8,3)", "osrm3"),
    ("ft(8,3)", "wsr"),
    ("ft(8,3)", "random(seed=1)"),
    ("ft(8,3)", "rnca-u(seed=1)"),
    ("ft(8,3)", "rnca-d(seed=1)"),
    ("ft(8,3)", "kpath(k=2)"),
    ("ft(8,3)", "kpath(k=4)"),
    ("ft8x3", "ftree"),
    ("ft8x3", "dfsssp"),
    ("ft8x3", "updn"),
    ("ft16x3", "ftree"),
    ("ft16x3", "dfsssp"),
    ("ft16x3", "updn"),
];

/// Flits of a packet.
const FLITS: u32 = 256;

/// Packets of a queue: with two, packets at the head hold up others behind them.
const QUEUE: u32 = 8;

/// Packets of the busiest hosts in a run.
const PACKETS: u64 = 400;

/// What was found for an instance.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Row {
    hosts: usize,
    /// Pairs of different hosts of the worst permutation.
    pairs: usize,
    /// Its max load by the routing, exact.
    load: Rational,
    /// Load that every host keeps up, by the routing itself and by each adaptive one.
    sustained: Vec<Rational>,
}

/// The names of a network and a routing, and the instance that they name.
type Named = ((&'static str, &'static str), Instance);

struct Instances(Vec<Named>);

impl Rows for Instances {
    type Key = Named;
    type Row = Row;

    fn keys(&self) -> &[Named] {
        &self.0
    }

    fn find(&self, (_, instance): &Named, progress: &Progress) -> Result<Row> {
        let quiet = progress.part(1.0);
        let worst =
            worst_case::Analyse::of(Quantity::PermutationLoad).progress(&quiet).run(instance)?;
        if !worst.is_complete() {
            return Err(worst.unsolved.clone().map_or(Stopped.into(), StudyError::from));
        }
        let permutation = witness(instance, worst.worst, worst.demands.clone()).demands;
        let oblivious = Routes::Oblivious(instance.routing(), Spread::Random);
        let adaptive = SELECTIONS.iter().map(|kind| Routes::Adaptive(kind.build));
        let model =
            Model { packet_bytes: FLITS, input_queue: QUEUE, output_queue: QUEUE, ..Model::go() };
        let search = Search { packets: PACKETS, steps: 9, ..Search::default() };
        let sustained = std::iter::once(oblivious).chain(adaptive).map(|routes| {
            let (topology, delivery) = (instance.topology(), Delivery::AsTheyCome);
            let setup = Setup { topology, model: &model, routes, delivery, seed: 1 };
            Ok(setup.saturation(permutation.as_slice().into(), search, &quiet)?.sustained)
        });
        Ok(Row {
            hosts: instance.topology().hosts(),
            pairs: permutation.iter().filter(|demand| demand.s != demand.d).count(),
            load: worst.lower().clone(),
            sustained: sustained.collect::<Result<_>>()?,
        })
    }

    fn holds(&self, _: &Named, found: &Row) -> bool {
        found.sustained.len() == SELECTIONS.len() + 1
            && found.sustained.iter().all(|load| *load <= Rational::ONE)
            && found.load >= Rational::ONE
    }
}

impl Entry for Instances {
    type Row = Row;

    /// The small tier has the first instance.
    fn of(tier: Tier) -> Result<Self> {
        let names = if tier == Tier::Small { &INSTANCES[..1] } else { &INSTANCES[..] };
        let with = |name: &(&'static str, &'static str)| Ok((*name, instance(*name)?));
        Ok(Self(names.iter().map(with).collect::<Result<_>>()?))
    }

    fn finder(&self) -> Finder<'_, Row> {
        Finder::new(Rows::count(self), move |job| {
            job.units.reads(&contents(), false)?;
            job.in_turn(self)
        })
    }

    fn tables(&self, found: &[Row]) -> Result<Vec<Table>> {
        let cells = self.0.iter().zip(found).map(|((name, _), row)| cells((name, row)));
        Ok(vec![Table::new("table.csv", &heads(), cells)])
    }

    fn page(&self, found: &[Row], tables: &[Table]) -> Result<Page> {
        Ok(Page::new(HEADER).tables(tables).text(&findings(found)))
    }
}

fn heads() -> Vec<String> {
    let own = ["network", "routing", "hosts", "pairs", "max load", "1/load", "itself"];
    let names = own.into_iter().chain(SELECTIONS.iter().map(|kind| kind.name));
    names.map(String::from).collect()
}

fn cells(((network, routing), row): (&(&str, &str), &Row)) -> Vec<String> {
    let [network, routing] = [network, routing].map(ToString::to_string);
    let numbers = [row.hosts.to_string(), row.pairs.to_string(), row.load.to_string()];
    let decimal = |value: f64| format!("{value:.3}");
    let loads = std::iter::once(1.0 / row.load.to_f64())
        .chain(row.sustained.iter().map(Rational::to_f64))
        .map(decimal);
    [network, routing].into_iter().chain(numbers).chain(loads).collect()
}

fn findings(found: &[Row]) -> String {
    let mut text = String::new();
    let single = INSTANCES.iter().zip(found).filter(|((_, name), _)| !name.starts_with("kpath"));
    let deviation = |row: &Row| (row.sustained[0].to_f64() * row.load.to_f64() - 1.0).abs();
    let most = single.map(|(_, row)| deviation(row)).fold(0.0, f64::max);
    // A String takes every write.
    let _ = write!(
        text,
        "\nRoutings with one path for each pair saturate at 1/load, within {:.1} %.\n",
        100.0 * most
    );
    for (at, kind) in SELECTIONS.iter().enumerate() {
        let gain = |row: &Row| {
            let (own, taken) = (row.sustained[0].to_f64(), row.sustained[at + 1].to_f64());
            taken / own
        };
        let gains: Vec<f64> = found.iter().map(gain).collect();
        let least = gains.iter().copied().fold(f64::MAX, f64::min);
        let most = gains.iter().copied().fold(0.0, f64::max);
        let _ = writeln!(
            text,
            "`{}` keeps up {least:.2} to {most:.2} times what the routing itself does.",
            kind.name
        );
    }
    text
}

const HEADER: &str = include_str!("static_dynamic.header.md");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_instance_saturates_where_it_has_to() {
        let one = ("ft(4,2)", "dmodk");
        let instances = Instances(vec![(one, instance(one).unwrap())]);
        let row = instances.find(&instances.0[0], &Progress::silent()).unwrap();
        assert_eq!(row.load, Rational::from(2));
        let own = row.sustained[0].to_f64();
        assert!((0.49..0.51).contains(&own), "{own}");
        assert!(instances.holds(&instances.0[0], &row));
        let text = cells((&one, &row));
        assert_eq!((text.len(), heads().len()), (11, 11));
    }
}
