//! Human-readable output: the records that verbs print, as text and as JSON, tables and plots.
//!
//! One file per verb or kind of result. Formats of other programs are in [`crate::export`].
//!
//! The fields of a record are the JSON, its `text` is the table. What changes there shows in the suites and in the
//! samples of the README and of `docs`. The record of `ratio` is in `assessment.rs`, with the counts of
//! `worst_case/histogram.rs`.

#[cfg(feature = "highs")]
mod adaptive_rates;
mod assessment;
mod attack;
mod cases;
mod channels;
mod comparison;
mod counted;
mod dangerous;
mod deliver;
pub mod describe;
pub mod fabric;
mod failure_sets;
pub mod html;
mod improve;
mod lid_orders;
mod link_list;
mod load_classes;
mod loads;
#[cfg(feature = "sat")]
mod local_switches;
mod numbers;
mod optimal;
mod pattern;
mod prelude;
mod registers;
mod remedy;
mod routes;
mod seed_spread;
mod shares;
mod simulation;
mod single_failures;
mod synth;
pub mod theorems;
mod worst_traffic;

pub use routebound_papers::report::{
    ContentionReport, LeastSwitchesReport, NonblockingReport, plot, table,
};

#[cfg(feature = "highs")]
pub use adaptive_rates::{AdaptiveRatesReport, AdaptiveWitness};
pub use assessment::{AssessmentReport, AtMost, WitnessReport, are_hosts_alike};
pub use attack::{AttackReport, AttackRow, PublishedRow, RatioReport, best_finding};
pub use cases::{DifferenceReport, RegressionReport};
pub use channels::{BusiestChannel, ChannelsReport, LoadFactorReport, congestion};
pub use comparison::ComparisonReport;
pub use counted::{counted, doing, labelled};
pub use dangerous::{DangerousReport, DangerousSetReport};
pub use deliver::{DeliveryFacts, DeliveryReport};
pub use fabric::{AlternativeReport, FabricReport, FabricShape, JobsReport, TablesReport};
pub use failure_sets::FailureSetsReport;
pub use improve::{ImproveReport, LeastTables, RoutingLoads};
pub use lid_orders::{LidOrders, OrdersOfLoad};
pub use link_list::{LinkList, List};
pub use loads::{Busiest, LoadFacts, LoadReport, UnknownLoads};
#[cfg(feature = "sat")]
pub use local_switches::LocalSwitchesReport;
pub use numbers::{on_both_sides, shown, shown_bounds};
pub use optimal::OptimalReport;
pub use pattern::{PatternAttackReport, PatternNonblockingReport, PatternRow};
pub use registers::{PortReport, RegistersReport, SwitchReport};
pub use remedy::with_options;
pub use routes::{LengthCount, RouteSummary};
pub use seed_spread::{SeedsOfLoad, SeedsReport, SeedsSample, UnfinishedSeed};
pub use shares::SharesReport;
pub use simulation::{
    CompleteReport, Found, SaturationReport, SimulationFacts, SimulationReport, SteadyReport,
};
pub use single_failures::{FailureReport, SingleFailuresReport};
pub use synth::SynthReport;
pub use worst_traffic::{WorstTraffic, WorstTrafficError, WrittenTraffic};

use crate::registry::Kind;

/// Every format of lists of links with their loads. The examples are traffic of `ft(4,2)` under
/// `dmodk`.
pub const LINK_LISTS: &[Kind<LinkList>] = &[link_list::TABLE, link_list::CSV, link_list::JSON];
