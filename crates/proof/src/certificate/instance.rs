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
        let (network, routing) = self.parts();
        let network = match network {
            NetworkForm::Named(spec) => spec.clone(),
            NetworkForm::Embedded(network) => format!(
                "an embedded network of {} hosts, {} nodes, {} links",
                network.hosts,
                network.nodes,
                network.links.len()
            ),
        };
        match routing {
            None if matches!(self, Self::Optimum(_)) => format!("traffic on {network}"),
            None => format!("local adaptive routings of {network}"),
            Some(RoutingForm::Named(spec)) => format!("{spec} on {network}"),
            Some(RoutingForm::Next(_)) => format!("next links on {network}"),
            Some(RoutingForm::Paths(paths)) => format!("{} paths on {network}", paths.len()),
            Some(RoutingForm::Split(Split::Paths)) => format!("all shortest paths on {network}"),
            Some(RoutingForm::Split(Split::Hops)) => format!("even splits per hop on {network}"),
        }
    }

    /// The network and, where it is about one, the routing.
    pub(super) fn parts(&self) -> (&NetworkForm, Option<&RoutingForm>) {
        match self {
            Self::WorstCase(certificate) => (&certificate.network, Some(&certificate.routing)),
            Self::Optimum(certificate) => (&certificate.network, None),
            #[cfg(feature = "names")]
            Self::Product(certificate) => (&certificate.network, Some(&certificate.routing)),
            #[cfg(feature = "names")]
            Self::Local(certificate) => (&certificate.network, None),
            Self::Jobs(certificate) => (&certificate.network, Some(&certificate.routing)),
            #[cfg(feature = "names")]
            Self::Failures(certificate) => (&certificate.network, Some(&certificate.routing)),
        }
    }
}
