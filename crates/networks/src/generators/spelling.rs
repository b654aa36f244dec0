//! How specs are spelled in certificates: there a name has one spelling, the canonical form.

use crate::checker::Ungenerated;
use crate::limit::within;
use crate::quote::quote;
use crate::spec::Spec;

/// The spec, if a certificate may spell it so: in canonical form, without a file, and with numbers
/// below 2^64.
pub(super) fn spelled(spec: &str) -> Result<&str, Ungenerated> {
    let numbers = spec.split(|c: char| !c.is_ascii_digit()).filter(|digits| !digits.is_empty());
    for digits in numbers {
        within("number in a spec", digits.parse().ok(), u64::MAX, "write a smaller one")?;
    }
    let parsed = Spec::parse(spec).map_err(|error| Ungenerated::Meaningless(error.to_string()))?;
    let canonical = Spec { path: None, ..parsed }.to_string();
    if canonical == spec {
        return Ok(spec);
    }
    let (found, canonical) = (quote(spec), quote(&canonical));
    let why = format!("certificates do not spell a name `{found}`: write `{canonical}`");
    Err(Ungenerated::Meaningless(why))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_spelling_is_that_of_certificates() {
        for spec in [
            "dmodk",
            "ft(4,2)",
            "xgft(2;2,3;2,2)",
            "kpath(k=2,choice=grid)",
            "kpath(choice=grid,k=2)",
            "universal(8,root=open,leaf=18446744073709551615)",
            "random(seed=0)",
        ] {
            assert_eq!(spelled(spec), Ok(spec));
        }
        for spec in [
            "FT(4,2)",
            "ft(4, 2)",
            "ft (4,2)",
            "ft(04,2)",
            "ft(4,2):file",
            "dmodk()",
            "kpath(k=2;choice=grid)",
            "kpath(k=02)",
            "kpath(k=\"2\")",
            "universal(leaf=1,2)",
            "",
        ] {
            assert!(matches!(spelled(spec), Err(Ungenerated::Meaningless(_))), "{spec}");
        }
        for spec in ["ft(18446744073709551616,1)", &format!("kpath(k={})", "9".repeat(9999))] {
            assert!(matches!(spelled(spec), Err(Ungenerated::TooLarge(_))), "{spec}");
        }
    }
}
