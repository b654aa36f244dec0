//! Which of the files of a folder are the network, and which are tables.
//!
//! A subnet manager's dump folder holds the network (`ibnetdiscover.out`), the same tables in up to three formats, and
//! logs. Files are known by their content, whatever their names. What `route --save-opensm` writes is such a folder,
//! whose `lids.csv` says which LIDs sources use.

use std::fs;
use std::path::Path;

use crate::import::{self, Content, ForwardingTables, ImportError, ImportOptions, SwitchTable};
use crate::input::InputError;
use crate::limit::{TooLarge, within};
use crate::quote::quote;

/// Maximum number of files that are looked at.
const MAX_FILES: u64 = 1 << 16;

/// Why there is no fabric in the files.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the message is the documentation")]
pub enum SourcesError {
    #[error(transparent)]
    Input(#[from] InputError),
    #[error(transparent)]
    Import(#[from] ImportError),
    #[error("{0}")]
    TooLarge(#[from] TooLarge),
    #[error("no network in {place}: {remedy}")]
    NoNetwork { place: String, remedy: String },
    #[error(
        "`{first}` and `{second}` are different networks: name the one that is meant, and its tables"
    )]
    SeveralNetworks { first: String, second: String },
    #[error(
        "`{first}` and `{second}` differ on LID {lid} of switch {guid:#018x}: port {} and port {}; \
         dump both again, or name the one that is meant", port(*.ports, 0), port(*.ports, 1)
    )]
    Contradiction {
        first: String,
        second: String,
        guid: u64,
        lid: u16,
        /// The port in either; `None` without entry.
        ports: [Option<u8>; 2],
    },
}

fn port(ports: [Option<u8>; 2], at: usize) -> String {
    ports[at].map_or_else(|| "none".to_string(), |port| port.to_string())
}

/// The files of a fabric.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sources {
    /// The file of the network, or the spec of a generated one.
    pub network: String,
    /// Forwarding tables of the fabric, one set for every run of a subnet manager.
    pub tables: Vec<TableSet>,
    /// Notes on what was left aside.
    pub notes: Vec<String>,
}

/// Forwarding tables of all switches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableSet {
    /// The file or folder.
    pub path: String,
    /// Whether switches may choose among ports (`ibdiagnet2.far`).
    pub adaptive: bool,
    /// The file that says which LID every source uses for every destination, if one is beside the tables.
    pub lids: Option<String>,
    /// Other dumps of the same tables, with the number of entries that they have in common with it.
    pub copies: Vec<(String, u64)>,
}

/// What the files of a folder are.
#[derive(Default)]
struct Found {
    /// Each with the place of its format.
    networks: Vec<(usize, String)>,
    tables: Vec<String>,
    adaptive: Vec<String>,
    lids: Vec<String>,
}

impl TableSet {
    fn of(path: String) -> Self {
        Self { path, adaptive: false, lids: None, copies: Vec::new() }
    }

    /// The routings that the tables may be: one, or of adaptive ones the even choice of ports and the
    /// worst.
    ///
    /// ```
    /// # use routebound_analysis as routebound;
    /// use routebound::fabric::TableSet;
    /// let set = TableSet { path: "a.far".into(), adaptive: true, lids: None, copies: Vec::new() };
    /// assert_eq!(set.routings(), ["far:a.far", "far(choice=worst):a.far"]);
    /// ```
    #[must_use]
    pub fn routings(&self) -> Vec<String> {
        let of_kind = |kind: &str| format!("{kind}:{}", self.path);
        match &self.lids {
            _ if self.adaptive => ["far", "far(choice=worst)"].map(of_kind).into(),
            Some(lids) => vec![of_kind(&format!("lft(lid=\"{lids}\")"))],
            None => vec![of_kind("lft")],
        }
    }
}

