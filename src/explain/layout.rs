//! The layout of a drawn tree: every parent is centred over its children, and subtrees are as close together as their
//! contours allow. The idea is that of Reingold and Tilford (1981); we keep whole contours instead of their threads.

/// The children of each box. Box 0 is the root, and every box comes after its parent.
pub type Children = [Vec<usize>];

/// The horizontal position of each box, in box widths. Boxes of one depth are at least 1 apart, and the leftmost box is
/// at 0.
pub fn positions(children: &Children) -> Vec<f64> {
    let mut offsets = vec![0.0; children.len()];
    let mut contours: Vec<Option<Contour>> = children.iter().map(|_| None).collect();
    for id in (0..children.len()).rev() {
        let subtrees: Vec<Contour> = children[id].iter().filter_map(|&child| contours[child].take()).collect();
        contours[id] = Some(join(&children[id], subtrees, &mut offsets));
    }
    accumulate(children, offsets)
}

/// The leftmost and rightmost box of a subtree at each depth below its root, measured from the root.
struct Contour {
    left: Vec<f64>,
    right: Vec<f64>,
}

/// Places subtrees next to each other under one box, and stores the offset of each child from that box.
fn join(children: &[usize], subtrees: Vec<Contour>, offsets: &mut [f64]) -> Contour {
    let mut all = Contour { left: Vec::new(), right: Vec::new() };
    let mut last = 0.0;
    for (&child, subtree) in children.iter().zip(subtrees) {
        let apart = all.right.iter().zip(&subtree.left).map(|(right, left)| right - left + 1.0);
        let shift = apart.fold(0.0, f64::max);
        offsets[child] = shift;
        last = shift;
        for (depth, (left, right)) in subtree.left.iter().zip(&subtree.right).enumerate() {
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
    Contour { left: under(all.left), right: under(all.right) }
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
    fn a_parent_is_centred_over_its_children() {
        assert_eq!(positions(&[vec![1, 2], vec![], vec![]]), [0.5, 0.0, 1.0]);
        assert_eq!(positions(&[vec![]]), [0.0]);
    }

    #[test]
    fn subtrees_never_overlap() {
        // A deep first subtree and a wide second one.
        let children =
            [vec![1, 2], vec![3], vec![4, 5, 6], vec![7, 8, 9], vec![], vec![], vec![], vec![], vec![], vec![]];
        let positions = positions(&children);
        for level in [&[1, 2][..], &[3, 4, 5, 6], &[7, 8, 9]] {
            for pair in level.windows(2) {
                assert!(positions[pair[1]] - positions[pair[0]] >= 1.0 - 1e-9, "{pair:?} of {positions:?}");
            }
        }
    }
}
