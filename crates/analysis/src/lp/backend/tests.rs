//! A model that grows, against one that is made anew; and every answer judged again.

use proptest::prelude::*;

use super::*;

/// One call.
#[derive(Clone, Debug)]
enum Call {
    Column(i8, Vec<i8>),
    Row(Vec<i8>, u8, i8),
    Cost(prop::sample::Index, i8),
}

fn any_call() -> impl Strategy<Value = Call> {
    let coefficients = || prop::collection::vec(-2..=2_i8, 12);
    prop_oneof![
        (-3..=3_i8, coefficients()).prop_map(|(cost, all)| Call::Column(cost, all)),
        (coefficients(), 0..3_u8, -2..=6_i8).prop_map(|(all, r, right)| Call::Row(all, r, right)),
        (any::<prop::sample::Index>(), -3..=3_i8).prop_map(|(at, cost)| Call::Cost(at, cost)),
    ]
}

/// A column between 0 and 5, so that nothing is unbounded.
fn column(cost: i8) -> Column {
    Column { upper: 5.0, ..Column::positive(cost.into()) }
}

fn sparse(all: &[i8], most: usize) -> Vec<(usize, f64)> {
    let terms = all.iter().take(most).map(|value| f64::from(*value)).enumerate();
    terms.filter(|(_, value)| *value != 0.0).collect()
}

/// Makes the call on the model and on its plain copy.
fn call(model: &mut Model, copy: &mut LinearProgram, call: &Call) {
    match call {
        Call::Column(cost, all) => {
            let terms = sparse(all, copy.rows.len());
            let id = model.add_column(column(*cost), &terms).unwrap();
            assert_eq!(id, copy.add_column(column(*cost)));
            for (row, value) in terms {
                copy.rows[row].coefficients.push((id, value));
            }
        }
        Call::Row(all, relation, right) => {
            let relations = [Relation::AtMost, Relation::AtLeast, Relation::Equal];
            let (relation, right) = (relations[usize::from(*relation)], f64::from(*right));
            let terms = sparse(all, copy.columns.len());
            let id = model.add_row(&terms, relation, right).unwrap();
            assert_eq!(id, copy.add_row(terms, relation, right));
        }
        Call::Cost(at, cost) => {
            let at = at.index(copy.columns.len());
            model.change_cost(at, (*cost).into()).unwrap();
            copy.columns[at].cost = (*cost).into();
        }
    }
}

/// What is wrong with a claimed optimum: its rows, its signs, and the bound that its prices prove.
fn problem(program: &LinearProgram, found: &Outcome) -> Option<String> {
    const SMALL: f64 = 1e-6;
    let (mut bound, mut cost) = (0.0, 0.0);
    let mut reduced: Vec<f64> = program.columns.iter().map(|column| column.cost).collect();
    for (row, dual) in program.rows.iter().zip(&found.duals) {
        let left: f64 = row.coefficients.iter().map(|(c, value)| value * found.columns[*c]).sum();
        let above = left - row.right;
        let (holds, sign) = match row.relation {
            Relation::AtMost => (above <= SMALL, *dual <= SMALL),
            Relation::AtLeast => (above >= -SMALL, *dual >= -SMALL),
            Relation::Equal => (above.abs() <= SMALL, true),
        };
        if !holds || !sign {
            return Some(format!("{row:?}: {left}, price {dual}"));
        }
        bound += dual * row.right;
        row.coefficients.iter().for_each(|(c, value)| reduced[*c] -= dual * value);
    }
    for ((column, reduced), value) in program.columns.iter().zip(reduced).zip(&found.columns) {
        if *value < column.lower - SMALL || *value > column.upper + SMALL {
            return Some(format!("{column:?}: {value}"));
        }
        bound += (reduced * column.lower).min(reduced * column.upper);
        cost += column.cost * value;
    }
    let same = (cost - bound).abs() <= SMALL && (cost - found.objective).abs() <= SMALL;
    (!same).then(|| format!("cost {cost}, bound {bound}, claimed {}", found.objective))
}

proptest! {
    #[test]
    fn what_grows_is_what_is_made_anew(calls in prop::collection::vec(any_call(), 1..12)) {
        let mut copy = LinearProgram::default();
        copy.add_column(column(-1));
        let mut model = Model::new(&copy, Settings::default()).unwrap();
        for next in &calls {
            call(&mut model, &mut copy, next);
            let fresh = Model::new(&copy, Settings::default()).unwrap().solve();
            match (model.solve(), fresh) {
                (Ok(grown), Ok(fresh)) => {
                    prop_assert!((grown.objective - fresh.objective).abs() < 1e-6, "{:?}", copy);
                    for found in [grown, fresh] {
                        prop_assert!(found.limit.is_none() && found.feasible);
                        prop_assert_eq!(problem(&copy, &found), None, "{:?}", copy);
                    }
                }
                (Err(grown), Err(fresh)) => {
                    for error in [grown, fresh] {
                        let none = [SolveError::Infeasible, SolveError::InfeasibleOrUnbounded];
                        prop_assert!(none.contains(&error), "{}: {:?}", error, copy);
                    }
                }
                (grown, fresh) => prop_assert!(false, "{:?}, {:?}: {:?}", grown, fresh, copy),
            }
        }
    }
}

/// The judge itself: minimise −x with x ≤ 2, and answers that are not its optimum.
#[test]
fn wrong_answers_are_found() {
    let mut program = LinearProgram::default();
    program.add_column(column(-1));
    program.add_row(vec![(0, 1.0)], Relation::AtMost, 2.0);
    let right = Model::new(&program, Settings::default()).unwrap().solve().unwrap();
    assert_eq!(problem(&program, &right), None);
    let wrong = |change: fn(&mut Outcome)| {
        let mut found = right.clone();
        change(&mut found);
        problem(&program, &found).unwrap()
    };
    assert!(wrong(|found| found.columns[0] = 3.0).contains(": 3, price"));
    assert!(wrong(|found| found.columns[0] = -1.0).contains("Column"));
    assert!(wrong(|found| found.columns[0] = 1.0).contains("cost -1, bound -2"));
    assert!(wrong(|found| found.duals[0] = 0.0).contains("bound -5"));
    assert!(wrong(|found| found.duals[0] = 1.0).contains("price 1"));
    assert!(wrong(|found| found.objective = -3.0).contains("claimed -3"));
}
