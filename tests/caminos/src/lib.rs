//! The same tree, routing, packets and traffic for CAMINOS and for routebound.
//!
//! CAMINOS moves every flit by itself; a queue of it holds a fixed number of flits, and the credit of each comes back
//! by itself. Here a packet is one thing, and so is the place of a queue that holds it. What is the same:
//! cut-through (the head of a packet asks for room for all of it), queues at inputs and outputs, one virtual
//! channel, link and crossbar delays, hosts that take all that arrives, and D-mod-k, which is plugged
//! into CAMINOS ([`DModK`]).
//!
//! On an idle tree both take the same cycles, and permutations saturate at the same load. Beyond saturation
//! throughputs may differ by a tenth, since the allocators of CAMINOS do not take turns as the arbiters here do. At
//! full load without contention CAMINOS delivers some one percent less: its hosts store 20 messages at most and
//! drop what they generate beyond.

mod d_mod_k;

pub use d_mod_k::DModK;

use caminos_lib::Plugs;
use caminos_lib::Simulation;
use caminos_lib::config_parser::{self, ConfigurationValue, Token};
use routebound::load::LinkLoads;
use routebound::progress::Progress;
use routebound::rational::Rational;
use routebound::routing;
use routebound::simulation::packet::{
    Arrivals, Delivery, Model, OpenLoopRun, Routes, Setup, Spread, Steady,
};
use routebound::topology::generate;
use routebound::traffic::Demand;

/// A tree of switches, and the figures of its links and queues.
#[derive(Clone, Debug)]
pub struct Case {
    /// Children of a switch on each level, from hosts on: m of XGFT(h;m;w).
    pub down: &'static [usize],
    /// Parents of a switch on each level: w, without the 1 of hosts.
    pub up: &'static [usize],
    /// Flits of a packet.
    pub flits: u32,
    /// Packets of the queue of an input port.
    pub input_queue: u32,
    /// Packets of the queue of an output port.
    pub output_queue: u32,
    /// Cycles that a flit takes through a switch.
    pub switch: u32,
    /// Cycles that a flit takes over a link.
    pub link: u32,
}

/// What a simulator says.
#[derive(Clone, Copy, Debug)]
pub struct Measured {
    /// Delivered flits per cycle and host.
    pub accepted: f64,
    /// Mean cycles of a packet from the generation of its message until its last flit is delivered.
    pub latency: f64,
}

/// Who gets an output port that several inputs ask for.
#[derive(Clone, Copy, Debug)]
pub enum Arbiter {
    /// The inputs in turn.
    RoundRobin,
    /// Any.
    Random,
}

/// A run: how much hosts send, and for how long.
#[derive(Clone, Copy, Debug)]
pub struct Run {
    /// In thousandths of a link.
    pub load: u64,
    /// Cycles, of which CAMINOS leaves the first half out.
    pub cycles: u64,
    /// Seed.
    pub seed: u64,
}

fn list(numbers: impl IntoIterator<Item = usize>) -> String {
    let texts: Vec<String> = numbers.into_iter().map(|number| number.to_string()).collect();
    format!("[{}]", texts.join(","))
}

impl Case {
    /// Number of hosts.
    pub fn hosts(&self) -> usize {
        self.down.iter().product()
    }

    /// The tree as routebound names it.
    pub fn tree(&self) -> String {
        let text = |numbers: &[usize]| list(numbers.iter().copied()).replace(['[', ']'], "");
        let up: Vec<usize> = std::iter::once(1).chain(self.up.iter().copied()).collect();
        format!("xgft({};{};{})", self.down.len(), text(self.down), text(&up))
    }

    /// The same figures for routebound.
    pub fn model(&self) -> Model {
        Model {
            routing: 0,
            crossbar: self.switch,
            fly: self.link - 1,
            input_queue: self.input_queue,
            output_queue: self.output_queue,
            packet_bytes: self.flits,
            ..Model::go()
        }
    }

    /// Host i sends to `map[i]`.
    fn demands(&self, map: &[usize]) -> Vec<Demand> {
        let demand = |(s, d): (usize, &usize)| Demand {
            s: s.try_into().expect("few hosts"),
            d: (*d).try_into().expect("few hosts"),
            amount: Rational::ONE,
        };
        let sends = |(s, d): &(usize, &usize)| s != *d;
        map.iter().enumerate().filter(sends).map(demand).collect()
    }

