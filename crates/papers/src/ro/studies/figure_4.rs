//! \[RO\] Figure 4: how many routes lead through each root.

mod claims;

use super::applications::label;
use super::points::{Application, SEEDS, first_seed};
use crate::integer::as_size;
use crate::ro::statements::roots::{routes, spread};
use crate::sampling::Quartiles;
use crate::study::prelude::*;
use crate::topology::sd_pairs;

pub(super) const KIND: Kind<Study> = Study::kind::<Points>(
    &["ro-figure-4"],
    "[RO] VII.D, VIII, Figure 4",
    "routes through each root of XGFT(2;16,16;1,16) and XGFT(2;16,16;1,10) with Random, r-NCA-u, \
            r-NCA-d, S-mod-k and D-mod-k",
);

/// Roots of the two trees.
const ROOTS: [u64; 2] = [16, 10];
const SCHEMES: [&str; 5] = ["random", "rnca-u", "rnca-d", "smodk", "dmodk"];
const MODULO: [&str; 2] = ["smodk", "dmodk"];
const HEADS: [&str; 6] = ["w2", "scheme", "seed", "routes", "WRF-256", "CG.D-128"];

/// A routing on a tree.
#[derive(Clone, Copy)]
struct Point {
    w2: u64,
    scheme: &'static str,
    seed: Option<u64>,
}

struct Points(Vec<Point>);

/// Routes through each root.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Routes {
    /// Of all pairs of hosts of different switches.
    all: Vec<u64>,
    /// Of the pairs to which an application sends, in the order of [`Application::ALL`].
    taken: [Vec<u64>; 2],
}

fn points() -> Points {
    let of = |(w2, scheme): (u64, &'static str)| {
        let seeds: Vec<Option<u64>> = match first_seed(scheme) {
            Some(first) => (first..first + SEEDS).map(Some).collect(),
            None => vec![None],
        };
        seeds.into_iter().map(move |seed| Point { w2, scheme, seed })
    };
    Points(itertools::iproduct!(ROOTS, SCHEMES).flat_map(of).collect())
}

impl Point {
    /// The cells that name its row.
    fn names(self) -> [String; 3] {
        let seed = self.seed.map_or_else(String::new, |seed| seed.to_string());
        [self.w2.to_string(), self.scheme.to_string(), seed]
    }

    fn spec(&self) -> String {
        let seed = |seed| format!("{}(seed={seed})", self.scheme);
        self.seed.map_or_else(|| self.scheme.to_string(), seed)
    }
}

impl Routes {
    /// The routes in a row of the table.
    fn read(point: Point, cells: &[String]) -> Option<Self> {
        let numbers = |text: &String| text.split(' ').map(str::parse).collect::<Result<_, _>>();
        let (names, [all, wrf, cg]) = cells.split_first_chunk::<3>()? else { return None };
        let taken = [numbers(wrf).ok()?, numbers(cg).ok()?];
        (*names == point.names()).then_some(Self { all: numbers(all).ok()?, taken })
    }
}

impl Rows for Points {
    type Key = Point;
    type Row = Routes;

    fn keys(&self) -> &[Point] {
        &self.0
    }

    fn find(&self, point: &Point, _: &Progress) -> Result<Routes> {
        let tree = format!("xgft(2;16,16;1,{})", point.w2);
        let instance = Instance::named(&tree, &point.spec())?;
        let all = routes(&instance, sd_pairs(instance.topology().hosts()));
        let [wrf, cg] = Application::ALL.map(|application| {
            let traffic = application.last()?;
            let pairs = traffic.demands().iter().map(|demand| (demand.s, demand.d));
            Ok::<_, StudyError>(routes(&instance, pairs))
        });
        Ok(Routes { all, taken: [wrf?, cg?] })
    }

    /// All pairs of hosts of different switches, and all messages.
    fn holds(&self, point: &Point, found: &Routes) -> bool {
        let roots = as_size(point.w2);
        let [wrf, cg] = &found.taken;
        let sums = [(&found.all, 256 * 240), (wrf, 2 * 240), (cg, 8 * 14)];
        sums.into_iter()
            .all(|(routes, sum)| routes.len() == roots && routes.iter().sum::<u64>() == sum)
    }
}

/// The rows of a tree with a scheme.
#[derive(Clone, Copy)]
struct View<'v>(&'v [(Point, Routes)]);

impl<'v> View<'v> {
    fn of(self, w2: u64, scheme: &str) -> Vec<&'v Routes> {
        let rows = self.0.iter().filter(|(point, _)| point.w2 == w2 && point.scheme == scheme);
        rows.map(|(_, routes)| routes).collect()
    }

    /// The largest difference of two roots with one seed.
    fn spread(self, w2: u64, scheme: &str) -> u64 {
        let all = self.of(w2, scheme).into_iter();
        all.map(|routes| spread(&routes.all)).max().unwrap_or(u64::MAX)
    }

    /// The difference of two roots, of the routes that an application takes, over the seeds.
    fn taken(self, application: Application, w2: u64, scheme: &str) -> Option<Quartiles> {
        let of = |routes: &Routes| {
            let mut each = Application::ALL.into_iter().zip(&routes.taken);
            each.find(|(of, _)| *of == application).map_or(0, |(_, routes)| spread(routes))
        };
        let all: Vec<f64> =
            self.of(w2, scheme).into_iter().map(|routes| of(routes) as f64).collect();
        Quartiles::of(&all)
    }

    /// Maximum difference of a root from the mean, as a fraction of the mean.
    fn deviation(self, w2: u64, scheme: &str) -> f64 {
        let mean = 256.0 * 240.0 / w2 as f64;
        let all = self.of(w2, scheme).into_iter().flat_map(|routes| &routes.all);
        all.map(|routes| (*routes as f64 / mean - 1.0).abs()).fold(0.0, f64::max)
    }
}

