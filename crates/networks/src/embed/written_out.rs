//! A certificate that names its network, written out.

use super::{network, routing, routing_within};
use crate::advice::{Advice, Remedy};
use crate::certificate::{
    Budget, Certificate, FailuresCertificate, JobGroup, JobsCertificate, NetworkForm, Optimality,
    OptimumCertificate, RoutingForm, WorstCaseCertificate, fits,
};
use crate::checker::{BadTree, MAX_HOSTS, Refusal};
use crate::generators::check_network_defined;
use crate::limit::{TooLarge, within};
use crate::progress::{Interrupted, Progress};
use crate::routing::{Instance, RoutingError, build};
use crate::spec::Spec;
use crate::topology::{Host, TopologyError, generate};

/// Maximum number of ordered pairs of members of one group, in all groups: the limit of the format.
const MAX_MEMBER_PAIRS: u64 = 1 << 32;

const BY_NAME: Advice = Advice::new("check it by name", &[Remedy::CheckByName]);
const BY_LINK: Advice = Advice::new(
    "check it by name, or analyse the routing link by link to have it written out",
    &[Remedy::CheckByName, Remedy::AnalyseByLink],
);
const ALONE: Advice = Advice::new(
    "check it by name, or certify this routing alone, written out",
    &[Remedy::CheckByName, Remedy::WriteOutRouting],
);

/// Why a certificate cannot be written out.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the message is the documentation")]
pub enum WriteOutError {
    #[error(
        "a certificate of the product form is about classes of links of a tree of any size, and takes only the \
         numbers of the tree and what decides its ports from the names: {0}"
    )]
    Product(#[source] Advice),
    #[error(
        "a certificate on local adaptive routings is about all of them on ftree(n,m,r), and takes only these \
         numbers from the name, so that there is nothing to write out: {0}"
    )]
    Local(#[source] Advice),
    #[error(
        "a `single-path` record is about all single-path routings of a tree, and takes the numbers of the tree \
         from its name, since links do not say what is up: {0}"
    )]
    SinglePath(#[source] Advice),
    #[error("a `group` record is about host {0}, which the network does not have")]
    NoSuchHost(Host),
    #[error(transparent)]
    Name(#[from] Refusal),
    #[error(transparent)]
    Topology(#[from] TopologyError),
    #[error(transparent)]
    Routing(#[from] RoutingError),
    #[error("{0}")]
    Interrupted(#[from] Interrupted),
}

/// The certificate with network and routing written out, and all other records as they are: nodes and links keep their
/// numbers. Nothing is verified: what a certificate fails to prove it fails to prove written out. One that names
/// nothing is returned as it is.
///
/// # Errors
/// [`WriteOutError`].
///
/// ```
/// # use routebound_networks as routebound;
/// use routebound::certificate::Certificate;
/// use routebound::checker::check;
/// let named: Certificate = "routebound-certificate 1
/// topology ft(4,2)
/// claim optu 1 1
/// demand 0 7 1
/// route even
/// length 0 1
/// end
/// ".parse()?;
/// assert!(check(&named).is_err());
/// let silent = routebound::progress::Progress::silent();
/// let written = routebound::embed::written_out(named, &silent)?;
/// assert_eq!(check(&written)?[0].to_string(), "optu = 1");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn written_out(
    certificate: Certificate,
    progress: &Progress,
) -> Result<Certificate, WriteOutError> {
    let of_all = |instance: &Instance| Ok(routing(instance, progress)?);
    let written = match certificate {
        Certificate::Product(_) => return Err(WriteOutError::Product(BY_LINK)),
        Certificate::Local(_) => return Err(WriteOutError::Local(BY_NAME)),
        Certificate::WorstCase(WorstCaseCertificate {
            optimality: Some(Optimality::SinglePath(_)),
            ..
        }) => return Err(WriteOutError::SinglePath(ALONE)),
        Certificate::WorstCase(named) => {
            let (network, routing) = forms((named.network, named.routing), of_all)?;
            Certificate::WorstCase(WorstCaseCertificate { network, routing, ..named })
        }
        Certificate::Optimum(named) => {
            let (network, _) = forms((named.network, RoutingForm::Paths(Vec::new())), of_all)?;
            Certificate::Optimum(OptimumCertificate { network, ..named })
        }
        Certificate::Jobs(named) => {
            let of_own = |instance: &Instance| of_groups(instance, &named.groups, progress);
            let (network, routing) = forms((named.network, named.routing), of_own)?;
            Certificate::Jobs(JobsCertificate { network, routing, ..named })
        }
        Certificate::Failures(named) => {
            let (network, routing) = forms((named.network, named.routing), of_all)?;
            Certificate::Failures(FailuresCertificate { network, routing, ..named })
        }
    };
    fits(&written, progress)?;
    Ok(written)
}

/// Network and routing written out; `write` is called for a routing that is named.
pub(super) fn forms(
    named: (NetworkForm, RoutingForm),
    write: impl FnOnce(&Instance) -> Result<RoutingForm, WriteOutError>,
) -> Result<(NetworkForm, RoutingForm), WriteOutError> {
    let (spec, routing) = match named {
        (NetworkForm::Named(spec), routing) => (spec, routing),
        (NetworkForm::Embedded(_), RoutingForm::Named(_)) => {
            return Err(Refusal::NamedRouting.into());
        }
        written => return Ok(written),
    };
    check_network_defined(&spec).map_err(Refusal::from)?;
    let topology = generate(&spec)?;
    let hosts = Some(topology.hosts() as u128);
    within("number of hosts", hosts, MAX_HOSTS, "certify a smaller instance").map_err(too_large)?;
    let network = network(&topology);
    let RoutingForm::Named(spec) = routing else { return Ok((network, routing)) };
    if Spec::parse(&spec).map_err(RoutingError::from)?.path.is_some() {
        return Err(Refusal::from(BadTree::FileRouting).into());
    }
    let routing = build(&spec, &topology)?;
    if routing.has_detours() {
        return Err(Refusal::from(BadTree::DetourRouting).into());
    }
    let instance = Instance::trusted(topology, routing);
    let split = instance.shortest_split().filter(|_| !instance.routing.is_single_path());
    let routing =
        split.map_or_else(|| write(&instance), |split| Ok(RoutingForm::Split(split.into())))?;
    Ok((network, routing))
}

/// The routing of the pairs within groups.
fn of_groups(
    instance: &Instance,
    groups: &[JobGroup],
    progress: &Progress,
) -> Result<RoutingForm, WriteOutError> {
    let pairs = groups.iter().map(|group| (group.members.len() as u128).pow(2)).sum();
    let remedy = "certify smaller jobs";
    within("number of pairs of members", Some(pairs), MAX_MEMBER_PAIRS, remedy)
        .map_err(too_large)?;
    let members = groups.iter().flat_map(|group| &group.members);
    let mut hosts = members.flatten().flatten();
    if let Some(nobody) = hosts.find(|host| **host as usize >= instance.topology().hosts()) {
        return Err(WriteOutError::NoSuchHost(*nobody));
    }
    Ok(routing_within(instance, groups, Budget::default(), progress)?)
}

fn too_large(limit: TooLarge) -> WriteOutError {
    Interrupted::from(limit).into()
}
