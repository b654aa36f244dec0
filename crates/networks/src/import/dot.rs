//! Graphviz DOT with capacities: an edge has `capacity="1Gbps"` or `capacity=10`, a node may
//! have `type=host` or `type=switch` and a `label`. `topo --format dot` writes such files.
//!
//! ```text
//! digraph topology {
//!   s1 [type=switch]; h1 [type=host];
//!   h1 -> s1 [capacity="1Gbps"]; s1 -> h1 [capacity="1Gbps"];
//! }
//! ```
//!
//! In a `digraph` every edge is a directed link, in a `graph` an undirected one; a chain
//! `a -- b -- c` is several links. Default attributes (`edge [capacity=10]`) apply from where
//! they are set. `weight` is about the drawing: the weight of a link is
//! `link_weight`. Ports of nodes (`a:left`) only position a line in a drawing, and labels of HTML are
//! not read. A subgraph `{s1 s2}` stands for its nodes: `a -- {s1 s2}` is two links. Defaults that it sets
//! end with it.

mod token;

use std::collections::HashSet;

use itertools::Itertools as _;

use super::ImportError;
use super::prelude::*;
use token::Token;

pub(super) const KIND: Kind<Importer<ReadTopology>> = Kind {
    name: "dot",
    usage: "Graphviz DOT",
    about: "general network: nodes with type and label, edges with capacity",
    reference: "https://graphviz.org/doc/info/lang.html",
    examples: &["instances/networks/examples/ring.dot", "instances/networks/examples/star.dot"],
    build: Importer { detect, read },
};

fn detect(head: &str) -> bool {
    let mut input = head;
    let mut word = || match token::next(&mut input) {
        Ok(Some(Token::Word(word))) => word.to_ascii_lowercase(),
        Ok(Some(Token::Sign('{'))) => "{".into(),
        Ok(Some(Token::Quoted(_))) => "a name".into(),
        _ => String::new(),
    };
    let first = word();
    let kind = if first == "strict" { word() } else { first };
    ["graph", "digraph"].contains(&kind.as_str()) && (word() == "{" || word() == "{")
}

fn read(text: TextFile, options: &ImportOptions) -> Result<Topology> {
    let source = Source::read(text)?;
    let mut reader = Dot {
        source: &source,
        input: source.text(),
        place: 0,
        next: None,
        listing: Listing::new(&source, options),
        directed: false,
        strict: None,
        node_defaults: Fields::default(),
        edge_defaults: Fields::default(),
        depth: 0,
    };
    reader.step()?;
    reader.graph()?;
    reader.listing.into_topology()
}

struct Dot<'s> {
    source: &'s Source,
    /// The input after the next word.
    input: &'s str,
    /// The next word and its position.
    next: Option<Token>,
    place: usize,
    listing: Listing<'s>,
    directed: bool,
    /// The edges so far, if the graph is strict.
    strict: Option<HashSet<(usize, usize)>>,
    node_defaults: Fields,
    edge_defaults: Fields,
    /// Number of open subgraphs.
    depth: usize,
}

/// Maximum number of subgraphs within each other.
const MAX_DEPTH: usize = 64;

