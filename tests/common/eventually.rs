//! Runs without any time: how much they do in the half second that a stop leaves them depends on what else the machine
//! does.

/// What a run gives when that is enough, or the last of thirty.
pub fn eventually<T>(run: impl Fn() -> T, is_enough: impl Fn(&T) -> bool) -> T {
    let mut found = run();
    for _ in 1..30 {
        if is_enough(&found) {
            break;
        }
        found = run();
    }
    found
}
