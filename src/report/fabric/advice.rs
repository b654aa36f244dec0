//! Advice on a fabric, in plain words. Every sentence follows from numbers of the report.

use super::{AlternativeReport, FabricReport, TablesReport};
use crate::rational::Rational;
use crate::report::counted;
use crate::report::numbers::{at_least, at_most, shown};

/// The advice, what is broken first.
pub(super) fn of(report: &FabricReport) -> Vec<String> {
    let mut advice = Vec::new();
    cabling(report, &mut advice);
    speeds(report, &mut advice);
    for tables in &report.tables {
        let name = match report.tables.len() {
            1 => String::new(),
            _ => format!("{}: ", tables.tables),
        };
        correctness(tables, &name, &mut advice);
        load(report, tables, &name, &mut advice);
        better(report, tables, &name, &mut advice);
        jobs(tables, &name, &mut advice);
    }
    taper(report, &mut advice);
    if report.tables.is_empty() && advice.is_empty() {
        let cabling = match (&report.shape.irregular, report.shape.whole) {
            (Some(_), _) => "the cabling has no regular shape to compare it with",
            (None, true) => "the cabling is as the shape says",
            (None, false) => "the cabling is as the shape says, but for what differs above",
        };
        advice.push(format!("{cabling}; give forwarding tables to judge the routing"));
    }
    if advice.is_empty() {
        let is_open = |tables: &TablesReport| {
            tables.permutation_load.as_ref().is_none_or(|load| load.exact().is_none())
        };
        advice.push(if report.tables.iter().any(is_open) {
            "nothing found to do so far: the worst case of the tables is not known".into()
        } else {
            "nothing to do: cabling and tables are as good as any routing known here".into()
        });
    }
    advice
}

fn cabling(report: &FabricReport, advice: &mut Vec<String>) {
    let shape = &report.shape;
    let missing: usize = shape.of_kind("missing-cable").map(|one| one.usual - one.found).sum();
    if let Some(first) = shape.of_kind("missing-cable").next() {
        let cables = counted(missing, "missing cable");
        let between = first.nodes.join(" and ");
        advice.push(format!("replace or enable {cables}, the first between {between}"));
    }
    if let Some(first) = shape.of_kind("misplaced-cable").next() {
        let cables = counted(shape.of_kind("misplaced-cable").count(), "cable");
        let between = first.nodes.join(" and ");
        advice.push(format!(
            "check {cables} plugged into the wrong switch, the first between {between}"
        ));
    }
    let fewer = shape.of_kind("hosts").filter(|one| one.found < one.usual);
    let hosts: usize = fewer.map(|one| one.usual - one.found).sum();
    if hosts > 0 {
        let text = "leaf switches have fewer hosts than most: if that is not meant, look for adapters that are down";
        advice.push(format!("{hosts} host ports are free where {text}"));
    }
    let groups = shape.rail_groups.iter();
    let most = groups.clone().map(|group| group.leaves.len()).max().unwrap_or(0);
    let short: usize =
        groups.filter(|group| group.leaves.len() < most).map(|group| group.nodes.len()).sum();
    if shape.rail_optimised && short > 0 {
        let nodes = if short == 1 { "1 node has".into() } else { format!("{short} nodes have") };
        advice.push(format!(
            "{nodes} fewer than {most} adapters in the fabric: a rail or its leaf switch may be down"
        ));
    }
    if shape.planes.len() > 1 {
        let planes = shape.planes.len();
        advice.push(format!("no cable joins the {planes} parts of the network: analyse each by itself if they are planes"));
    }
}

fn speeds(report: &FabricReport, advice: &mut Vec<String>) {
    for speed in report.shape.speeds.iter().filter(|speed| speed.odd) {
        let usual =
            report.shape.speeds.iter().find(|other| !other.odd && other.level == speed.level);
        let Some(usual) = usual.filter(|usual| speed.capacity < usual.capacity) else { continue };
        let cables = match speed.cables {
            1 => "1 cable is".to_string(),
            count => format!("{count} cables are"),
        };
        let first = speed.names.first().cloned().unwrap_or_default();
        advice.push(format!(
            "{cables} slower than others of level {} (capacity {} instead of {}), the first {first}: reseat or replace \
             them, unless these adapters can do no more",
            speed.level, speed.capacity, usual.capacity
        ));
    }
}