    /// Most messages on a link, if host i sends to `map[i]`.
    pub fn max_load(&self, map: &[usize]) -> u64 {
        let topology = generate(&self.tree()).expect("a tree");
        let routing = routing::build("dmodk", &topology).expect("D-mod-k for every tree");
        let loads = LinkLoads::of(&topology, &*routing, &self.demands(map), &Progress::silent());
        loads.expect("few demands").most_flows().map_or(0, |(_, flows)| flows)
    }

    /// Simulates with routebound.
    pub fn ours(&self, map: &[usize], run: Run, arrivals: Arrivals) -> Steady {
        let topology = generate(&self.tree()).expect("a tree");
        let routing = routing::build("dmodk", &topology).expect("D-mod-k for every tree");
        let demands = self.demands(map);
        let model = self.model();
        let setup = Setup {
            topology: &topology,
            model: &model,
            routes: Routes::Oblivious(&*routing, Spread::Random),
            delivery: Delivery::AsTheyCome,
            seed: run.seed,
        };
        let load = Rational::new(run.load, 1000).expect("not over 0");
        let traffic = demands.as_slice().into();
        let open = OpenLoopRun { traffic, load: &load, arrivals, cycles: run.cycles };
        setup.open_loop(&open, &Progress::silent()).expect("a run")
    }

    /// The configuration of CAMINOS: `pattern` is one of its own, such as `Uniform`, or [`embedded`].
    pub fn configuration(&self, pattern: &str, run: Run, arbiter: Arbiter) -> ConfigurationValue {
        let Self { flits, input_queue, output_queue, switch, link, .. } = self;
        let allocator = match arbiter {
            Arbiter::RoundRobin => "ISLIP{num_iter:1}".to_string(),
            Arbiter::Random => format!("Random{{seed:{}}}", run.seed),
        };
        let classes = format!("LinkClass{{delay:{link}}},").repeat(self.down.len());
        let text = format!(
            "Configuration{{ random_seed: {seed}, warmup: {half}, measured: {half},
               topology: XGFT{{ height: {height}, down: {down}, up: {up}, servers_per_leaf: {leaf} }},
               traffic: HomogeneousTraffic{{ pattern: {pattern}, tasks: {hosts}, load: {load},
                 message_size: {flits} }},
               maximum_packet_size: {flits},
               router: InputOutput{{ virtual_channels: 1,
                 virtual_channel_policies: [LowestLabel, EnforceFlowControl, Random],
                 allocator: {allocator}, crossbar_delay: {switch},
                 buffer_size: {input}, output_buffer_size: {output}, flit_size: {flits},
                 bubble: false, allow_request_busy_port: true, intransit_priority: false,
                 neglect_busy_output: false }},
               routing: DModK{{ down: {all}, up: {up} }},
               link_classes: [{classes}] }}",
            seed = run.seed,
            half = run.cycles / 2,
            height = self.up.len(),
            down = list(self.down[1..].iter().copied()),
            up = list(self.up.iter().copied()),
            leaf = self.down[0],
            all = list(self.down.iter().copied()),
            hosts = self.hosts(),
            load = run.load as f64 / 1000.0,
            input = input_queue * flits,
            output = output_queue * flits,
            classes = classes.trim_end_matches(','),
        );
        match config_parser::parse(&text) {
            Ok(Token::Value(value)) => value,
            other => panic!("CAMINOS does not read {text}: {other:?}"),
        }
    }

    /// Simulates with CAMINOS.
    pub fn theirs(&self, pattern: &str, run: Run, arbiter: Arbiter) -> Measured {
        let mut plugs = Plugs::default();
        plugs.add_routing("DModK".into(), DModK::build);
        let configuration = self.configuration(pattern, run, arbiter);
        let mut simulation = Simulation::new(&configuration, &plugs);
        simulation.run();
        let ConfigurationValue::Object(_, fields) = simulation.get_simulation_results() else {
            panic!("no result")
        };
        let of = |name: &str| match fields.iter().find(|(field, _)| field == name) {
            Some((_, ConfigurationValue::Number(value))) => *value,
            other => panic!("{name}: {other:?}"),
        };
        Measured { accepted: of("accepted_load"), latency: of("average_message_delay") }
    }
}

/// A pattern of CAMINOS in which host i sends to `map[i]`.
pub fn embedded(map: &[usize]) -> String {
    format!("EmbeddedMap{{ map: {} }}", list(map.iter().copied()))
}
