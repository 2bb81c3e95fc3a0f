//! Writing what was learned.

use super::header::{Header, TensorSpan};
use super::{CHANGES_VERSION, FORMAT, PIECE, crc, row_length, start};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::{self, Write};

/// Tensors begin at multiples of this, as vector instructions like it.
const ALIGNMENT: usize = 64;

/// The version of files without changes from a start.
const PLAIN_VERSION: u32 = 3;

/// The content to write: metadata and tensors.
#[derive(Default)]
pub struct Content<'a> {
    /// Texts about the whole.
    pub about: BTreeMap<String, String>,
    /// Each tensor with its shape.
    pub tensors: BTreeMap<String, (Vec<usize>, TensorData<'a>)>,
}

/// The numbers of a tensor.
pub enum TensorData<'a> {
    /// Numbers of 32 bits.
    Numbers(Cow<'a, [f32]>),
    /// Numbers of 32 bits of which most are still what they were at the start.
    ///
    /// They are stored as their bits, combined with those of the start by exclusive or: what has
    /// not changed is zero, and takes no room on the disk.
    Changes {
        /// The numbers.
        numbers: Cow<'a, [f32]>,
        /// What each row of the last dimension was; nothing stands for zeros.
        start: Vec<f32>,
    },
    /// Numbers of 64 bits.
    ExactNumbers(Vec<f64>),
    /// Bytes.
    Bytes(Vec<u8>),
}

/// Takes the bytes of a tensor, piece by piece.
type TakePiece<'a> = &'a mut dyn FnMut(&[u8]) -> io::Result<()>;

impl TensorData<'_> {
    fn kind(&self) -> &'static str {
        match self {
            TensorData::Changes { .. } if self.start().is_some() => "U32",
            TensorData::Numbers(_) | TensorData::Changes { .. } => "F32",
            TensorData::ExactNumbers(_) => "F64",
            TensorData::Bytes(_) => "U8",
        }
    }

    /// The bits of the start, unless they are zero.
    fn start(&self) -> Option<Vec<u32>> {
        let TensorData::Changes { start, .. } = self else { return None };
        let bits: Vec<u32> = start.iter().map(|number| number.to_bits()).collect();
        bits.iter().any(|bits| *bits != 0).then_some(bits)
    }

    /// Hands on the bytes in the order of the format, the lowest first, without a copy of them all.
    fn each_piece(&self, take: TakePiece<'_>) -> io::Result<()> {
        match self {
            TensorData::Numbers(numbers) | TensorData::Changes { numbers, .. } => {
                each_piece_of_numbers(numbers, &self.start().unwrap_or(vec![0]), take)
            }
            TensorData::ExactNumbers(numbers) => {
                let bytes: Vec<u8> = numbers.iter().flat_map(|n| n.to_le_bytes()).collect();
                take(&bytes)
            }
            TensorData::Bytes(bytes) => take(bytes),
        }
    }
}

fn each_piece_of_numbers(numbers: &[f32], start: &[u32], take: TakePiece<'_>) -> io::Result<()> {
    let is_plain = start.iter().all(|bits| *bits == 0);
    if is_plain && cfg!(target_endian = "little") {
        return bytemuck::cast_slice(numbers).chunks(PIECE).try_for_each(take);
    }
    let mut words = Vec::with_capacity(PIECE / size_of::<f32>());
    for piece in numbers.chunks(row_length(start.len())) {
        words.clear();
        let changes = piece.iter().zip(start.iter().cycle());
        words.extend(changes.map(|(number, start)| (number.to_bits() ^ start).to_le()));
        take(bytemuck::cast_slice(&words))?;
    }
    Ok(())
}

impl Content<'_> {
    /// The header, and the CRC-32 and length of each tensor.
    fn header(&self) -> io::Result<(Header, Vec<(u32, u64)>)> {
        let mut header = Header { about: self.about.clone(), ..Header::default() };
        let mut version = PLAIN_VERSION;
        let (mut from, mut tensors) = (0, Vec::new());
        for (name, (shape, data)) in &self.tensors {
            let (mut crc, mut length) = (crc32fast::Hasher::new(), 0);
            data.each_piece(&mut |piece| {
                crc.update(piece);
                length += piece.len() as u64;
                Ok(())
            })?;
            let (checksum, to) = (crc.finalize(), from + length);
            header.about.insert(crc::key(name), crc::text(checksum));
            if let Some(bits) = data.start() {
                header.about.insert(start::key(name), start::text(&bits));
                version = CHANGES_VERSION;
            }
            let (kind, shape) = (data.kind().into(), shape.clone());
            tensors.push((checksum, length));
            header.tensors.insert(name.clone(), TensorSpan { kind, shape, from, to });
            from = to;
        }
        let texts = [
            ("format", FORMAT.into()),
            ("version", version.to_string()),
            ("ludens", env!("CARGO_PKG_VERSION").into()),
            (crc::WHOLE, crc::BLANK.into()),
        ];
        header.about.extend(texts.map(|(key, text)| (key.into(), text)));
        Ok((header, tensors))
    }
}

/// Writes everything in the format of our files.
///
/// # Errors
///
/// If `out` cannot be written.
pub fn write_value(out: &mut dyn Write, content: &Content<'_>) -> io::Result<()> {
    let (header, tensors) = content.header()?;
    let mut header = serde_json::to_vec(&header)?;
    let padded = (8 + header.len()).next_multiple_of(ALIGNMENT) - 8;
    header.resize(padded, b' ');
    let whole = crc::text(crc::of_file(&header, tensors.into_iter()));
    let place = crc::place(&header).expect("the header has a place for it");
    header[place].copy_from_slice(whole.as_bytes());
    out.write_all(&(header.len() as u64).to_le_bytes())?;
    out.write_all(&header)?;
    let mut tensors = content.tensors.values();
    tensors.try_for_each(|(_, data)| data.each_piece(&mut |piece| out.write_all(piece)))
}
