//! Game records: a text format that can be read, compared and checked.
