//! Programs: what is refused and why, and which send is for which receive.

use super::*;
use crate::topology::Host;

fn send(to: Host, bytes: u64, tag: u32) -> Operation {
    Operation::Send { to, bytes, tag }
}

fn receive(from: Host, bytes: u64, tag: u32) -> Operation {
    Operation::Receive { from, bytes, tag }
}

/// Ranks of operations with the numbers of those that they require.
fn ranks(of: &[&[(Operation, &[u32])]]) -> Vec<Rank> {
    let rank = |operations: &&[(Operation, &[u32])]| {
        let mut rank = Rank::default();
        for (operation, requires) in *operations {
            rank.push(*operation, requires.to_vec());
        }
        rank
    };
    of.iter().map(rank).collect()
}

fn refused(ranks: Vec<Rank>) -> String {
    Program::new(ranks).unwrap_err().to_string()
}

const NAP: Operation = Operation::Compute { ns: 1 };

#[test]
fn operations_are_checked_one_by_one() {
    let of = |operation| refused(ranks(&[&[(NAP, &[]), (operation, &[])], &[]]));
    let at = "operation 1 of rank 0: ";
    assert_eq!(of(send(2, 1, 0)), format!("{at}there is no rank 2; ranks are numbered 0 to 1"));
    assert!(of(receive(0, 1, 0)).starts_with(&format!("{at}a rank sends to itself")));
    assert!(of(send(1, 0, 0)).starts_with(&format!("{at}a message of 0 bytes")));
    assert!(of(send(1, MAX_BYTES + 1, 0)).starts_with("number of bytes of a message is"));
    let long = Operation::Compute { ns: MAX_TIME + 1 };
    assert!(of(long).starts_with("duration of an operation in ns is"));
    assert_eq!(Program::new(vec![]), Err(ProgramError::NoRanks));
    let unknown = refused(ranks(&[&[(NAP, &[]), (NAP, &[2])]]));
    assert_eq!(unknown, format!("{at}it depends on operation 2, which its rank does not have"));
    let mut lists = ranks(&[&[(NAP, &[])]]);
    lists[0].starts_after.clear();
    assert_eq!(Program::new(lists), Err(ProgramError::Lists { rank: 0 }));
}

/// Rank 0 sends 5 and 6 bytes with tag 0, and 7 with tag 1; rank 2 sends 5 too. Ranks without
/// operations are skipped over.
#[test]
fn the_kth_send_is_for_the_kth_receive() {
    let empty: &[(Operation, &[u32])] = &[];
    let program = Program::new(ranks(&[
        &[(send(3, 5, 0), &[]), (send(3, 7, 1), &[]), (send(3, 6, 0), &[])],
        empty,
        &[(NAP, &[]), (send(3, 5, 0), &[])],
        &[
            (receive(2, 5, 0), &[]),
            (receive(0, 5, 0), &[]),
            (receive(0, 6, 0), &[]),
            (receive(0, 7, 1), &[]),
        ],
        empty,
    ]))
    .unwrap();
    let place = |rank, operation| Place { rank, operation };
    for (send, receive) in [((0, 0), (3, 1)), ((0, 1), (3, 3)), ((0, 2), (3, 2)), ((2, 1), (3, 0))]
    {
        let [send, receive] = [send, receive].map(|(rank, at)| place(rank, at));
        assert_eq!(program.partner(send), Some(receive));
        assert_eq!(program.partner(receive), Some(send));
    }
    for nobody in [place(2, 0), place(1, 0), place(0, 3), place(4, 0), place(5, 0)] {
        assert_eq!(program.partner(nobody), None);
    }
    assert_eq!((program.messages(), program.bytes(), program.operations()), (4, 23, 9));
}

#[test]
fn messages_have_two_ends_of_the_same_size() {
    let of =
        |one: &[(Operation, &[u32])], other: &[(Operation, &[u32])]| refused(ranks(&[one, other]));
    let twice = of(&[(send(1, 5, 0), &[]), (send(1, 5, 0), &[])], &[(receive(0, 5, 0), &[])]);
    assert!(twice.starts_with("operation 1 of rank 0: rank 1 does not receive this message"));
    let tag = of(&[(send(1, 5, 2), &[])], &[(receive(0, 5, 3), &[])]);
    assert!(tag.ends_with("add a receive from rank 0 with tag 2 there"), "{tag}");
    let nobody = of(&[(NAP, &[])], &[(receive(0, 5, 3), &[])]);
    assert_eq!(
        nobody,
        "operation 0 of rank 1: rank 0 does not send this message: add a send to rank 1 with tag 3 there"
    );
    let more = of(&[(send(1, 5, 3), &[])], &[(receive(0, 5, 2), &[]), (receive(0, 5, 3), &[])]);
    assert!(more.starts_with("operation 0 of rank 1: rank 0 does not send"), "{more}");
    let sizes = of(&[(send(1, 5, 0), &[])], &[(receive(0, 6, 0), &[])]);
    assert!(sizes.starts_with(
        "operation 0 of rank 0 sends 5 bytes, operation 0 of rank 1 receives 6 of that message"
    ));
}

