//! Where the boxes of a drawn tree go: parents centred over their children, subtrees side by side as close as their
//! outlines allow (the idea of Reingold and Tilford 1981, with whole outlines in place of threads).

/// The tree to lay out: the children of each box, every box after its parent; box 0 is the root.
pub type Children = [Vec<usize>];

/// The horizontal place of each box, in box widths: neighbours of one depth are at least 1 apart, and the leftmost box
/// is at 0.
pub fn places(children: &Children) -> Vec<f64> {
    let mut offsets = vec![0.0; children.len()];
    let mut outlines: Vec<Option<Outline>> = children.iter().map(|_| None).collect();
    for id in (0..children.len()).rev() {
        let families: Vec<Outline> = children[id].iter().filter_map(|&child| outlines[child].take()).collect();
        outlines[id] = Some(join(&children[id], families, &mut offsets));
    }
    accumulate(children, offsets)
}

/// The leftmost and rightmost box of a subtree at each depth below its root, measured from the root.
struct Outline {
    left: Vec<f64>,
    right: Vec<f64>,
}

/// Puts subtrees side by side under one box, and notes each child's offset from that box.
fn join(children: &[usize], families: Vec<Outline>, offsets: &mut [f64]) -> Outline {
    let mut all = Outline { left: Vec::new(), right: Vec::new() };
    let mut last = 0.0;
    for (&child, family) in children.iter().zip(families) {
        let apart = all.right.iter().zip(&family.left).map(|(right, left)| right - left + 1.0);
        let shift = apart.fold(0.0, f64::max);
        offsets[child] = shift;
        last = shift;
        for (depth, (left, right)) in family.left.iter().zip(&family.right).enumerate() {
            if depth == all.left.len() {
                all.left.push(left + shift);
                all.right.push(right + shift);
            } else {
                all.right[depth] = right + shift;
            }
        }
    }
    let middle = last / 2.0;
    children.iter().for_each(|&child| offsets[child] -= middle);
    let under = |side: Vec<f64>| [0.0].into_iter().chain(side.into_iter().map(|x| x - middle)).collect();
    Outline { left: under(all.left), right: under(all.right) }
}

fn accumulate(children: &Children, mut offsets: Vec<f64>) -> Vec<f64> {
    for id in 0..children.len() {
        for &child in &children[id] {
            offsets[child] += offsets[id];
        }
    }
    let leftmost = offsets.iter().copied().fold(f64::INFINITY, f64::min);
    offsets.into_iter().map(|x| x - leftmost).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_parent_stands_over_the_middle_of_its_children() {
        assert_eq!(places(&[vec![1, 2], vec![], vec![]]), [0.5, 0.0, 1.0]);
        assert_eq!(places(&[vec![]]), [0.0]);
    }

    #[test]
    fn subtrees_never_overlap() {
        // A deep first family and a wide second one.
        let children =
            [vec![1, 2], vec![3], vec![4, 5, 6], vec![7, 8, 9], vec![], vec![], vec![], vec![], vec![], vec![]];
        let places = places(&children);
        for level in [&[1, 2][..], &[3, 4, 5, 6], &[7, 8, 9]] {
            for pair in level.windows(2) {
                assert!(places[pair[1]] - places[pair[0]] >= 1.0 - 1e-9, "{pair:?} of {places:?}");
            }
        }
    }
}