impl Dot<'_> {
    /// Reads the next word and returns the previous one.
    fn step(&mut self) -> Result<Option<Token>> {
        // Skipping blanks never fails; the word begins after them.
        let _ = token::skip_blank(&mut self.input);
        let start = self.input;
        self.place = self.source.place_of(start);
        let next = token::next(&mut self.input).map_err(|_| {
            let expected = "a name, a text in closed quotes, or a DOT punctuation mark";
            self.source.error(self.place, Problem::syntax(start, expected))
        })?;
        Ok(std::mem::replace(&mut self.next, next))
    }

    fn unexpected(&self, expected: &'static str) -> ImportError {
        let rest = &self.source.text()[self.place..];
        let found = if rest.is_empty() { "the end of the file" } else { rest };
        self.source.error(self.place, Problem::syntax(found, expected))
    }

    fn takes(&mut self, sign: char) -> Result<bool> {
        let is_next = self.next == Some(Token::Sign(sign));
        if is_next {
            self.step()?;
        }
        Ok(is_next)
    }

    /// Consumes the keyword if it comes next; keywords are never quoted.
    fn takes_word(&mut self, keyword: &str) -> Result<bool> {
        let is_next = matches!(&self.next, Some(Token::Word(w)) if w.eq_ignore_ascii_case(keyword));
        if is_next {
            self.step()?;
        }
        Ok(is_next)
    }

    fn id(&mut self, expected: &'static str) -> Result<String> {
        match self.next.take() {
            Some(Token::Word(id) | Token::Quoted(id)) => {
                self.step()?;
                Ok(id)
            }
            other => {
                self.next = other;
                Err(self.unexpected(expected))
            }
        }
    }

    fn graph(&mut self) -> Result<()> {
        if self.takes_word("strict")? {
            self.strict = Some(HashSet::new());
        }
        self.directed = self.takes_word("digraph")?;
        if !self.directed && !self.takes_word("graph")? {
            return Err(self.unexpected("`graph` or `digraph`"));
        }
        if self.next != Some(Token::Sign('{')) {
            self.id("`{` or the name of the graph")?;
        }
        if !self.takes('{')? {
            return Err(self.unexpected("`{`"));
        }
        self.statements()?;
        if self.next.is_some() {
            return Err(self.unexpected("the end of the file after the graph"));
        }
        Ok(())
    }

    /// The statements to the end of a graph; its nodes.
    fn statements(&mut self) -> Result<Vec<usize>> {
        let mut nodes = Vec::new();
        while !self.takes('}')? {
            nodes.extend(self.statement()?);
            self.takes(';')?;
        }
        nodes.sort_unstable();
        nodes.dedup();
        Ok(nodes)
    }

    /// The nodes of a subgraph, if one comes next.
    fn subgraph(&mut self) -> Result<Option<Vec<usize>>> {
        if self.takes_word("subgraph")? {
            if self.next != Some(Token::Sign('{')) {
                self.id("`{` or the name of the subgraph")?;
            }
            if self.next != Some(Token::Sign('{')) {
                return Err(self.unexpected("`{`"));
            }
        }
        let place = self.place;
        if !self.takes('{')? {
            return Ok(None);
        }
        if self.depth == MAX_DEPTH {
            let remedy = "write its nodes and edges into the graph around it";
            let problem = Problem::Unsupported { what: "a subgraph nested so deeply", remedy };
            return Err(self.source.error(place, problem));
        }
        self.depth += 1;
        let outside = (self.node_defaults.clone(), self.edge_defaults.clone());
        let nodes = self.statements()?;
        (self.node_defaults, self.edge_defaults) = outside;
        self.depth -= 1;
        Ok(Some(nodes))
    }

    /// A statement; the nodes that it names.
    fn statement(&mut self) -> Result<Vec<usize>> {
        for (keyword, edge) in [("node", false), ("edge", true)] {
            if self.takes_word(keyword)? {
                let mut fields =
                    if edge { self.edge_defaults.clone() } else { self.node_defaults.clone() };
                self.attributes(edge, &mut fields)?;
                *(if edge { &mut self.edge_defaults } else { &mut self.node_defaults }) = fields;
                return Ok(Vec::new());
            }
        }
        if self.takes_word("graph")? {
            self.attributes(false, &mut Fields::default())?;
            return Ok(Vec::new());
        }
        self.nodes_or_edges()
    }

    /// `a [..]`, `a -> b -> c [..]` where any of them may be a subgraph, or a graph attribute `name = value`; the
    /// nodes.
    fn nodes_or_edges(&mut self) -> Result<Vec<usize>> {
        let place = self.place;
        let (mut chain, is_node) = if let Some(nodes) = self.subgraph()? {
            (vec![nodes], false)
        } else {
            let first = self.id("a node, an edge, or `}`")?;
            if self.takes('=')? {
                self.id("a value after `=`")?;
                return Ok(Vec::new());
            }
            (vec![vec![self.node(&first, place)?]], true)
        };
        while let Some(Token::Edge(arrow)) = self.next {
            if arrow != self.directed {
                return Err(self.unexpected("`->` in a digraph, `--` in a graph"));
            }
            self.step()?;
            let place = self.place;
            chain.push(if let Some(nodes) = self.subgraph()? {
                nodes
            } else {
                let id = self.id("the node that the edge leads to")?;
                vec![self.node(&id, place)?]
            });
        }
        if let [nodes] = &chain[..] {
            if is_node {
                let mut fields = Fields::default();
                self.attributes(false, &mut fields)?;
                self.listing.describe(nodes[0], &fields)?;
            }
            return Ok(nodes.clone());
        }
        let mut fields = self.edge_defaults.clone();
        self.attributes(true, &mut fields)?;
        for (from, to) in chain.iter().tuple_windows() {
            for (from, to) in from.iter().cartesian_product(to) {
                self.edge(*from, *to, place, &fields)?;
            }
        }
        Ok(chain.concat())
    }

    /// A node by its id, with the defaults if it is new; skips its port.
    fn node(&mut self, id: &str, place: usize) -> Result<usize> {
        let node = self.listing.mention(id, place)?;
        if !self.listing.nodes[node].declared {
            let defaults = self.node_defaults.clone();
            self.listing.describe(node, &defaults)?;
        }
        while self.takes(':')? {
            self.id("a port after `:`")?;
        }
        Ok(node)
    }

    fn edge(&mut self, from: usize, to: usize, place: usize, fields: &Fields) -> Result<()> {
        let pair = if self.directed { (from, to) } else { (from.min(to), from.max(to)) };
        if self.strict.as_mut().is_some_and(|edges| !edges.insert(pair)) {
            let id = |node: usize| self.listing.nodes[node].id.clone();
            let problem = Problem::NotStrict { from: id(from).into(), to: id(to).into() };
            return Err(self.source.error(place, problem));
        }
        self.listing.link((from, to), self.directed, place, fields)
    }

    /// What may stand between attributes.
    fn takes_mark(&mut self) -> Result<bool> {
        Ok(self.takes(',')? || self.takes(';')?)
    }

    /// Any number of attribute lists.
    fn attributes(&mut self, of_edge: bool, fields: &mut Fields) -> Result<()> {
        while self.takes('[')? {
            while !self.takes(']')? {
                let name = self.id("the name of an attribute, or `]`")?;
                if !self.takes('=')? {
                    return Err(self.unexpected("`=` after the name of an attribute"));
                }
                if self.next == Some(Token::Html) {
                    self.step()?;
                    self.takes_mark()?;
                    continue;
                }
                let place = self.place;
                let value = self.id("the value of the attribute")?;
                match (name.as_str(), of_edge) {
                    ("weight", true) => {}
                    ("link_weight", true) => fields.put("weight", value, place),
                    ("type", false) => fields.put("kind", value, place),
                    // In labels, a backslash starts an escape.
                    ("label", false) => fields.put("label", value.replace("\\\\", "\\"), place),
                    _ => fields.put(&name, value, place),
                }
                self.takes_mark()?;
            }
        }
        Ok(())
    }
}
