//! Specs that are read, refused and printed back.

use super::*;

#[test]
fn canonical_form_is_a_fixed_point() {
    for (text, canonical) in [
        ("FT(16, 3)", "ft(16,3)"),
        ("dmodk", "dmodk"),
        ("random( Seed = 7 )", "random(seed=7)"),
        ("cg(0128,Phase=007,seed=000)", "cg(128,phase=7,seed=0)"),
        ("lft(lid=\"007\",x=\"7\"):x", "lft(lid=\"007\",x=7):x"),
        ("lft:/A b/C.dump", "lft:/A b/C.dump"),
        ("lft(lid=all):x", "lft(lid=all):x"),
        ("LFT(LID=\"A: b,(C)\") : x", "lft(lid=\"A: b,(C)\"): x"),
        ("lft(lid=\"all\"):x:y", "lft(lid=all):x:y"),
        ("cg(128,phase=5)", "cg(128,phase=5)"),
        ("ft:8,3", "ft(8,3)"),
        (" Xgft : 2; 8,8 ;1,4", "xgft(2;8,8;1,4)"),
        ("random:Seed=07", "random(seed=7)"),
        ("lft:12", "lft:12"),
        ("dmodk:a.csv", "dmodk:a.csv"),
        ("a(b=\"x y\")", "a(b=\"x y\")"),
    ] {
        let spec = Spec::parse(text).unwrap();
        assert_eq!(spec.to_string(), canonical);
        assert_eq!(Spec::parse(canonical).unwrap(), spec);
    }
}

#[test]
fn names_the_column() {
    for (text, at, what) in [
        ("", 1, A_NAME),
        ("ft(", 4, A_NAME),
        ("ft(8,3", 7, A_PARENTHESIS),
        ("ft( 8, 3 ", 9, A_PARENTHESIS),
        ("random(p=0.5", 13, A_PARENTHESIS),
        ("ft(8,)", 5, A_NAME),
        ("ft(8,-3)", 5, A_NAME),
        ("ft(8,3)x", 8, A_NAME),
        ("ft(1 6,3)", 5, NO_BLANK),
        ("ft(8 3)", 5, NO_BLANK),
        ("f t(8,3)", 2, NO_BLANK),
        ("random(see d=7)", 11, NO_BLANK),
        ("ft(8, x)", 5, A_NAME),
        ("a(b=\"c)", 3, A_NAME),
        ("a(b=\"\")", 3, A_NAME),
    ] {
        match Spec::parse(text) {
            Err(SpecError::Malformed { column, expected, .. }) => {
                assert_eq!((column, expected.as_str()), (at, what), "{text}");
            }
            other => panic!("{text}: {other:?}"),
        }
    }
    for text in ["nofile.gml", "a/b", "../x (1).dump"] {
        assert!(matches!(Spec::parse(text), Err(SpecError::File(_))), "{text}");
    }
}

#[test]
fn refuses_wrong_arguments() {
    let usage = "a(m,n,k=1,x=all|none,p=(1+q),s=S) or a(m)";
    let check = |text: &str| Spec::parse(text).unwrap().checked(usage);
    assert!(check("a(8,3,x=none,k=2,s=1)").is_ok() && check("a(8)").is_ok());
    for (text, positional) in
        [("a(n=3,m=8)", "a(8,3)"), ("a(8,n=3,k=2)", "a(8,3,k=2)"), ("a:m=8", "a(8)")]
    {
        assert_eq!(check(text).unwrap().to_string(), positional, "{text}");
    }
    for (text, problem) in [
        ("a(n=3)", "takes 2 or 1 numbers, 0 given"),
        ("a(8,m=3)", "unknown option `m`"),
        ("a(m=x)", "`m=x` is not an integer below 2^64"),
        ("a(8,3,4)", "takes 2 or 1 numbers, 3 given"),
        ("a", "takes 2 or 1 numbers, 0 given"),
        ("a(8;3)", "too many `;` groups"),
        ("a(8,k=2)", "unknown option `k`"),
        ("a(8,3,k=2,k=2)", "option `k` is given twice"),
        ("a(8):file", "it does not take `:` and a path"),
    ] {
        let error = check(text).unwrap_err().to_string();
        assert!(error.contains(&format!(": {problem}; usage: a(m,n,")), "{error}");
    }
    let spec = check("a(8,3,k=02,p=7)").unwrap();
    assert_eq!(spec.complete().to_string(), "a(8,3,k=2,x=all,p=7)");
    assert_eq!(keys(spec.usage), ["k", "x", "p", "s"]);
}

#[derive(Debug, PartialEq, serde::Deserialize)]
struct Options<'s> {
    m: std::num::NonZeroU32,
    k: u64,
    x: &'s str,
    p: Option<u64>,
}

#[test]
fn reads_structs() {
    let usage = "a(m,k=1,x=all|none,p=(1+q),s=S)";
    let spec = |text: &str| Spec::parse(text).unwrap().checked(usage).unwrap();
    let m = |m| std::num::NonZeroU32::new(m).unwrap();
    let read = spec("a(8)");
    assert_eq!(read.read(), Ok(Options { m: m(8), k: 1, x: "all", p: None }));
    let read = spec("a(8,p=2,k=02,x=some)");
    assert_eq!(read.read(), Ok(Options { m: m(8), k: 2, x: "some", p: Some(2) }));
    for (text, problem) in [
        ("a(0)", "`m=0` must be at least 1"),
        ("a(4294967296)", "`m=4294967296` is too large"),
        ("a(1,k=+2)", "`k=+2` is not an integer below 2^64"),
        ("a(1,p=-2)", "`p=-2` is not an integer below 2^64"),
    ] {
        let error = spec(text).read::<Options>().unwrap_err().to_string();
        assert!(error.contains(problem), "{error}");
    }
}

/// Every example of a registry means the same with a colon, except where a path follows one.
#[test]
fn every_spec_can_do_without_parentheses() {
    fn examples<B>(kinds: &[crate::registry::Kind<B>]) -> impl Iterator<Item = &'static str> {
        for kind in kinds {
            assert_eq!(kind.takes_path(), PATHS.contains(&kind.name), "{}", kind.name);
        }
        kinds.iter().filter(|kind| !kind.takes_path()).flat_map(|kind| kind.examples).copied()
    }
    let examples = examples(crate::topology::KINDS)
        .chain(examples(crate::routing::KINDS))
        .chain(examples(crate::traffic::KINDS))
        .chain(examples(crate::import::traffic::SPECS));
    let mut tried = 0;
    for (spec, arguments) in examples.filter_map(|spec| Some((spec, spec.split_once('(')?.1))) {
        let name = spec.split('(').next().unwrap_or_default();
        let colon = format!("{name}:{}", arguments.trim_end_matches(')'));
        assert_eq!(Spec::parse(&colon), Spec::parse(spec), "{colon}");
        tried += 1;
    }
    assert!(tried > 30, "{tried}");
}

#[test]
fn commas_of_names_are_found() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a,b,c.txt");
    std::fs::write(&file, "").unwrap();
    let path = file.display().to_string();
    let found = |text: &str| file_with_commas(&text.split(',').collect::<Vec<_>>());
    assert_eq!(found(&format!("x,{path}")), Some(path.clone()));
    assert_eq!(found(&format!("ecmp,lft:{path},y")), Some(path.clone()));
    assert_eq!((found("x,y"), found(&path[..path.len() - 1])), (None, None));
}
