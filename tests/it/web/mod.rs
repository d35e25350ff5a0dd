//! `lab2048 serve` and `lab2048 report`: what a server answers, and what a browser shows.

mod browser;
mod client;
mod measurements;
mod pages;
mod report;
mod requests;