impl Sources {
    /// Looks through files and folders. A folder's sub-folders are searched for tables too, each a
    /// set of its own. A text that is not a path is taken as the spec of the network. O(size of the tables
    /// where there are several dumps of them).
    ///
    /// # Errors
    /// [`SourcesError`]: no network or several, dumps that contradict each other, what cannot be read.
    ///
    /// ```
    /// # use routebound_analysis as routebound;
    /// use routebound::fabric::Sources;
    /// let found = Sources::of(&["instances/fabrics/ft8x3_messy/updn".to_string()])?;
    /// assert!(found.network.ends_with("ibnetdiscover.out.gz"));
    /// // opensm-lfts.dump, dump_fts.out and opensm.fdbs hold the same tables.
    /// assert_eq!((found.tables.len(), found.tables[0].copies.len()), (1, 2));
    /// // The dumps of lanes beside them are neither.
    /// let found = Sources::of(&["instances/fabrics/ring5".to_string()])?;
    /// assert_eq!(found.network, "instances/fabrics/ring5/ibnetdiscover.out");
    /// # Ok::<(), routebound::fabric::SourcesError>(())
    /// ```
    pub fn of(paths: &[String]) -> Result<Self, SourcesError> {
        let mut sources = Self::default();
        let (mut networks, mut foreign, mut lids) = (Vec::new(), Vec::new(), Vec::new());
        for path in paths {
            if !import::is_path(path) || import::is_of_planes(path) {
                networks.push(path.clone());
            } else if Path::new(path).is_dir() {
                let mut found = of_folder(path)?;
                networks.extend(sources.same_network(std::mem::take(&mut found.networks))?);
                sources.add(found)?;
                sources.of_sub_folders(path, &mut foreign)?;
            } else {
                let file = vec![path.clone()];
                match import::content(path)? {
                    Content::Tables => sources.add(Found { tables: file, ..Found::default() })?,
                    Content::AdaptiveTables => {
                        sources.add(Found { adaptive: file, ..Found::default() })?;
                    }
                    Content::LidOffsets => lids.extend(file),
                    // If it is none, reading it as a network says what is wrong with it.
                    _ => networks.push(path.clone()),
                }
            }
        }
        sources.choose_lids(0, &lids);
        sources.network = one_network(paths, networks, &foreign)?;
        if !foreign.is_empty() {
            let list = foreign.join(", ");
            sources.notes.push(format!("left aside, as they have networks of their own: {list}"));
        }
        Ok(sources)
    }

    /// The sets of tables of a file or folder, whatever network is beside them.
    ///
    /// # Errors
    /// As [`Self::of`], except for networks.
    pub fn of_tables(path: &str) -> Result<Vec<TableSet>, SourcesError> {
        let mut sources = Self::default();
        if Path::new(path).is_dir() {
            sources.add(of_folder(path)?)?;
            sources.of_sub_folders(path, &mut Vec::new())?;
        } else if import::content(path)? == Content::AdaptiveTables {
            sources.add(Found { adaptive: vec![path.to_string()], ..Found::default() })?;
        } else {
            sources.add(Found { tables: vec![path.to_string()], ..Found::default() })?;
        }
        Ok(sources.tables)
    }

    /// Adds the tables of every sub-folder, except of those that hold a network: they are other fabrics.
    fn of_sub_folders(
        &mut self,
        folder: &str,
        foreign: &mut Vec<String>,
    ) -> Result<(), SourcesError> {
        for sub in entries(folder, true)? {
            let found = of_folder(&sub)?;
            if found.networks.is_empty() {
                self.add(found)?;
            } else {
                foreign.push(sub);
            }
        }
        Ok(())
    }

    /// The network among the dumps of a folder: the one that tells most, with a note if there are others
    /// of the same sizes.
    ///
    /// # Errors
    /// [`SourcesError::SeveralNetworks`] where they differ in their numbers of hosts, switches or links.
    fn same_network(
        &mut self,
        mut networks: Vec<(usize, String)>,
    ) -> Result<Option<String>, SourcesError> {
        networks.sort();
        let mut networks = networks.into_iter().map(|(_, path)| path);
        let Some(first) = networks.next() else { return Ok(None) };
        let mut known = None;
        for second in networks {
            let wanted = match known {
                Some(wanted) => wanted,
                None => *known.insert(sizes(&first)?),
            };
            if sizes(&second)? != wanted {
                return Err(SourcesError::SeveralNetworks { first, second });
            }
            self.notes
                .push(format!("`{second}` has the same numbers of hosts, switches and links"));
        }
        Ok(Some(first))
    }

    /// Adds the tables of files of one folder: a set with its copies, or one file for every switch;
    /// and adaptive ones, each a set.
    fn add(&mut self, found: Found) -> Result<(), SourcesError> {
        let known = self.tables.len();
        self.add_plain(found.tables)?;
        self.choose_lids(known, &found.lids);
        let sets = found.adaptive.into_iter().map(TableSet::of);
        self.tables.extend(sets.map(|set| TableSet { adaptive: true, ..set }));
        Ok(())
    }

    /// Has the sets from this one on use the LIDs that a file says.
    fn choose_lids(&mut self, from: usize, files: &[String]) {
        match files {
            [] => {}
            [file] => {
                for set in &mut self.tables[from..] {
                    set.lids = Some(file.clone());
                }
            }
            [first, second, ..] => self.notes.push(format!(
                "`{first}` and `{second}` both say which LIDs sources use: neither is followed"
            )),
        }
    }

