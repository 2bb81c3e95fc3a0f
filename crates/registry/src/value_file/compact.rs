//! A compact form of a file of learned values, for shipping.
//!
//! It keeps what play needs: the weights that training changed, as whole multiples of one step, and
//! the texts about the whole. After eight bytes that name the format, all is one zlib stream: the
//! length of the header, the header (JSON), the step, one bit per weight (whether it is not zero),
//! then the low and the high bytes of the weights that are not zero, then the states of a table.

use super::write::{Content, TensorData, write_value};
use super::{ValueFile, damaged};
use flate2::Compression;
use flate2::bufread::ZlibDecoder;
use flate2::write::ZlibEncoder;
use ludens_core::Invalid;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io::{self, Read, Write};

/// The first bytes of every compact file.
pub(super) const MAGIC: [u8; 8] = *b"LUDENSC1";

/// The order of the weights, which must be that of this program. It changes when networks lay out
/// their weights differently.
const WEIGHT_ORDER: u32 = 2;

/// Longer compact files are refused.
pub(super) const LONGEST: u64 = 1 << 28;

/// Longer headers and tables of states are refused.
const LONGEST_TEXT: u32 = 1 << 26;

/// Files that ask for more weights are refused: 256 MB in memory.
const MOST_WEIGHTS: usize = 1 << 26;

/// The texts that play needs.
const TEXTS: [&str; 5] = ["game", "config", "seed", "episode", "ludens"];

/// The tensor that holds the states of a table.
const STATES: &str = "states";

/// How exact a compact file is.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct CompactOptions {
    /// Bits per weight, from 2 to 16.
    pub bits: u32,
}

/// What a compact file holds.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct CompactHeader {
    weight_order: u32,
    about: BTreeMap<String, String>,
    /// The shape of the weights.
    shape: Vec<usize>,
    /// The length of the states in bytes.
    states: Option<u32>,
}

/// Packs a file of learned values. Weights equal to the `initial` ones become zero.
///
/// # Errors
///
/// If the file cannot be read, the number of bits is out of range, or a weight is not finite.
pub fn pack(
    file: &mut ValueFile,
    options: CompactOptions,
    initial: Option<&[f32]>,
) -> Result<Vec<u8>, Invalid> {
    if !(2..=16).contains(&options.bits) {
        return Err(Invalid(format!("expected 2 to 16 bits per weight, found {}", options.bits)));
    }
    let shape = file.shape("weights").unwrap_or_default().to_vec();
    let mut weights = file.numbers("weights")?;
    if weights.iter().any(|weight| !weight.is_finite()) {
        return Err(Invalid("a weight is not a finite number".into()));
    }
    let untouched = weights.iter_mut().zip(initial.unwrap_or_default());
    untouched.filter(|(weight, initial)| *weight == *initial).for_each(|(weight, _)| *weight = 0.0);
    let states = file.shape(STATES).is_some().then(|| file.bytes(STATES)).transpose()?;
    let kept = |key: &&str| Some((String::from(*key), file.text(key).ok()?.to_owned()));
    let header = CompactHeader {
        weight_order: WEIGHT_ORDER,
        about: TEXTS.iter().filter_map(kept).collect(),
        shape,
        states: states.as_ref().map(|states| states.len() as u32),
    };
    write(&header, &weights, options.bits, &states.unwrap_or_default())
        .map_err(|e| Invalid(format!("it cannot be packed: {e}")))
}

fn write(header: &CompactHeader, weights: &[f32], bits: u32, states: &[u8]) -> io::Result<Vec<u8>> {
    let largest = weights.iter().fold(0.0, |most: f32, weight| most.max(weight.abs()));
    let step = largest.max(f32::MIN_POSITIVE) / ((1 << (bits - 1)) - 1) as f32;
    let steps: Vec<i16> = weights.iter().map(|weight| (weight / step).round() as i16).collect();
    let text = serde_json::to_vec(header)?;
    let mut out = ZlibEncoder::new(MAGIC.to_vec(), Compression::best());
    out.write_all(&(text.len() as u32).to_le_bytes())?;
    out.write_all(&text)?;
    out.write_all(&step.to_le_bytes())?;
    let bit = |(i, &step): (usize, &i16)| u8::from(step != 0) << i;
    let present = |eight: &[i16]| eight.iter().enumerate().map(bit).sum();
    out.write_all(&steps.chunks(8).map(present).collect::<Vec<u8>>())?;
    let codes: Vec<u16> = steps.into_iter().filter(|&step| step != 0).map(zigzag).collect();
    out.write_all(&codes.iter().map(|code| *code as u8).collect::<Vec<u8>>())?;
    out.write_all(&codes.iter().map(|code| (code >> 8) as u8).collect::<Vec<u8>>())?;
    out.write_all(states)?;
    out.finish()
}

