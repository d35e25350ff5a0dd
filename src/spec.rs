//! What users write, turned once into checked values.
