//! Writing what was learned.

use super::header::{Header, TensorSpan};
use super::{FORMAT, VERSION, crc};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::{self, Write};

/// Tensors begin at multiples of this, as vector instructions like it.
const ALIGNMENT: usize = 64;

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
    /// Numbers of 64 bits.
    ExactNumbers(Vec<f64>),
    /// Bytes.
    Bytes(Vec<u8>),
}

impl TensorData<'_> {
    fn kind(&self) -> &'static str {
        match self {
            TensorData::Numbers(_) => "F32",
            TensorData::ExactNumbers(_) => "F64",
            TensorData::Bytes(_) => "U8",
        }
    }

    /// The bytes in the order of the format: the lowest first.
    fn bytes(&self) -> Cow<'_, [u8]> {
        let swapped = cfg!(target_endian = "big");
        match self {
            TensorData::Numbers(numbers) if swapped => {
                numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
            }
            TensorData::ExactNumbers(numbers) if swapped => {
                numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
            }
            TensorData::Numbers(numbers) => bytemuck::cast_slice(numbers).into(),
            TensorData::ExactNumbers(numbers) => bytemuck::cast_slice(numbers).into(),
            TensorData::Bytes(bytes) => bytes.into(),
        }
    }
}

impl Content<'_> {
    /// The header, and the CRC-32 and length of each tensor.
    fn header(&self) -> (Header, Vec<(u32, u64)>) {
        let mut header = Header { about: self.about.clone(), ..Header::default() };
        let mut add = |key: &str, text: String| header.about.insert(key.into(), text);
        add("format", FORMAT.into());
        add("version", VERSION.to_string());
        add("ludens", env!("CARGO_PKG_VERSION").into());
        add(crc::WHOLE, crc::BLANK.into());
        let (mut from, mut tensors) = (0, Vec::new());
        for (name, (shape, data)) in &self.tensors {
            let bytes = data.bytes();
            let to = from + bytes.len() as u64;
            let (kind, shape) = (data.kind().into(), shape.clone());
            let checksum = crc32fast::hash(&bytes);
            header.about.insert(crc::key(name), crc::text(checksum));
            tensors.push((checksum, bytes.len() as u64));
            header.tensors.insert(name.clone(), TensorSpan { kind, shape, from, to });
            from = to;
        }
        (header, tensors)
    }
}

/// Writes everything in the format of our files.
///
/// # Errors
///
/// If `out` cannot be written.
pub fn write_value(out: &mut dyn Write, content: &Content<'_>) -> io::Result<()> {
    let (header, tensors) = content.header();
    let mut header = serde_json::to_vec(&header)?;
    let padded = (8 + header.len()).next_multiple_of(ALIGNMENT) - 8;
    header.resize(padded, b' ');
    let whole = crc::text(crc::of_file(&header, tensors.into_iter()));
    let place = crc::place(&header).expect("the header has a place for it");
    header[place].copy_from_slice(whole.as_bytes());
    out.write_all(&(header.len() as u64).to_le_bytes())?;
    out.write_all(&header)?;
    content.tensors.values().try_for_each(|(_, data)| out.write_all(&data.bytes()))
}
