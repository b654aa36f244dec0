//! D-mod-k for CAMINOS.

use caminos_lib::config_parser::ConfigurationValue;
use caminos_lib::routing::{
    CandidateEgress, Error, Routing, RoutingBuilderArgument, RoutingInfo, RoutingNextCandidates,
};
use caminos_lib::topology::{Location, Topology};
use rand::rngs::StdRng;

/// Digit W_{l+1} of the way up is M_l(d) mod w_{l+1}.
#[derive(Debug)]
pub struct DModK {
    down: Vec<usize>,
    up: Vec<usize>,
}

fn numbers(value: &ConfigurationValue) -> Vec<usize> {
    let list = value.as_array().expect("a list");
    list.iter().map(|value| value.as_usize().expect("a number")).collect()
}

impl DModK {
    /// From `DModK{ down: […], up: […] }`.
    pub fn build(argument: RoutingBuilderArgument) -> Box<dyn Routing> {
        let ConfigurationValue::Object(_, fields) = argument.cv else { panic!("no object") };
        let of = |name: &str| {
            let field = fields.iter().find(|(field, _)| field == name);
            numbers(&field.expect("a missing field").1)
        };
        Box::new(Self { down: of("down"), up: of("up") })
    }

    /// Which link up from a switch at this height above those with hosts.
    fn digit(&self, destination: usize, level: usize) -> usize {
        let below: usize = self.down[..level].iter().product();
        destination / below % self.down[level] % self.up[level]
    }
}

impl Routing for DModK {
    fn next(
        &self,
        _: &RoutingInfo,
        topology: &dyn Topology,
        at: usize,
        target: usize,
        server: Option<usize>,
        _: usize,
        _: &mut StdRng,
    ) -> Result<RoutingNextCandidates, Error> {
        let server = server.expect("packets for hosts");
        let (up, down) = topology.up_down_distance(at, target).expect("a tree");
        let leads_on = |port: &usize| match topology.neighbour(at, *port).0 {
            Location::ServerPort(found) => up + down == 0 && found == server,
            Location::RouterPort { router_index, .. } => topology
                .up_down_distance(router_index, target)
                .is_some_and(|(u, d)| u <= up && d <= down && u + d < up + down),
            Location::None => false,
        };
        let mut ports = (0..topology.ports(at)).filter(leads_on);
        let skipped = if up > 0 { self.digit(server, down - up) } else { 0 };
        let port = ports.nth(skipped).expect("a way on");
        Ok(RoutingNextCandidates {
            candidates: vec![CandidateEgress::new(port, 0)],
            idempotent: true,
        })
    }
}
