//! The simulator against hand calculations and laws that hold whatever is simulated.

use super::select::{self, SELECTIONS};
use super::*;
use crate::routing::{self, Routing};
use crate::topology::generate;
use crate::traffic;

/// Packets of hosts at given times.
#[derive(Default)]
struct Planned {
    packets: Vec<Vec<Outgoing>>,
    /// Source, destination and time of every delivery.
    delivered: Vec<(Host, Host, u64)>,
}

impl Planned {
    fn new(hosts: usize, packets: &[(Host, Host, u32, u64)]) -> Self {
        let mut planned = Self { packets: vec![Vec::new(); hosts], ..Self::default() };
        for (s, destination, flits, generated) in packets.iter().copied() {
            let packet = Outgoing { destination, flits, generated, tag: 0 };
            planned.packets[s as usize].insert(0, packet);
        }
        planned
    }
}

impl Source for Planned {
    fn offer(&mut self, host: Host, now: u64) -> Offer {
        let waiting = &mut self.packets[host as usize];
        match waiting.last() {
            Some(packet) if packet.generated > now => Offer::From(packet.generated),
            Some(_) => waiting.pop().map_or(Offer::Nothing, Offer::Packet),
            None => Offer::Nothing,
        }
    }

    fn delivered(&mut self, source: Host, packet: &Outgoing, now: u64, _: &mut Vec<Host>) {
        self.delivered.push((source, packet.destination, now));
    }
}

fn setup<'a>(topology: &'a Topology, routing: &'a dyn Routing, model: &'a Model) -> Setup<'a> {
    let routes = Routes::Oblivious(routing, Spread::Random);
    Setup { topology, model, routes, delivery: Delivery::AsTheyCome, seed: 1 }
}

/// Deliveries of packets on a tree with D-mod-k.
fn deliveries(
    spec: &str,
    model: &Model,
    packets: &[(Host, Host, u32, u64)],
) -> Vec<(Host, Host, u64)> {
    let topology = generate(spec).unwrap();
    let routing = routing::build("dmodk", &topology).unwrap();
    let mut source = Planned::new(topology.hosts(), packets);
    let found = setup(&topology, &*routing, model).complete(&mut source, &Progress::silent());
    assert_eq!(found.unwrap().packets, packets.len() as u64);
    source.delivered
}

/// One packet to each level of nearest common ancestors of the 4-ary 4-tree: 8 + 8192 cycles and 30 for each
/// link but the first.
#[test]
fn one_packet_takes_as_long_as_by_hand() {
    for (d, links, wanted) in [(1, 2, 8_230), (4, 4, 8_290), (16, 6, 8_350), (64, 8, 8_410)] {
        let model = Model::go();
        assert_eq!(model.idle_latency(links, 8192), wanted);
        assert_eq!(deliveries("kary(4,4)", &model, &[(0, d, 8192, 0)]), [(0, d, wanted)]);
        let select = select::find("ff").unwrap().build;
        let topology = generate("kary(4,4)").unwrap();
        let mut source = Planned::new(256, &[(0, d, 8192, 5)]);
        let routes = Routes::Adaptive(select);
        let setup = Setup {
            topology: &topology,
            model: &model,
            routes,
            delivery: Delivery::AsTheyCome,
            seed: 1,
        };
        setup.complete(&mut source, &Progress::silent()).unwrap();
        assert_eq!(source.delivered, [(0, d, wanted + 5)]);
    }
    // Every figure on its own: 3 links, that is 2 switches, of 1 + 3 + 7 + 2 cycles each, 3 and 10.
    let model = Model { routing: 7, crossbar: 2, fly: 3, ..Model::go() };
    assert_eq!(deliveries("kary(2,2)", &model, &[(0, 3, 10, 0)]), [(0, 3, 3 * 13 + 3 + 10)]);
    let at_once = Model { routing: 0, crossbar: 0, fly: 0, ..Model::go() };
    assert_eq!(deliveries("kary(2,2)", &at_once, &[(0, 3, 1, 0)]), [(0, 3, 4)]);
}

/// Two hosts of a switch send to a third one: the headers reach the switch in cycle 9 and ask in cycle 29;
/// the second packet gets the output 100 cycles after the first.
#[test]
fn of_two_packets_for_one_output_the_second_waits_for_the_first() {
    let model = Model::go();
    let found = deliveries("kary(4,2)", &model, &[(0, 2, 100, 0), (1, 2, 100, 0)]);
    assert_eq!(found, [(1, 2, 138), (0, 2, 238)]);
    // Also where they meet on the way up only: D-mod-k takes port 0 to hosts 4 and 8.
    let found = deliveries("kary(4,2)", &model, &[(0, 4, 100, 0), (1, 8, 100, 0)]);
    assert_eq!(found, [(1, 8, 198), (0, 4, 298)]);
    // A packet that comes 60 cycles later waits 40 cycles.
    let found = deliveries("kary(4,2)", &model, &[(0, 2, 100, 0), (1, 2, 100, 60)]);
    assert_eq!(found, [(0, 2, 138), (1, 2, 238)]);
}

/// Two packets after each other from one host: the second leaves when the first has, and nothing more.
#[test]
fn packets_of_a_host_follow_each_other() {
    let found = deliveries("kary(4,2)", &Model::go(), &[(0, 4, 100, 0), (0, 5, 100, 0)]);
    assert_eq!(found, [(0, 4, 198), (0, 5, 298)]);
}

/// With one place per queue, a packet holds a place of the input queue from its first flit on the cable on
/// until its last flit has left and the credit is back: 9 + 20 + 100 + 8 cycles.
#[test]
fn without_credit_nothing_is_sent() {
    let model = Model { input_queue: 1, output_queue: 2, ..Model::go() };
    let packets: Vec<_> = (0..4).map(|_| (0, 4, 100, 0)).collect();
    let found = deliveries("kary(4,2)", &model, &packets);
    let times: Vec<u64> = found.iter().map(|(_, _, at)| *at).collect();
    assert_eq!(times, [198, 198 + 137, 198 + 2 * 137, 198 + 3 * 137]);
}

