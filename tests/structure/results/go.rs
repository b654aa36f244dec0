//! The studies of [GO]: what their pages claim follows from their tables, and rows are found again.

use std::collections::HashMap;
use std::fs;

use routebound::progress::Progress;
use routebound::ratio::Ratio;
use routebound::simulation::packet::{
    Arrivals, Delivery, Model, OpenLoopRun, Replay, Routes, Setup, Spread, cycles_for, select,
};
use routebound::simulation::workload::traces;
use routebound::study::go::{claims, claims_table};
use routebound::topology::Topology;
use routebound::{routing, study, topology, traffic};

use super::results;

type Row = HashMap<String, String>;

fn rows(name: &str) -> Vec<Row> {
    let path = results().join(study::folder(name)).join("table.csv");
    csv::Reader::from_path(path).unwrap().deserialize().map(Result::unwrap).collect()
}

fn number(row: &Row, head: &str) -> f64 {
    row[head].parse().unwrap()
}

/// Every claim with its verdict, from the committed numbers alone.
#[test]
fn claims_follow_from_the_tables() {
    let mut studies = 0;
    for kind in study::KINDS.iter().filter(|kind| kind.name.starts_with("go-")) {
        let folder = results().join(study::folder(kind.name));
        let found = claims(kind.name, &fs::read(folder.join("table.csv")).unwrap()).unwrap();
        let page = fs::read_to_string(folder.join("README.md")).unwrap();
        assert!(found.len() >= 5, "{}", kind.name);
        assert!(page.contains(&claims_table(&found)), "{}", kind.name);
        studies += 1;
    }
    assert_eq!(studies, 4);
}

/// The greatest accepted traffic of the rows that fit.
fn peak(rows: &[Row], fits: impl Fn(&Row) -> bool) -> f64 {
    let accepted = rows.iter().filter(|row| fits(row)).map(|row| number(row, "accepted"));
    accepted.fold(0.0, f64::max)
}

/// What the pages say in words.
#[test]
fn readings_hold() {
    let five = rows("go-figure-5");
    let of = |routing: &str| peak(&five, |row| row["routing"] == routing);
    let [own, ff, sadp] = ["dmodk", "ff", "sadp"].map(of);
    assert!(own > sadp && sadp > ff && own < 1.1 * ff, "{own} {ff} {sadp}");
    // A saturated link to the hot host passes 1/13.7 or 1/51.8 of a link for each host.
    let six = rows("go-figure-6");
    for (percent, bound) in [("=5,", 1.0 / 13.7), ("=20,", 1.0 / 51.8)] {
        let of_traffic = |row: &Row| row["traffic"].contains(percent);
        for routing in ["dmodk", "ff", "sadp"] {
            let most = peak(&six, |row| of_traffic(row) && row["routing"] == routing);
            assert!((most / bound - 1.0).abs() < 0.1, "{routing} {percent} {most} {bound}");
        }
    }
    for row in rows("go-figure-7").iter().filter(|row| number(row, "compression") < 11.0) {
        assert!(number(row, "time, ms") - number(row, "last sent, ms") < 0.1, "{row:?}");
    }
    let patterns = rows("go-patterns");
    let reversal = |row: &&Row| row["network"] == "kary(4,3)" && row["traffic"] == "bitrev";
    let reversed: Vec<&Row> = patterns.iter().filter(reversal).collect();
    assert!((number(reversed[0], "accepted") - 0.25).abs() < 1e-3);
    assert!(reversed[1..].iter().all(|row| number(row, "accepted") > 0.5), "{reversed:?}");
    for row in patterns.iter().filter(|row| row["traffic"].starts_with("samelast")) {
        assert!(number(row, "accepted") <= number(row, "1/optu"), "{row:?}");
    }
}

/// Runs what a row says, with its routing and delivery.
fn with_setup<T>(
    row: &Row,
    topology: &Topology,
    model: &Model,
    run: impl FnOnce(Setup<'_>) -> T,
) -> T {
    let delivery =
        row["buffer"].parse().map_or(Delivery::AsTheyCome, |buffer| Delivery::InOrder { buffer });
    let setup = |routes| Setup { topology, model, routes, delivery, seed: 1 };
    if let Ok(kind) = select::find(&row["routing"]) {
        return run(setup(Routes::Adaptive(kind.build)));
    }
    let routing = routing::build(&row["routing"], topology).unwrap();
    run(setup(Routes::Oblivious(&*routing, Spread::Random)))
}

/// Rows with the least load, from their cells alone.
#[test]
fn rows_in_open_loop_are_as_committed() {
    let rows = rows("go-figure-5");
    let least: Vec<&Row> = rows.iter().filter(|row| row["load"] == "0.050").collect();
    assert_eq!(least.len(), 9);
    let (topology, model) = (topology::generate("kary(4,4)").unwrap(), Model::go());
    for row in [least[0], least[1], least[8]] {
        let matrix = traffic::generate(&row["traffic"], topology.hosts()).unwrap();
        let load = Ratio::from_decimal(&row["load"]).unwrap();
        let cycles = cycles_for(1000, &load, model.packet_flits()).unwrap();
        let (traffic, arrivals) = (matrix.demands().into(), Arrivals::Bernoulli);
        let run = OpenLoopRun { traffic, load: &load, arrivals, cycles };
        let open_loop = |setup: Setup<'_>| setup.open_loop(&run, &Progress::silent()).unwrap();
        let found = with_setup(row, &topology, &model, open_loop);
        let cells = [
            format!("{:.4}", found.accepted.mean),
            format!("{:.0}", found.network.mean.mean),
            found.stored.to_string(),
        ];
        assert_eq!(cells, ["accepted", "network latency", "stored"].map(|head| row[head].clone()));
    }
}

#[test]
fn traces_take_as_long_as_is_committed() {
    let rows = rows("go-figure-7");
    let topology = topology::generate("kary(2,7)").unwrap();
    let (trace, _) = traces::generate("disks(requests=10000)", topology.hosts()).unwrap();
    let model = Model { packet_bytes: 1024, ..Model::go() };
    let last = rows.iter().filter(|row| row["compression"] == "1000").collect::<Vec<_>>();
    assert_eq!(last.len(), 9);
    for row in last {
        let trace = trace.compressed(&1000.into()).unwrap();
        let mut source = Replay::new(&trace, &model).unwrap();
        let complete = |setup: Setup<'_>| setup.complete(&mut source, &Progress::silent()).unwrap();
        let found = with_setup(row, &topology, &model, complete);
        let time = format!("{:.4}", found.cycles as f64 * 6.25e-6);
        assert_eq!(
            [time, found.stored.to_string()],
            ["time, ms", "stored"].map(|head| row[head].clone())
        );
    }
}