#[test]
fn cycles_within_a_rank_are_named() {
    let itself = refused(ranks(&[&[(NAP, &[]), (NAP, &[1])]]));
    let waits = "operation 1 of rank 0 waits for operation 1 of rank 0";
    assert_eq!(
        itself,
        format!("these operations of a rank wait for each other, {waits}: remove a dependency")
    );
    let mut mixed = ranks(&[&[(NAP, &[]), (NAP, &[]), (NAP, &[1])]]);
    mixed[0].starts_after[1] = vec![2];
    assert!(
        refused(mixed)
            .contains("1 of rank 0 waits for operation 2 of rank 0 waits for operation 1")
    );
    let long: Vec<u32> = (0..20).map(|at| (at + 1) % 20).collect();
    let long: Vec<(Operation, &[u32])> =
        long.iter().map(|next| (NAP, std::slice::from_ref(next))).collect();
    let long = refused(ranks(&[&long]));
    assert!(
        long.contains("operation 7 of rank 0 waits for 12 more waits for operation 0"),
        "{long}"
    );
}

/// Both receive before they send, which never ends; with the receives only started, it does.
#[test]
fn ranks_must_not_wait_for_each_other() {
    let pair = |requires: &[u32]| {
        ranks(&[
            &[(receive(1, 5, 0), &[]), (send(1, 5, 0), requires)],
            &[(receive(0, 5, 0), &[]), (send(0, 5, 0), requires)],
        ])
    };
    let deadlock = refused(pair(&[0]));
    let cycle = "operation 0 of rank 0 waits for operation 1 of rank 1 waits for operation 0 of \
                  rank 1 waits for operation 1 of rank 0 waits for operation 0 of rank 0";
    assert!(deadlock.starts_with(&format!("the program never ends, {cycle}:")), "{deadlock}");
    let mut eager = pair(&[]);
    for rank in &mut eager {
        rank.starts_after[1] = vec![0];
    }
    assert!(Program::new(eager).is_ok());
    // One that sends first is enough.
    let mut one = pair(&[0]);
    one[0].requires = vec![vec![1], vec![]];
    assert!(Program::new(one).is_ok());
}

/// Random programs of three ranks against a direct simulation: everything that can happen, happens, until
/// nothing more does.
#[test]
fn what_ends_is_what_a_simulation_ends() {
    use rand::RngExt;
    let (mut ended, mut stuck) = (0, 0);
    for seed in 0..400 {
        let mut random = crate::sampling::Streams::new(seed).at(0);
        let mut all = vec![Rank::default(); 3];
        for tag in 0..12 {
            let s = random.random_range(0..3_u32);
            let d = (s + random.random_range(1..3)) % 3;
            all[s as usize].push(send(d, 1, tag), vec![]);
            all[d as usize].push(receive(s, 1, tag), vec![]);
        }
        for rank in &mut all {
            // Dependencies from one operation to any other of a random order: no cycle in a rank.
            let count = rank.operations.len();
            let mut order: Vec<u32> = (0..u32::try_from(count).unwrap()).collect();
            rand::seq::SliceRandom::shuffle(&mut order[..], &mut random);
            for at in 1..count {
                let (later, earlier) = (order[at] as usize, order[random.random_range(0..at)]);
                match random.random_range(0..3) {
                    0 | 1 => rank.requires[later].push(earlier),
                    _ => rank.starts_after[later].push(earlier),
                }
            }
        }
        let simulated = ends(&all);
        let found = Program::new(all);
        assert_eq!(found.is_ok(), simulated, "{seed}: {found:?}");
        if !simulated {
            assert!(matches!(found, Err(ProgramError::Deadlock { .. })));
        }
        *(if simulated { &mut ended } else { &mut stuck }) += 1;
    }
    assert!(ended > 50 && stuck > 50, "{ended} {stuck}");
}

/// Whether all operations end; tags are unique.
fn ends(ranks: &[Rank]) -> bool {
    let mut sent = std::collections::HashSet::new();
    let mut started: Vec<Vec<bool>> =
        ranks.iter().map(|rank| vec![false; rank.operations.len()]).collect();
    let mut ended = started.clone();
    loop {
        let mut moved = false;
        for (r, rank) in ranks.iter().enumerate() {
            for (at, operation) in rank.operations.iter().enumerate() {
                let may_start = rank.requires[at].iter().all(|on| ended[r][*on as usize])
                    && rank.starts_after[at].iter().all(|on| started[r][*on as usize]);
                moved |= may_start && !started[r][at];
                started[r][at] |= may_start;
                let has_arrived = match operation {
                    Operation::Receive { tag, .. } => sent.contains(tag),
                    _ => true,
                };
                if started[r][at] && has_arrived && !ended[r][at] {
                    (ended[r][at], moved) = (true, true);
                    if let Operation::Send { tag, .. } = operation {
                        sent.insert(*tag);
                    }
                }
            }
        }
        if !moved {
            return ended.iter().flatten().all(|ended| *ended);
        }
    }
}
