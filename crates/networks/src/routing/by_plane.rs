//! A routing of its own for every plane of a fabric that was read plane by plane: `by-plane:ROUTING,ROUTING,..`.
//!
//! Planes come one by one from `planes:FILE,FILE,..`, and the forwarding tables of each name its own addresses. A pair
//! has the same share of its traffic on every plane, and divides it there as the routing of the plane says. One routing
//! is that of every plane.
//!
//! After a failure paths stay as they are, as those of tables do: a pair that has lost one of them has none until it is
//! rerouted.

use super::{Routing, RoutingError, UseScratch, Visit};
use crate::quote::quote;
use crate::rational::Rational;
use crate::registry::Kind;
use crate::spec::{Spec, file_with_commas};
use crate::topology::{Host, LinkId, NodeId, Topology};

pub(super) const KIND: Kind<super::Family> = Kind {
    name: "by-plane",
    usage: "by-plane:ROUTING, by-plane:ROUTING,ROUTING,..",
    about: "fabrics read plane by plane (planes:FILE,FILE,..): an equal share on every plane, and there the paths of its \
            routing, such as forwarding tables; one routing is that of all planes",
    reference: "this project",
    examples: &["by-plane:ecmp", "by-plane:hash(seed=1),hash(seed=2)"],
    build: super::Family {
        build,
        digits: super::Digits::None("its planes have routings of their own"),
        defined: false,
    },
};

/// The routing of a plane.
struct Part {
    routing: Box<dyn Routing>,
    /// The number that every host has on the plane.
    hosts: Vec<Host>,
    /// The link that every link of the plane is; of links of hosts that were left out, which no path has, any.
    links: Vec<LinkId>,
}

/// Routings of planes.
struct ByPlane {
    spec: String,
    hosts: usize,
    /// Of the traffic of a pair.
    share: Rational,
    parts: Vec<Part>,
}

fn build(spec: &Spec, topology: &Topology) -> Result<Box<dyn Routing>, RoutingError> {
    let (planes, texts) = (topology.planes(), split(spec.file()?));
    let Some(share) = Rational::new(1, planes.len() as u64) else {
        let reason = "it was not read plane by plane, as planes:FILE,FILE,..";
        return Err(RoutingError::does_not_fit(spec, topology, reason));
    };
    if let Some(file) = file_with_commas(&texts) {
        let problem =
            format!("commas divide its routings: give `{}` a name without one", quote(&file));
        return Err(spec.refused(problem).into());
    }
    if texts.len() != 1 && texts.len() != planes.len() {
        let (given, planes) = (texts.len(), planes.len());
        let reason = format!(
            "{given} routings are given for {planes} planes: give one for all, or one for each"
        );
        return Err(RoutingError::does_not_fit(spec, topology, reason));
    }
    let mut parts = Vec::new();
    if texts.contains(&"") {
        return Err(spec.refused("a routing between its commas is missing").into());
    }
    for (plane, text) in planes.iter().zip(texts.iter().cycle()) {
        let routing = super::build(text, &plane.topology)?;
        let own = &plane.topology;
        let links = plane.links(topology);
        let ends = own.link_numbers().zip(&links).filter(|(_, link)| link.is_none());
        let mut ends =
            ends.filter_map(|(link, _)| own.ends(link)).flat_map(|(tail, head)| [tail, head]);
        let may_forward =
            |node: &NodeId| (*node as usize) < own.hosts() && own.links_from(*node).count() > 1;
        if let Some(host) = ends.find(may_forward) {
            let name = quote(&own.node(host).name);
            let reason = format!(
                "host `{name}`, which is left out, may forward traffic: name it in all files"
            );
            return Err(RoutingError::does_not_fit(spec, topology, reason));
        }
        let links = links.into_iter().map(|link| link.unwrap_or(LinkId::MAX));
        let hosts = topology.host_numbers().map(|host| plane.host(host)).collect();
        parts.push(Part { routing, hosts, links: links.collect() });
    }
    let shown: Vec<&str> = parts.iter().take(texts.len()).map(|part| part.routing.spec()).collect();
    let spec = Spec { path: Some(shown.join(",")), ..spec.clone() }.to_string();
    Ok(Box::new(ByPlane { spec, hosts: topology.hosts(), share, parts }))
}

