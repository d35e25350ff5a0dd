//! Masks: sums over the tiles or over the empty cells, with a weight for each cell.

use crate::params::Value;

use super::{Feature, FeatureShape, tile_value};
use crate::games::twenty48::Board;
use crate::params::{self, InputError, Param, Values, unknown};

/// A weight for each cell, row by row.
type Mask = [f64; 16];

/// A mask with a name.
pub struct NamedMask {
    /// The name that users write.
    pub name: &'static str,
    /// The mask in one line.
    pub summary: &'static str,
    build: fn(&Values) -> Mask,
}

/// Every mask with a name.
pub const MASKS: &[NamedMask] = &[
    NamedMask {
        name: "gradient",
        summary: "7 in the top left corner, one less with each step away (malaga)",
        build: |_| [7, 6, 5, 4, 6, 5, 4, 3, 5, 4, 3, 2, 4, 3, 2, 1].map(f64::from),
    },
    NamedMask {
        name: "snake",
        summary: "2^16 in the top left corner, halved along a snake of rows (ratkoja)",
        build: |_| snake(),
    },
    NamedMask {
        name: "snake-lower-right",
        summary: "the snake rotated by 180 degrees: 2^16 in the lower right corner",
        build: |_| reversed(snake()),
    },
    NamedMask {
        name: "corner",
        summary: "10 in the top left corner, less with each step away, 0 beyond three (qpwoeirut/2048-solver)",
        build: |_| [10, 5, 2, 1, 5, 3, 1, 0, 2, 1, 0, 0, 1, 0, 0, 0].map(f64::from),
    },
    NamedMask {
        name: "geometric",
        summary: "1 in the top left corner, times `ratio` with each step along a snake of rows",
        build: |values| geometric(values.number("ratio").unwrap_or(0.5)),
    },
    NamedMask {
        name: "ratkoja-empty",
        summary: "2048 in the top left corner, 2048 more with each step along a snake of rows (ratkoja)",
        build: |_| along_snake(|step| 2048.0 * (step + 1) as f64),
    },
    NamedMask {
        name: "inverse-snake",
        summary: "1 / snake: small weights where large tiles belong (marks)",
        build: |_| snake().map(|weight| 1.0 / weight),
    },
];

/// Weights by the number of steps from the top left corner: along the first row, back along the second, and so on.
fn along_snake(weight: impl Fn(usize) -> f64) -> Mask {
    std::array::from_fn(|cell| {
        let (row, column) = (cell / 4, cell % 4);
        weight(4 * row + if row % 2 == 0 { column } else { 3 - column })
    })
}

fn snake() -> Mask {
    along_snake(|step| f64::from(1 << (16 - step)))
}

fn geometric(ratio: f64) -> Mask {
    along_snake(|step| (0..step).fold(1.0, |weight, _| weight * ratio))
}

fn reversed(mut mask: Mask) -> Mask {
    mask.reverse();
    mask
}

const RATIO: Param = Param {
    name: "ratio",
    kind: params::ParamType::Number { min: 0.0, max: 1.0 },
    default: "0.5",
    help: "the ratio of neighbouring weights of the mask `geometric`",
};

pub const MASK: Feature = Feature {
    name: "mask",
    formula: "the sum of tile x mask; symmetric: the best over the 8 rotations and reflections",
    params: &[
        Param { name: "mask", kind: params::ParamType::Mask, default: "gradient", help: "a weight for each cell" },
        RATIO,
        Param {
            name: "tile",
            kind: params::ParamType::Choice(&["value", "log2", "power"]),
            default: "value",
            help: "take a tile's value, its base-2 logarithm, or its value^power",
        },
        Param {
            name: "power",
            kind: params::ParamType::Number { min: 0.0, max: 2.0 },
            default: "1",
            help: "the power of `tile = \"power\"`",
        },
        Param {
            name: "symmetric",
            kind: params::ParamType::Flag,
            default: "false",
            help: "take the best over the 8 rotations and reflections of the board",
        },
    ],
    example: 74.0,
    uses,
    build: |values| {
        let mask = read(values)?;
        let tile_value = tile_value(values, "power");
        let plain = FeatureShape::cells(|cell, rank| mask[cell] * tile_value(rank));
        Ok(if values.flag("symmetric") { best_symmetry(mask, &tile_value) } else { plain })
    },
};

pub const EMPTY_MASK: Feature = Feature {
    name: "empty-mask",
    formula: "the sum of the mask over the empty cells",
    params: &[
        Param { name: "mask", kind: params::ParamType::Mask, default: "ratkoja-empty", help: "a weight for each cell" },
        RATIO,
    ],
    example: 249856.0,
    uses,
    build: |values| {
        let mask = read(values)?;
        Ok(FeatureShape::cells(|cell, rank| if rank == 0 { mask[cell] } else { 0.0 }))
    },
};

fn uses(values: &Values, name: &str) -> bool {
    match name {
        "ratio" => values.text("mask") == Some("geometric"),
        "power" => values.text("tile") == Some("power"),
        _ => true,
    }
}