/// A link of capacity 2 takes half the time, and still waits for the last flit where it comes slowly.
#[test]
fn links_have_their_own_speeds() {
    let mut builder = crate::topology::NetworkBuilder::new();
    let hosts = [0, 1, 2, 3].map(|h| builder.host(format!("h{h}")));
    let switches = [0, 1].map(|s| builder.switch(format!("s{s}")));
    let one = Rational::ONE;
    for (host, key) in hosts.into_iter().enumerate() {
        // Host 2 has a fast cable.
        let capacity = if host == 2 { Rational::from(2) } else { one.clone() };
        builder.cable(key, switches[host / 2], capacity);
    }
    builder.cable(switches[0], switches[1], Rational::from(4));
    let topology = builder.build("two").unwrap();
    let routing = routing::build("ecmp", &topology).unwrap();
    let times = |packets: &[(Host, Host, u32, u64)]| {
        let mut source = Planned::new(4, packets);
        let model = Model::go();
        setup(&topology, &*routing, &model).complete(&mut source, &Progress::silent()).unwrap();
        source.delivered
    };
    // From slow to fast: the last flit is at the first switch in cycle 108, and never waits after that.
    assert_eq!(times(&[(0, 2, 100, 0)]), [(0, 2, 108 + 2 * 10)]);
    // The last link takes 100 cycles again, from 2·30 on.
    assert_eq!(times(&[(0, 3, 100, 0)]), [(0, 3, 60 + 100 + 8)]);
    assert_eq!(times(&[(2, 3, 100, 0)]), [(2, 3, 30 + 100 + 8)]);
    // A slow link fills the queue of the fast one until cycle 109, and only then the other packet continues:
    // it is sent in cycle 110, and its header is on the last link in cycle 110 + 30.
    let found = times(&[(1, 2, 100, 0), (0, 3, 100, 0)]);
    assert_eq!(found.iter().map(|(.., at)| *at).max(), Some(140 + 100 + 8));
}

/// Every permutation at load 1 through one switch.
#[test]
fn a_full_crossbar_reaches_load_1() {
    let topology = generate("xgft(1;64;1)").unwrap();
    let routing = routing::build("dmodk", &topology).unwrap();
    let model = Model { packet_bytes: 256, ..Model::go() };
    let setup = setup(&topology, &*routing, &model);
    for pattern in ["shift(1)", "permutation(seed=3)", "bitrev", "complement"] {
        let matrix = traffic::generate(pattern, 64).unwrap();
        for arrivals in [Arrivals::Bernoulli, Arrivals::Periodic] {
            let run = OpenLoopRun {
                traffic: matrix.demands().into(),
                load: &Rational::ONE,
                arrivals,
                cycles: 200_000,
            };
            let found = setup.open_loop(&run, &Progress::silent()).unwrap();
            // Bernoulli hosts are at times without a packet.
            let wanted = if arrivals == Arrivals::Periodic { 0.999 } else { 0.97 };
            assert!(found.accepted.mean > wanted * found.offered, "{pattern}: {found:?}");
        }
    }
}

/// Everything is delivered, whatever the routing, the sizes and the order; nobody gets stuck. FT(4,3), the largest of
/// these trees, is for the full tier.
#[test]
fn everything_is_delivered_by_every_routing() {
    let model = Model { packet_bytes: 16, input_queue: 1, output_queue: 1, ..Model::go() };
    let specs = ["kary(2,3)", "xgft(3;2,2,2;1,2,1)", "xgft(2;2,3;2,2)", "ft(4,3)"];
    for spec in specs.into_iter().take(if cfg!(feature = "slow-tests") { 4 } else { 3 }) {
        let topology = generate(spec).unwrap();
        let mut packets = Vec::new();
        for (s, d) in crate::topology::sd_pairs(topology.hosts()) {
            packets.extend((0..6).map(|i| (s, d, 1 + (s + 3 * d + i) % 16, u64::from(i))));
            packets.push((s, u32::from(s == 0), 16, 6));
        }
        packets.sort_by_key(|packet| packet.3);
        let run = |routes: Routes<'_>, delivery: Delivery| {
            let mut source = Planned::new(topology.hosts(), &packets);
            let setup = Setup { topology: &topology, model: &model, routes, delivery, seed: 3 };
            let found = setup.complete(&mut source, &Progress::silent()).unwrap();
            assert_eq!(found.packets, packets.len() as u64, "{spec}");
            (found, source.delivered)
        };
        let orders = [
            Delivery::AsTheyCome,
            Delivery::InOrder { buffer: 0 },
            Delivery::InOrder { buffer: 5 },
        ];
        for delivery in orders {
            for name in ["dmodk", "omrmn", "random(seed=2)"] {
                let routing = routing::build(name, &topology).unwrap();
                for (_, spread) in Spread::ALL {
                    let (found, _) = run(Routes::Oblivious(&*routing, spread), delivery);
                    let is_fixed = routing.is_single_path() || spread == Spread::Flow;
                    assert!(!is_fixed || found.early == 0, "{spec} {name}");
                }
            }
            for kind in SELECTIONS {
                let (found, delivered) = run(Routes::Adaptive(kind.build), delivery);
                if let Delivery::InOrder { buffer } = delivery {
                    assert!(found.stored <= buffer, "{spec} {}: {found:?}", kind.name);
                }
                assert_eq!(run(Routes::Adaptive(kind.build), delivery).1, delivered);
            }
        }
    }
}
