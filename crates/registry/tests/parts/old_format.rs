//! Files as older versions wrote them.

use serde_json::Value;

/// The same file in version 1: tensors have checksums of another kind, and the header has none.
pub(crate) fn as_version_1(bytes: &[u8]) -> Vec<u8> {
    let length = u64::from_le_bytes(bytes[..8].try_into().unwrap()) as usize;
    let (header, numbers) = bytes[8..].split_at(length);
    let mut header: Value = serde_json::from_slice(header).unwrap();
    let tensors = header.as_object().unwrap().clone();
    let about = header["__metadata__"].as_object_mut().unwrap();
    about.retain(|key, _| !key.starts_with("crc32"));
    about.insert("version".into(), "1".into());
    for (name, tensor) in tensors.iter().filter(|(name, _)| *name != "__metadata__") {
        let place = |i: usize| tensor["data_offsets"][i].as_u64().unwrap() as usize;
        let checksum = checksum(&numbers[place(0)..place(1)]);
        about.insert(format!("checksum:{name}"), format!("{checksum:016x}").into());
    }
    let header = serde_json::to_vec(&header).unwrap();
    [&(header.len() as u64).to_le_bytes()[..], &header, numbers].concat()
}

fn checksum(bytes: &[u8]) -> u64 {
    let mix = |word: u64| {
        let mixed = word.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        mixed ^ mixed >> 32
    };
    let word = |piece: &[u8]| {
        let mut word = [0; 8];
        word[..piece.len()].copy_from_slice(piece);
        u64::from_le_bytes(word)
    };
    let hash = bytes.chunks(8).fold(0, |hash, piece| mix(hash ^ word(piece)));
    mix(hash ^ bytes.len() as u64)
}
