//! What a certificate is about, in words.

use super::{Certificate, NetworkForm, RoutingForm, Split};

impl Certificate {
    /// The instance that it is about, as reports name it.
    ///
    /// ```
    /// # use routebound_proof as routebound;
    /// use routebound::certificate::Certificate;
    /// let text = "routebound-certificate 1\ntopology ft(4,2)\nclaim optu 1 1\ndemand 0 2 1\n\
    ///     route even\nlength 0 1\nend\n";
    /// assert_eq!(text.parse::<Certificate>()?.instance(), "traffic on ft(4,2)");
    /// # Ok::<(), routebound::certificate::ReadError>(())
    /// ```
    #[must_use]
    pub fn instance(&self) -> String {
        let network = match self.network() {
            NetworkForm::Named(spec) => spec.clone(),
            NetworkForm::Embedded(network) => format!(
                "an embedded network of {} hosts, {} nodes, {} links",
                network.hosts,
                network.nodes,
                network.links.len()
            ),
        };
        let routing = match self {
            Self::WorstCase(certificate) => &certificate.routing,
            Self::Product(certificate) => &certificate.routing,
            Self::Jobs(certificate) => &certificate.routing,
            Self::Optimum(_) => return format!("traffic on {network}"),
            Self::Local(_) => return format!("local adaptive routings of {network}"),
        };
        match routing {
            RoutingForm::Named(spec) => format!("{spec} on {network}"),
            RoutingForm::Next(_) => format!("next links on {network}"),
            RoutingForm::Paths(paths) => format!("{} paths on {network}", paths.len()),
            RoutingForm::Split(Split::Paths) => format!("all shortest paths on {network}"),
            RoutingForm::Split(Split::Hops) => format!("even splits per hop on {network}"),
        }
    }
}