fn correctness(tables: &TablesReport, name: &str, advice: &mut Vec<String>) {
    if tables.failure.is_some() {
        advice.push(format!(
            "{name}do not run on these tables: see what is wrong above; dump network and tables again in one \
             state of the fabric, and let the subnet manager sweep if it stays"
        ));
    }
    if tables.may_deadlock == Some(true) {
        advice.push(format!(
            "{name}packets may wait for each other forever; use an engine that cuts the loop by virtual lanes \
             (dfsssp, lash, nue), or one without down-up turns (updn, ftree)"
        ));
    }
    if let Some((detours, pairs)) = tables.detours.zip(tables.pairs).filter(|(count, _)| *count > 0)
    {
        advice.push(format!(
            "{name}{detours} of {pairs} pairs take detours, which load links for nothing"
        ));
    }
    let unused = tables.unused.len();
    if unused > 0 {
        let links = counted(unused, "link");
        advice.push(format!(
            "{name}{links} between switches carry nothing, while others carry more for it"
        ));
    }
}

/// Compares the worst load with what the best alternative guarantees.
fn load(report: &FabricReport, tables: &TablesReport, name: &str, advice: &mut Vec<String>) {
    let Some(worst) = tables.permutation_load.as_ref().map(|load| &load.lower) else { return };
    let single = report.alternatives.iter().filter(|one| one.single_path);
    let several = report.alternatives.iter().filter(|one| !one.single_path);
    let least = |one: &&AlternativeReport| one.permutation_load.upper.clone();
    let on = &report.alternatives_on;
    let is_better = |one: &&AlternativeReport| one.permutation_load.upper < *worst;
    for (paths, found) in [
        ("one path per pair", single.min_by_key(least)),
        ("several paths per pair (adaptive routing, or LMC > 0)", several.min_by_key(least)),
    ] {
        if let Some(best) = found.filter(is_better) {
            let (routing, guaranteed) = (&best.routing, at_most(&best.permutation_load.upper));
            let worst = shown(worst);
            advice.push(format!(
                "{name}a permutation can load a link with {worst}; with {paths} {routing} guarantees \
                 {guaranteed} on {on}"
            ));
        }
    }
}

/// Names the search for better tables where there may be some.
fn better(report: &FabricReport, tables: &TablesReport, name: &str, advice: &mut Vec<String>) {
    let worst = tables.permutation_load.as_ref().map(|load| &load.lower);
    let least = report.least_tables.as_ref().map(|least| &least.permutation_load);
    if let Some((worst, least)) = worst.zip(least).filter(|(worst, least)| worst > least) {
        let (worst, least) = (shown(worst), at_least(least));
        advice.push(format!(
            "{name}no forwarding tables for this fabric have a worst load below {least}, and these have {worst}: \
             `routebound improve` searches for better ones"
        ));
    }
}

/// Jobs that can hurt each other, and jobs that would gain by another order of their ranks.
fn jobs(tables: &TablesReport, name: &str, advice: &mut Vec<String>) {
    for job in tables.jobs.iter().flat_map(|jobs| &jobs.jobs) {
        for of in &job.loads {
            let Some((alone, beside)) = of.alone.as_ref().zip(of.beside.as_ref()) else { continue };
            if beside.load.lower > alone.load.upper {
                let others = beside.parts.iter().filter(|(other, _)| *other != job.name);
                let others: Vec<&str> = others.map(|(other, _)| other.as_str()).collect();
                advice.push(format!(
                    "{name}job {}: beside {} a link that it uses may have load {} instead of {} ({}): {}; leaf \
                     switches of its own would keep the others away",
                    job.name,
                    others.join(", "),
                    at_least(&beside.load.lower),
                    at_most(&alone.load.upper),
                    of.exchange.name(),
                    beside.link
                ));
                break;
            }
        }
        for of in &job.collectives {
            if of.best.cost.time < of.listed.time {
                advice.push(format!(
                    "{name}job {}: with the best order found, {} takes {} instead of {} (write it with --save-jobs)",
                    job.name, of.collective, shown(&of.best.cost.time), shown(&of.listed.time)
                ));
            }
        }
    }
}

fn taper(report: &FabricReport, advice: &mut Vec<String>) {
    for level in &report.shape.levels {
        let taper = level.usual_taper.as_ref().or(level.taper.as_ref());
        if let Some(taper) = taper.filter(|taper| **taper > Rational::ONE) {
            advice.push(format!(
                "level {} has {taper} times the capacity down that it has up: no routing can give all hosts \
                 their full rate across it",
                level.level
            ));
        }
    }
}