impl Entry for Points {
    type Row = (Point, Routes);

    /// The small tier has one tree.
    fn of(tier: Tier) -> Result<Self> {
        let is_wanted = |point: &Point| tier == Tier::Full || point.w2 == ROOTS[0];
        Ok(Self(points().0.into_iter().filter(is_wanted).collect()))
    }

    fn finder(&self) -> Finder<'_, Self::Row> {
        Finder::new(Rows::count(self), move |job| {
            let found = job.at_once(self)?;
            Ok(found.map(|found| self.0.iter().copied().zip(found).collect()))
        })
    }

    fn tables(&self, found: &[Self::Row]) -> Result<Vec<Table>> {
        let cells = found.iter().map(|(point, Routes { all, taken: [wrf, cg] })| {
            let numbers = [all, wrf, cg].map(|routes| {
                let routes: Vec<String> = routes.iter().map(ToString::to_string).collect();
                routes.join(" ")
            });
            point.names().into_iter().chain(numbers).collect::<Vec<_>>()
        });
        Ok(vec![Table::new("table.csv", &HEADS, cells)])
    }

    const FROM_TABLES: bool = true;

    fn page(&self, _: &[Self::Row], tables: &[Table]) -> Result<Page> {
        let rows = self.0.iter().zip(tables.iter().flat_map(Table::rows)).zip(2..);
        let row = |((point, cells), line): ((&Point, &Vec<String>), usize)| {
            let routes = Routes::read(*point, cells);
            let what = format!("expected the routes of {}", point.spec());
            Ok((*point, routes.ok_or(StudyError::Table { line, what })?))
        };
        let found = rows.map(row).collect::<Result<Vec<_>>>()?;
        let view = View(&found);
        let page = Page::new(HEADER.replace("SEEDS", &SEEDS.to_string()));
        let page = page.findings(&claims::all(view)).text(FOOTER).text(&by_application(view));
        Ok(page.beside("routes.svg", figure(view)?))
    }
}

fn figure(view: View<'_>) -> Result<String> {
    let values = |w2: u64, scheme: &str, root: usize| -> Vec<f64> {
        view.of(w2, scheme).iter().map(|routes| routes.all[root] as f64).collect()
    };
    let charts = ROOTS.map(|w2| {
        let roots = || 0..as_size(w2);
        let boxes = |scheme: &&str| Boxes {
            name: label(scheme).to_string(),
            boxes: roots().map(|root| Quartiles::of(&values(w2, scheme, root))).collect(),
        };
        let marks = |scheme: &&str| Marks {
            name: label(scheme).to_string(),
            values: roots().flat_map(|root| values(w2, scheme, root)).collect(),
        };
        BoxChart {
            title: format!("XGFT(2;16,16;1,{w2})"),
            categories: roots().map(|root| root.to_string()).collect(),
            boxes: SCHEMES[..3].iter().map(boxes).collect(),
            marks: SCHEMES[3..].iter().map(marks).collect(),
            scale: Scale::FromZero,
        }
    });
    Ok(box_charts(&charts, Axes { x: "root", y: "routes" })?)
}

/// Maximum minus minimum routes of a root, of those that the messages of an application take.
fn by_application(view: View<'_>) -> String {
    let names = SCHEMES.iter().map(|scheme| label(scheme));
    let heads: Vec<&str> = ["w2", "application"].into_iter().chain(names).collect();
    let line = |(w2, application): (u64, Application)| {
        let cell = |scheme: &str| {
            let q = view.taken(application, w2, scheme)?;
            let range = format!(" ({}-{})", q.least, q.most);
            Some(format!("{}{}", q.median, if q.least < q.most { &range } else { "" }))
        };
        let cells = SCHEMES.iter().map(|scheme| cell(scheme).unwrap_or_default());
        let head = [w2.to_string(), application.name().to_string()];
        head.into_iter().chain(cells).collect::<Vec<_>>()
    };
    markdown(&heads, itertools::iproduct!(ROOTS, Application::ALL).map(line))
}

const HEADER: &str = include_str!("figure_4.header.md");

const FOOTER: &str = include_str!("figure_4.footer.md");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn routes_are_counted() {
        let points = Points(vec![
            Point { w2: 10, scheme: "dmodk", seed: None },
            Point { w2: 16, scheme: "rnca-u", seed: Some(1001) },
        ]);
        let found =
            [0, 1].map(|at: usize| points.find(&points.0[at], &Progress::silent()).unwrap());
        let uneven = [7680, 7680, 7680, 7680, 7680, 7680, 3840, 3840, 3840, 3840];
        assert_eq!(found[0].all, uneven);
        assert_eq!(found[1].all, [3840; 16]);
        let [wrf, cg] = &found[0].taken;
        assert_eq!(*wrf, uneven.map(|routes| routes / 128));
        assert_eq!(*cg, [14, 14, 14, 14, 14, 14, 7, 7, 7, 7]);
        assert_eq!(found[1].taken[0], [30; 16]);
        assert!(points.holds(&points.0[0], &found[0]) && !points.holds(&points.0[0], &found[1]));
    }
}