/// The text of a routing with `change` made to it, or, of routings by plane, to each of them.
///
/// ```
/// # use routebound_networks as routebound;
/// use routebound::routing::each_plane;
/// let seeded = |text: &str| text.replace("hash", "hash(seed=3)");
/// assert_eq!(each_plane("by-plane:hash,lft:a", seeded), "by-plane:hash(seed=3),lft:a");
/// assert_eq!(each_plane("hash", seeded), "hash(seed=3)");
/// ```
#[must_use]
pub fn each_plane(text: &str, change: impl Fn(&str) -> String) -> String {
    let by_plane = Spec::parse(text).ok().filter(|spec| spec.name == KIND.name);
    let Some((mut spec, path)) = by_plane.and_then(|spec| Some((spec.clone(), spec.path?))) else {
        return change(text);
    };
    let parts: Vec<String> = split(&path).into_iter().map(change).collect();
    spec.path = Some(parts.join(","));
    spec.to_string()
}

/// The parts of a text between commas that are neither in parentheses nor in quotation marks.
fn split(text: &str) -> Vec<&str> {
    let (mut depth, mut quoted) = (0_usize, false);
    let parts = text.split(|c| {
        quoted ^= c == '"';
        match c {
            '(' if !quoted => depth += 1,
            ')' if !quoted => depth = depth.saturating_sub(1),
            _ => {}
        }
        c == ',' && depth == 0 && !quoted
    });
    parts.map(str::trim).collect()
}

impl Part {
    /// A visitor of the plane for one of the fabric, with `share` of what the plane carries.
    fn visitor<'v>(
        &'v self,
        share: &'v Rational,
        visit: Visit<'v>,
    ) -> impl FnMut(&Rational, &[LinkId]) {
        let mut links = Vec::new();
        move |of_plane, path| {
            links.clear();
            links.extend(path.iter().map(|link| self.links[*link as usize]));
            visit(&(of_plane * share), &links);
        }
    }

    fn pair(&self, s: Host, d: Host) -> (Host, Host) {
        (self.hosts[s as usize], self.hosts[d as usize])
    }
}

impl Routing for ByPlane {
    fn spec(&self) -> &str {
        &self.spec
    }

    /// There are two planes or more.
    fn is_single_path(&self) -> bool {
        false
    }

    fn for_each_path(&self, s: Host, d: Host, links: &mut Vec<LinkId>, visit: Visit<'_>) {
        for part in &self.parts {
            let (s, d) = part.pair(s, d);
            part.routing.for_each_path(s, d, links, &mut part.visitor(&self.share, visit));
        }
    }

    fn for_each_use(&self, s: Host, d: Host, scratch: &mut UseScratch, visit: Visit<'_>) {
        for part in &self.parts {
            let (s, d) = part.pair(s, d);
            part.routing.for_each_use(s, d, scratch, &mut part.visitor(&self.share, visit));
        }
    }

    fn has_detours(&self) -> bool {
        self.parts.iter().any(|part| part.routing.has_detours())
    }

    fn may_revisit(&self) -> bool {
        self.parts.iter().any(|part| part.routing.may_revisit())
    }

    fn hosts(&self) -> Option<usize> {
        Some(self.hosts)
    }

    fn notes(&self) -> Vec<String> {
        let of_plane = |(number, part): (usize, &Part)| {
            let notes = part.routing.notes().into_iter();
            notes.map(|note| format!("plane {number}: {note}")).collect::<Vec<_>>()
        };
        (1..).zip(&self.parts).flat_map(of_plane).collect()
    }
}

#[cfg(test)]
mod tests;
