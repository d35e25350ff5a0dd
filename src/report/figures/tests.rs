//! Laws that every kind of chart keeps.

use super::*;
use std::collections::BTreeSet;

/// Set to a folder to keep the gallery and look at it.
const GALLERY: &str = "LAB2048_GALLERY";

fn assert_inside(name: &str, scene: &Scene) {
    let (width, height) = scene.size();
    for (text, [left, top, right, bottom]) in scene.text_boxes() {
        let inside = left >= -0.5 && top >= -0.5 && right <= width + 0.5 && bottom <= height + 0.5;
        assert!(inside, "{name}: {text:?} leaves the page: {left} {top} {right} {bottom}");
    }
}

#[test]
fn names_are_unique_and_told() {
    let names: BTreeSet<&str> = KINDS.iter().map(|kind| kind.name).collect();
    assert_eq!(names.len(), KINDS.len());
    assert!(KINDS.iter().all(|kind| !kind.about.is_empty()));
}

#[test]
fn every_kind_draws_at_both_widths_inside_the_page_and_alike_each_time() {
    let kept = std::env::var_os(GALLERY).map(std::path::PathBuf::from);
    let folder = tempfile::tempdir().unwrap();
    let dir = kept.unwrap_or_else(|| folder.path().to_path_buf());
    for kind in KINDS {
        for (width, suffix) in [(Width::Column, "column"), (Width::Page, "page")] {
            let name = format!("{}-{suffix}", kind.name);
            let scene = draw((kind.sample)().as_ref(), width);
            assert_eq!(scene.size().0, width.points());
            assert_inside(&name, &scene);
            assert_eq!(scene, draw((kind.sample)().as_ref(), width));
            let files = write(&dir, &name, &scene, &Format::ALL).unwrap();
            assert!(files.iter().all(|file| file.metadata().unwrap().len() > 500));
        }
    }
}