/// The whole file of learned values that a compact one stands for.
///
/// Memory is bounded by constants, whatever the bytes say.
pub(crate) fn unpack(bytes: &[u8]) -> Result<Vec<u8>, Invalid> {
    let packed = bytes.strip_prefix(&MAGIC).ok_or_else(|| damaged("it is no compact file"))?;
    let mut from = ZlibDecoder::new(packed);
    let length = u32::from_le_bytes(array(&mut from)?);
    let header = read_bytes(&mut from, length as usize)?;
    let header: CompactHeader =
        serde_json::from_slice(&header).map_err(|e| damaged(format_args!("its header: {e}")))?;
    if header.weight_order != WEIGHT_ORDER {
        let found = header.weight_order;
        return Err(Invalid(format!(
            "its weights are in order {found}; this ludens reads order {WEIGHT_ORDER}"
        )));
    }
    let weights = read_weights(&mut from, &header.shape)?;
    let mut content = Content { about: header.about, ..Content::default() };
    let numbers = TensorData::Numbers(weights.into());
    content.tensors.insert("weights".into(), (header.shape, numbers));
    if let Some(length) = header.states {
        let states = read_bytes(&mut from, length as usize)?;
        content.tensors.insert(STATES.into(), (vec![states.len()], TensorData::Bytes(states)));
    }
    if from.read(&mut [0]).map_err(damaged)? != 0 {
        return Err(damaged("something follows its weights"));
    }
    let mut file = Vec::new();
    write_value(&mut file, &content).map_err(damaged)?;
    Ok(file)
}

fn read_weights(from: &mut impl Read, shape: &[usize]) -> Result<Vec<f32>, Invalid> {
    let count = shape.iter().try_fold(1, |n: usize, &size| n.checked_mul(size));
    let count = count.filter(|&count| count <= MOST_WEIGHTS);
    let count = count.ok_or_else(|| damaged(format_args!("more than {MOST_WEIGHTS} weights")))?;
    let step = f32::from_le_bytes(array(from)?);
    let present = read_bytes(from, count.div_ceil(8))?;
    let nonzero: usize = present.iter().map(|eight| eight.count_ones() as usize).sum();
    let low = read_bytes(from, nonzero)?;
    let high = read_bytes(from, nonzero)?;
    let mut codes = low.into_iter().zip(high).map(|(low, high)| u16::from_le_bytes([low, high]));
    let weight = |i: usize| match present[i / 8] >> (i % 8) & 1 {
        0 => 0.0,
        _ => f32::from(unzigzag(codes.next().unwrap_or(0))) * step,
    };
    Ok((0..count).map(weight).collect())
}

/// Small numbers of either sign as small codes: 0, -1, 1, -2, 2 ...
fn zigzag(step: i16) -> u16 {
    ((step << 1) ^ (step >> 15)) as u16
}

fn unzigzag(code: u16) -> i16 {
    (code >> 1) as i16 ^ -((code & 1) as i16)
}

fn array<const N: usize>(from: &mut impl Read) -> Result<[u8; N], Invalid> {
    let mut bytes = [0; N];
    from.read_exact(&mut bytes).map_err(damaged)?;
    Ok(bytes)
}

fn read_bytes(from: &mut impl Read, length: usize) -> Result<Vec<u8>, Invalid> {
    if length > LONGEST_TEXT as usize {
        return Err(damaged("a part of it is too long"));
    }
    let mut bytes = vec![0; length];
    from.read_exact(&mut bytes).map_err(damaged)?;
    Ok(bytes)
}