    fn add_plain(&mut self, files: Vec<String>) -> Result<(), SourcesError> {
        let Some(first) = files.first().cloned() else { return Ok(()) };
        if files.len() == 1 {
            self.tables.push(TableSet::of(first));
            return Ok(());
        }
        let of_first = import::tables(&first)?;
        let of_second = import::tables(&files[1])?;
        if of_second.switches.keys().all(|guid| !of_first.switches.contains_key(guid)) {
            let folder = Path::new(&first).parent().unwrap_or(Path::new("."));
            self.tables.push(TableSet::of(folder.display().to_string()));
            return Ok(());
        }
        // What OpenSM writes of its own tables is complete; the others read them back.
        let main = files.iter().find(|file| file.contains("opensm-lfts")).unwrap_or(&first).clone();
        let tables = import::tables(&main)?;
        let mut copies = Vec::new();
        for file in files.into_iter().filter(|file| *file != main) {
            let same = agree(&tables, &import::tables(&file)?)?;
            copies.push((file, same));
        }
        self.tables.push(TableSet { copies, ..TableSet::of(main) });
        Ok(())
    }
}

/// The only network.
fn one_network(
    paths: &[String],
    networks: Vec<String>,
    foreign: &[String],
) -> Result<String, SourcesError> {
    let mut networks = networks.into_iter();
    match (networks.next(), networks.next()) {
        (Some(network), None) => Ok(network),
        (Some(first), Some(second)) => Err(SourcesError::SeveralNetworks { first, second }),
        (None, _) => {
            let place = paths.join(", ");
            let remedy = if foreign.is_empty() {
                "give the output of ibnetdiscover, or a folder with it".to_string()
            } else {
                format!("these folders have one each: {}; give one of them", foreign.join(", "))
            };
            Err(SourcesError::NoNetwork { place, remedy })
        }
    }
}

/// Hosts, nodes and links of a network.
fn sizes(path: &str) -> Result<(usize, usize, usize), SourcesError> {
    let options = ImportOptions { unit_capacity: true, ..ImportOptions::default() };
    let network = import::topology(path, &options)?;
    Ok((network.hosts(), network.nodes(), network.links()))
}

/// The files of a folder by content. General networks are not looked for: many lists look like one.
fn of_folder(folder: &str) -> Result<Found, SourcesError> {
    let mut found = Found::default();
    for file in entries(folder, false)? {
        match import::content(&file) {
            Ok(Content::Fabric { kind }) => found.networks.push((kind, file)),
            Ok(Content::Tables) => found.tables.push(file),
            Ok(Content::AdaptiveTables) => found.adaptive.push(file),
            Ok(Content::LidOffsets) => found.lids.push(file),
            // Pictures and archives are not text, and a fabric's folder may hold them.
            Ok(_) | Err(_) => {}
        }
    }
    Ok(found)
}

/// The files, or the folders, in a folder by name, except those that begin with a dot.
fn entries(folder: &str, folders: bool) -> Result<Vec<String>, SourcesError> {
    let unreadable = |error: std::io::Error| InputError::of(folder, error);
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).map_err(unreadable)? {
        let entry = entry.map_err(unreadable)?;
        let (path, name) = (entry.path(), entry.file_name());
        let wanted = if folders { path.is_dir() } else { path.is_file() };
        if wanted && !name.as_encoded_bytes().starts_with(b".") {
            found.push(path.to_string_lossy().into_owned());
        }
        let count = Some(found.len() as u128);
        within("number of files in the folder", count, MAX_FILES, "give the dumps only")?;
    }
    found.sort();
    Ok(found)
}

/// The number of entries that two dumps have in common.
///
/// # Errors
/// [`SourcesError::Contradiction`] for an entry that differs. A LID that one of them does not list
/// at all is not a contradiction: some tools drop the last one.
fn agree(first: &ForwardingTables, second: &ForwardingTables) -> Result<u64, SourcesError> {
    let mut same = 0;
    for (guid, table) in &first.switches {
        let Some(other) = second.switches.get(guid) else { continue };
        for lid in table.ports.lids() {
            let ports = [table, other].map(|table: &SwitchTable| table.ports.get(*lid));
            match ports {
                [Some(a), Some(b)] if a == b => same += 1,
                [Some(_), None] => {}
                _ => {
                    return Err(SourcesError::Contradiction {
                        first: quote(&first.source),
                        second: quote(&second.source),
                        guid: *guid,
                        lid: *lid,
                        ports,
                    });
                }
            }
        }
    }
    Ok(same)
}
