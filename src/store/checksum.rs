//! Hashes of files and of lines.

use std::io::{self, Read};
use std::path::Path;

use sha2::{Digest, Sha256};

use crate::params::document::open_plain;

/// SHA-256 in hexadecimal.
pub fn sha256(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

/// SHA-256 of a file of any size. A pipe or a device may have no end, so these are refused.
pub fn sha256_of(path: &Path) -> io::Result<String> {
    let (mut file, mut hash, mut buffer) = (open_plain(path)?, Sha256::new(), vec![0; 1 << 16]);
    loop {
        match file.read(&mut buffer)? {
            0 => return Ok(hex(&hash.finalize())),
            read => hash.update(&buffer[..read]),
        }
    }
}

/// The first 64 bits of a text's SHA-256, as a short identifier of a long configuration.
pub fn short_hash(text: &str) -> u64 {
    let digest = Sha256::digest(text.as_bytes());
    digest.iter().take(8).fold(0, |hash, byte| hash << 8 | u64::from(*byte))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A line with its checksum in front and a newline at its end. The content must not contain a newline.
pub fn seal(content: &str) -> String {
    format!("{:016x} {content}\n", short_hash(content))
}

/// The content of a sealed line without its newline; `None` if the checksum does not match.
pub fn unseal(line: &[u8]) -> Option<&str> {
    let (sum, content) = std::str::from_utf8(line).ok()?.split_once(' ')?;
    (sum == format!("{:016x}", short_hash(content))).then_some(content)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_are_sha256() {
        // FIPS 180-2, appendix B.1.
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), "abc").unwrap();
        assert_eq!(sha256(b"abc"), abc);
        assert_eq!(sha256_of(file.path()).unwrap(), abc);
        assert_eq!(short_hash("abc"), 0xba78_16bf_8f01_cfea);
    }

    #[cfg(unix)]
    #[test]
    fn pipes_devices_and_folders_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        for path in [pipe.as_path(), Path::new("/dev/zero"), folder.path()] {
            assert!(sha256_of(path).unwrap_err().to_string().contains("not a plain file"), "{}", path.display());
        }
    }

    #[test]
    fn every_flipped_bit_of_a_line_is_detected() {
        let sealed = seal("0123456789abcdef [[1,2,3]]");
        let line = sealed.trim_end().as_bytes();
        assert_eq!(unseal(line), Some("0123456789abcdef [[1,2,3]]"));
        for bit in 0..8 * line.len() {
            let mut flipped = line.to_vec();
            flipped[bit / 8] ^= 1 << (bit % 8);
            assert_eq!(unseal(&flipped), None, "bit {bit}");
        }
    }
}
