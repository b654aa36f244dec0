//! Optu of traffic on any network whose hosts hang at switches: bounds from cuts and from balanced shortest paths.
//!
//! Hosts at the same gate ([`super::gates`]) are one class: they differ only in the links of their own, which an even
//! share loads least. So traffic is held per pair of gates, of which a fabric of thousands of hosts has a few hundred,
//! and parallel cables are one arc. A host with links to several nodes is its own gate.
//!
//! Lower bounds that need no search are the baseload and cuts around gates, pods and planes ([`cuts`]). For the upper
//! one, traffic is first split evenly over all shortest paths, and then moved from loaded to less loaded ones
//! ([`balance`]); the prices that this uses are link lengths, which bound optu from below where no cut is tight
//! ([`prices`]). All bounds are exact: flows are rounded to integers of a small unit ([`rounding`]), and become paths
//! of hosts where a certificate is wanted ([`host_paths`]).

pub mod balance;
pub mod cuts;
pub mod dag;
pub mod host_paths;
pub mod network;
pub mod prices;
pub mod rounding;

pub use balance::Balancing;
pub use network::Classes;
