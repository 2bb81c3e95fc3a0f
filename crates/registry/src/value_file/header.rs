//! The header of a file: what lies where.

use super::{damaged, foreign};
use ludens_core::Invalid;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The metadata and the location of each tensor.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Header {
    #[serde(rename = "__metadata__", default)]
    pub(super) about: BTreeMap<String, String>,
    #[serde(flatten)]
    pub(super) tensors: BTreeMap<String, TensorSpan>,
}

/// The location, type and shape of a tensor.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(from = "TensorInfo", into = "TensorInfo")]
pub(super) struct TensorSpan {
    /// `F32`, `F64` or `U8`.
    pub(super) kind: String,
    /// Its size in each dimension.
    pub(super) shape: Vec<usize>,
    /// The offset of the first byte in the tensor data.
    pub(super) from: u64,
    /// The offset after the last byte.
    pub(super) to: u64,
}

/// A place with the names that the format gives its parts.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct TensorInfo {
    dtype: String,
    shape: Vec<usize>,
    data_offsets: (u64, u64),
}

impl From<TensorInfo> for TensorSpan {
    fn from(TensorInfo { dtype, shape, data_offsets: (from, to) }: TensorInfo) -> TensorSpan {
        TensorSpan { kind: dtype, shape, from, to }
    }
}

impl From<TensorSpan> for TensorInfo {
    fn from(TensorSpan { kind, shape, from, to }: TensorSpan) -> TensorInfo {
        TensorInfo { dtype: kind, shape, data_offsets: (from, to) }
    }
}

impl TensorSpan {
    /// The length in bytes.
    pub(super) fn length(&self) -> u64 {
        self.to - self.from
    }

    /// Whether the length matches the type and the shape.
    fn is_consistent(&self) -> bool {
        let each = match &self.kind[..] {
            "F32" | "U32" => 4,
            "F64" => 8,
            "U8" => 1,
            _ => return false,
        };
        let count = self.shape.iter().try_fold(each, |n: u64, &size| n.checked_mul(size as u64));
        self.from <= self.to && count == Some(self.length())
    }
}

impl Header {
    /// Parses a header and checks that the tensors are consistent and leave no gap.
    pub(super) fn parse(text: &[u8]) -> Result<Header, Invalid> {
        let header: Header =
            serde_json::from_slice(text).map_err(|e| foreign(format_args!("its header: {e}")))?;
        let mut tensors: Vec<(&String, &TensorSpan)> = header.tensors.iter().collect();
        tensors.sort_by_key(|(_, span)| (span.from, span.to));
        let mut end = 0;
        for (name, span) in tensors {
            if !span.is_consistent() || span.from != end {
                return Err(damaged(format_args!("the place of {name} does not add up")));
            }
            end = span.to;
        }
        Ok(header)
    }

    /// The total length of all tensors in bytes.
    pub(super) fn length(&self) -> u64 {
        self.tensors.values().map(|span| span.to).max().unwrap_or(0)
    }
}