fn best_symmetry(mask: Mask, tile_value: &impl Fn(u8) -> f64) -> FeatureShape {
    let cells = Board::from_ranks(std::array::from_fn(|cell| cell as u8));
    let images = cells.symmetries().map(Board::ranks);
    // For each cell and rank, what the tile adds under each of the 8 symmetries. One pass over the cells computes all.
    let table: Vec<[f64; 8]> = (0..256)
        .map(|index| images.map(|image| mask[usize::from(image[index / 16])] * tile_value((index % 16) as u8)))
        .collect();
    FeatureShape::board(move |board: Board| {
        let mut sums = [0.0; 8];
        for (cell, rank) in board.ranks().into_iter().enumerate() {
            let added = &table[16 * cell + usize::from(rank)];
            sums.iter_mut().zip(added).for_each(|(sum, add)| *sum += add);
        }
        sums.into_iter().fold(f64::NEG_INFINITY, f64::max)
    })
}

/// The weight of each cell, row by row.
pub fn read(values: &Values) -> Result<Mask, InputError> {
    match values.get("mask") {
        Some(Value::String(name)) => match MASKS.iter().find(|mask| mask.name == name) {
            Some(mask) => Ok((mask.build)(values)),
            None => Err(InputError::at("mask", unknown("mask", name, MASKS.iter().map(|mask| mask.name)))),
        },
        Some(Value::Array(rows)) => numbers(rows),
        _ => Err(InputError::at("mask", "`mask` is missing")),
    }
}

/// The largest weight. Together with the limits of coefficients and powers it keeps every value below that of a win.
const MAX_WEIGHT: f64 = 1e6;

fn numbers(rows: &[Value]) -> Result<Mask, InputError> {
    let wrong = |what: String| InputError::at("mask", format!("a mask has 4 rows of 4 numbers, but {what}"));
    if rows.len() != 4 {
        return Err(wrong(format!("this one has {} rows", rows.len())));
    }
    let mut mask = [0.0; 16];
    for (r, row) in rows.iter().enumerate() {
        let cells = row.as_array().ok_or_else(|| wrong(format!("row {} is {row}", r + 1)))?;
        if cells.len() != 4 {
            return Err(wrong(format!("row {} has {} numbers", r + 1, cells.len())));
        }
        for (c, cell) in cells.iter().enumerate() {
            let number = params::number(cell).filter(|number| number.abs() <= MAX_WEIGHT);
            let place = || wrong(format!("row {}, column {} is {cell} (at most {MAX_WEIGHT})", r + 1, c + 1));
            mask[4 * r + c] = number.ok_or_else(place)?;
        }
    }
    Ok(mask)
}

#[cfg(test)]
mod tests {
    use super::super::EXAMPLE_BOARD;
    use super::super::tests::raw;
    use super::*;

    #[test]
    fn the_snake_turns_at_the_end_of_each_row() {
        assert_eq!(along_snake(|step| step as f64)[4..8], [7.0, 6.0, 5.0, 4.0]);
        let ratkoja = [65536, 32768, 16384, 8192, 512, 1024, 2048, 4096, 256, 128, 64, 32, 2, 4, 8, 16];
        assert_eq!(snake(), ratkoja.map(f64::from));
        assert_eq!(snake(), geometric(0.5).map(|weight| 65536.0 * weight));
        assert_eq!(reversed(snake())[15], 65536.0);
    }

    #[test]
    fn tiles_count_by_value_rank_or_power() {
        assert_eq!(raw(&MASK, "tile=log2", EXAMPLE_BOARD, 0), 14.0 + 6.0 + 5.0 + 12.0);
        assert_eq!(raw(&MASK, "tile=power,power=2", EXAMPLE_BOARD, 0), 112.0 + 24.0 + 20.0 + 96.0);
        assert_eq!(raw(&MASK, "mask=geometric,ratio=0.1", "8,4,0,0/0,0,0,2/0,0,0,0/0,0,0,0", 0), 8.0 + 0.4 + 0.0002);
        assert_eq!(raw(&MASK, "mask=[[1,0,0,0],[0,0,0,0],[0,0,0,0],[0,0,0,2]]", EXAMPLE_BOARD, 0), 4.0);
    }

    #[test]
    fn symmetric_takes_the_best_of_the_symmetries() {
        let mirrored = "0,2,2,4/0,0,0,4/0,0,0,0/0,0,0,0";
        assert_eq!(raw(&MASK, "symmetric=true", mirrored, 0), 74.0);
        assert!(raw(&MASK, "", mirrored, 0) < 74.0);
    }

    #[test]
    fn error_messages_name_the_wrong_part_of_a_mask() {
        let problem = |text: &str| {
            let table = params::parse_assignments(text).unwrap();
            let values = Values::check("mask", MASK.params, &table).unwrap();
            (MASK.build)(&values).err().unwrap().message
        };
        assert!(problem("mask=snek").contains("did you mean `snake`"));
        assert!(problem("mask=[[1,2,3,4]]").contains("1 rows"));
        assert!(problem("mask=[1,2,3,4]").contains("row 1 is 1"));
        assert!(problem("mask=[[1,2,3,4],[1,2],[1,2],[1,2]]").contains("row 2 has 2"));
        assert!(problem("mask=[[1,2,3,4],[1,2,\"x\",3],[1],[1]]").contains("row 2, column 3"));
    }
}
