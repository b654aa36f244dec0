//! Certificates and their checker: accepted where they prove their claims, refused for every
//! reason there is.

mod format;
mod least;
mod lengths_covers;
mod optimum;
mod refusals;
