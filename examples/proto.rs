use routebound::{ratio::Ratio, topology::*, traffic::Demand, lp::{self, program::Solver}};
use petgraph::graph::DiGraph;
fn zoo(name: &str) -> (usize, Vec<(u32,u32)>) {
    let t = std::fs::read_to_string(format!("../shared/data/topologyzoo/{name}.graphml")).unwrap();
    let nodes: Vec<&str> = t.lines().filter_map(|l| l.trim().strip_prefix("<node id=\"")).map(|r| r.split('"').next().unwrap()).collect();
    let ix = |n: &str| nodes.iter().position(|x| *x==n).unwrap() as u32;
    let attr = |l: &str, k: &str| { let i = l.find(k).unwrap()+k.len(); l[i..].split('"').next().unwrap().to_string() };
    let edges = t.lines().filter(|l| l.trim().starts_with("<edge ")).map(|l| (ix(&attr(l,"source=\"")), ix(&attr(l,"target=\"")))).collect();
    (nodes.len(), edges)
}
fn net(n: usize, arcs: &[(u32,u32,Ratio)]) -> Topology {
    let mut g = DiGraph::new();
    for i in 0..n { g.add_node(Node{kind: NodeKind::Host, level:0, name: format!("h{i}"), address: None}); }
    for (k,(a,b,c)) in arcs.iter().enumerate() { g.add_edge((*a).into(), (*b).into(), Link{capacity:c.clone(), level:1, direction: Direction::Flat, from_port: k as u32+1, to_port: k as u32+1}); }
    Topology::new("x".into(), g).unwrap()
}
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let (topology, demands) = match a[1].as_str() {
        "zoo" => {
            let (n, e) = zoo(&a[2]);
            let mut deg = vec![0u64; n]; for (a,b) in &e { deg[*a as usize]+=1; deg[*b as usize]+=1; }
            let arcs: Vec<_> = e.iter().flat_map(|(a,b)| [(*a,*b,Ratio::ONE),(*b,*a,Ratio::ONE)]).collect();
            let mut dm = vec![];
            for s in 0..n { for d in 0..n { if s!=d { dm.push(Demand{s:s as u32,d:d as u32,amount:Ratio::from(deg[s]*deg[d])}); } } }
            (net(n,&arcs), dm)
        }
        "ft" => {
            let t = generate(&a[2]).unwrap(); let n = t.hosts() as u64; let mut dm = vec![]; let mut x: u64 = 88172645463325252;
            for s in 0..n { for d in 0..n { if s!=d { x ^= x<<13; x^=x>>7; x^=x<<17; let v = if a[3]=="all" {1} else { if x%2==0 {0} else {(x>>20)%100+1}}; if v>0 { dm.push(Demand{s:s as u32,d:d as u32,amount:Ratio::from(v)}); } } } }
            (t, dm)
        }
        "rr" => {
            let n: u64 = a[2].parse().unwrap(); let deg: u64 = a[3].parse().unwrap(); let mut x: u64 = 88172645463325252;
            let mut r = |k: u64| { x ^= x<<13; x^=x>>7; x^=x<<17; (x>>11)%k };
            let mut arcs = vec![];
            for i in 0..n { let c = Ratio::from(r(10)+1); let j=(i+1)%n; arcs.push((i as u32,j as u32,c.clone())); arcs.push((j as u32,i as u32,c)); }
            for _ in 0..n*(deg-2)/2 { let i=r(n); let j=r(n); if i!=j { let c = Ratio::from(r(10)+1); arcs.push((i as u32,j as u32,c.clone())); arcs.push((j as u32,i as u32,c)); } }
            let mut dm = vec![]; for s in 0..n { for d in 0..n { if s!=d && r(100) < a[4].parse().unwrap() { dm.push(Demand{s:s as u32,d:d as u32,amount:Ratio::from(r(100)+1)}); } } }
            (net(n as usize,&arcs), dm)
        }
        "torus" => {
            let k: u64 = a[2].parse().unwrap(); let n=k*k; let mut x: u64 = 88172645463325252;
            let mut r = |k: u64| { x ^= x<<13; x^=x>>7; x^=x<<17; (x>>11)%k };
            let mut arcs = vec![];
            for i in 0..k { for j in 0..k { for (a,b) in [((i+1)%k,j),(i,(j+1)%k)] { let (u,v)=((i*k+j) as u32,(a*k+b) as u32); arcs.push((u,v,Ratio::ONE)); arcs.push((v,u,Ratio::ONE)); } } }
            let mut dm = vec![]; for s in 0..n { for d in 0..n { if s!=d && r(100) < a[3].parse().unwrap() { dm.push(Demand{s:s as u32,d:d as u32,amount:Ratio::from(r(100)+1)}); } } }
            (net(n as usize,&arcs), dm)
        }
        _ => panic!(),
    };
    let i = a.iter().position(|x| x=="--").unwrap();
    let t0 = std::time::Instant::now();
    let solver = match a.get(i+2).map_or("c", |x| x.as_str()) { "s" => Solver::Simplex, "p" => Solver::PrimalSimplex, "i" => Solver::InteriorPoint, "io" => Solver::InteriorPointOnly, "pd"=>Solver::Pdlp, "hi" => Solver::HiPdlp, _ => Solver::Choose };
    let method = if a[i+1]=="arc" { lp::Method::ArcFlow } else { lp::Method::Columns };
    let b = lp::optu(&topology, &demands, &lp::Options{method, solver, ..Default::default()}, &routebound::progress::Progress::silent()).unwrap();
    let sh = |r: &Ratio| { let s = r.to_string(); if s.len() > 30 { format!("{:.15}", r.to_f64()) } else { s } };
    println!("lower {} upper {} gap {:.2e} equal {} paths {} {:?} total {:.3}", sh(&b.lower), sh(&b.upper), b.gap(), b.lower==b.upper, b.paths.len(), b.stats, t0.elapsed().as_secs_f64());
}
