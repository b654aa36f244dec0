//! Mesh and torus communication in two and three dimensions (\[OR\] VI, Tables II and III).
//!
//! The sides are given, `mesh2d(4,8)`, or are the most nearly equal ones for the number of tasks:
//! for a×b the largest a with a ≤ √K; for a×b×c the largest a with a ≤ ∛K, then the largest b
//! with b ≤ √(K/a). Task numbers count along the last side first. A mesh has borders; in a torus the
//! last task along a side also exchanges with the first, which on a side of 2 is its neighbour already.

use super::tasks::Tasks;
use super::{TrafficError, TrafficMatrix};
use crate::integer::{as_size, index32};
use crate::registry::Kind;
use crate::spec::Spec;

/// The form of a mesh or torus.
#[derive(Clone, Copy)]
struct Shape {
    dimensions: usize,
    wraps: bool,
}

pub(super) const MESH2D: Kind<super::Pattern> = Kind {
    name: "mesh2d",
    usage: "mesh2d(tasks=K,place=linear|random,seed=1) or mesh2d(a,b,place=linear|random,seed=1)",
    about: "neighbours of an a x b mesh exchange 1 unit, both ways; a x b as square as K allows, \
            or given",
    reference: "[OR] VI",
    examples: &["mesh2d", "mesh2d(3,4)", "mesh2d(tasks=24,place=random,seed=2)"],
    build: super::Pattern::symmetric(|spec, hosts| {
        build(spec, hosts, Shape { dimensions: 2, wraps: false })
    }),
};

pub(super) const MESH3D: Kind<super::Pattern> = Kind {
    name: "mesh3d",
    usage: "mesh3d(tasks=K,place=linear|random,seed=1) or mesh3d(a,b,c,place=linear|random,seed=1)",
    about: "neighbours of an a x b x c mesh exchange 1 unit, both ways; a x b x c as cubic as K \
            allows, or given",
    reference: "[OR] VI",
    examples: &["mesh3d", "mesh3d(2,3,4)", "mesh3d(tasks=64,place=random,seed=2)"],
    build: super::Pattern::symmetric(|spec, hosts| {
        build(spec, hosts, Shape { dimensions: 3, wraps: false })
    }),
};

pub(super) const TORUS2D: Kind<super::Pattern> = Kind {
    name: "torus2d",
    usage: "torus2d(tasks=K,place=linear|random,seed=1) or torus2d(a,b,place=linear|random,seed=1)",
    about: "mesh2d with wrap-around along sides above 2",
    reference: "[OR] VI",
    examples: &["torus2d", "torus2d(3,4)", "torus2d(tasks=24,place=random,seed=2)"],
    build: super::Pattern::symmetric(|spec, hosts| {
        build(spec, hosts, Shape { dimensions: 2, wraps: true })
    }),
};

pub(super) const TORUS3D: Kind<super::Pattern> = Kind {
    name: "torus3d",
    usage: "torus3d(tasks=K,place=linear|random,seed=1) or torus3d(a,b,c,place=linear|random,seed=1)",
    about: "mesh3d with wrap-around along sides above 2",
    reference: "[OR] VI",
    examples: &["torus3d", "torus3d(2,3,4)", "torus3d(tasks=64,place=random,seed=2)"],
    build: super::Pattern::symmetric(|spec, hosts| {
        build(spec, hosts, Shape { dimensions: 3, wraps: true })
    }),
};

fn build(spec: &Spec, hosts: usize, shape: Shape) -> Result<TrafficMatrix, TrafficError> {
    let Shape { dimensions, wraps } = shape;
    let sides = spec.groups.concat();
    let (tasks, sides) = if sides.is_empty() {
        let tasks = Tasks::read(spec, hosts)?;
        let sides = most_square(tasks.count(), dimensions);
        if sides.contains(&1) {
            return Err(no_mesh(&tasks, dimensions));
        }
        (tasks, sides)
    } else {
        let count = sides.iter().try_fold(1_u64, |count, side| count.checked_mul(*side));
        let tasks = Tasks::new(spec, hosts, count.unwrap_or(u64::MAX))?;
        (tasks, sides.iter().map(|side| index32(as_size(*side))).collect())
    };
    let most = 2 * dimensions as u64 * u64::from(tasks.count());
    tasks.traffic(most, (0..tasks.count()).flat_map(|task| neighbours(task, &sides, wraps)))
}

/// Both directions between a task and the next one along every side.
fn neighbours(task: u32, sides: &[u32], wraps: bool) -> Vec<(u32, u32)> {
    let (mut pairs, mut stride) = (Vec::new(), 1);
    for side in sides.iter().rev() {
        let at = task / stride % side;
        let next = if at + 1 < *side {
            Some(task + stride)
        } else {
            // Where there are two, the first is the neighbour already.
            (wraps && *side > 2).then(|| task - at * stride)
        };
        pairs.extend(next.into_iter().flat_map(|next| [(task, next), (next, task)]));
        stride *= side;
    }
    pairs
}

/// Each side in turn is the largest divisor of the remaining count that is not above its root.
fn most_square(count: u32, dimensions: usize) -> Vec<u32> {
    let mut left = count;
    let mut sides = Vec::new();
    for dimension in (2..=index32(dimensions)).rev() {
        let root = (1..=left).take_while(|n| u64::from(*n).pow(dimension) <= left.into());
        let side = root.filter(|side| left.is_multiple_of(*side)).max().unwrap_or(1);
        sides.push(side);
        left /= side;
    }
    sides.push(left);
    sides
}

/// The error that the number of tasks has no such factors, with the next smaller number that has.
fn no_mesh(tasks: &Tasks, dimensions: usize) -> TrafficError {
    let has = |count: &u32| !most_square(*count, dimensions).contains(&1);
    match (1..tasks.count()).rev().find(has) {
        Some(better) => {
            let problem = format!("is not a product of {dimensions} numbers above 1");
            tasks.does_not_fit(&problem, better)
        }
        None => tasks.bad(format!("a mesh has at least {} tasks", 1 << dimensions)).into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sides_are_as_equal_as_divisors_allow() {
        for (count, dimensions, sides) in [
            (128, 2, vec![8, 16]),
            (1024, 2, vec![32, 32]),
            (18, 2, vec![3, 6]),
            (128, 3, vec![4, 4, 8]),
            (1024, 3, vec![8, 8, 16]),
            (54, 3, vec![3, 3, 6]),
            (7, 2, vec![1, 7]),
        ] {
            assert_eq!(most_square(count, dimensions), sides);
        }
    }

    /// 3 x 4 tasks: each has two neighbours along either side; on 2 x 3 one and two.
    #[test]
    fn tori_have_no_borders() {
        let degrees = |spec: &str, hosts: usize| {
            let matrix = crate::traffic::generate(spec, hosts).unwrap();
            let of = |host| matrix.demands().iter().filter(|demand| demand.s == host).count();
            (0..u32::try_from(hosts).unwrap()).map(of).collect::<Vec<_>>()
        };
        assert_eq!(degrees("torus2d(3,4)", 12), [4; 12]);
        assert_eq!(degrees("torus2d(2,3)", 6), [3; 6]);
        assert_eq!(degrees("torus3d(2,2,2)", 8), [3; 8]);
        assert_eq!(degrees("torus3d(3,3,4)", 36), [6; 36]);
        assert_eq!(degrees("mesh2d(2,3)", 6), [2, 3, 2, 2, 3, 2]);
        assert_eq!(neighbours(11, &[3, 4], true), [(11, 8), (8, 11), (11, 3), (3, 11)]);
    }
}
