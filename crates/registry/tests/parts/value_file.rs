//! One file format for everything that is learned.

use ludens_core::Invalid;
use ludens_registry::{Content, TensorData, ValueFile, replace_file, write_value};
use std::io;
use std::io::Write;
use std::path::PathBuf;

fn content() -> Content<'static> {
    let mut content = Content::default();
    content.about.insert("game".into(), "tictactoe".into());
    content.about.insert("episode".into(), "7".into());
    let weights = vec![1.0, -2.5, f32::MIN_POSITIVE, 1e30, 0.0, -0.0];
    let tensor = |shape: &[usize], data| (shape.to_vec(), data);
    content.tensors.insert("weights".into(), tensor(&[2, 3], TensorData::Numbers(weights.into())));
    content
        .tensors
        .insert("counts".into(), tensor(&[2], TensorData::ExactNumbers(vec![0.1, 1e300])));
    content.tensors.insert("entries".into(), tensor(&[3], TensorData::Bytes(b"a\nb".to_vec())));
    content
}

fn bytes() -> Vec<u8> {
    let mut bytes = Vec::new();
    write_value(&mut bytes, &content()).unwrap();
    bytes
}

/// A file with these bytes, in a folder of its own.
fn stored(name: &str, bytes: &[u8]) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("ludens-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("value.safetensors");
    std::fs::write(&path, bytes).unwrap();
    path
}

/// The three tensors of the example.
type All = (Vec<f32>, Vec<f64>, Vec<u8>);

fn read_all(file: &mut ValueFile) -> Result<All, Invalid> {
    let mut weights = vec![0.0; 6];
    file.read("weights", &[2, 3], &mut weights)?;
    Ok((weights, file.exact_numbers("counts")?, file.bytes("entries")?))
}

fn message(name: &str, bytes: &[u8]) -> String {
    ValueFile::open(stored(name, bytes)).unwrap_err().to_string()
}

#[test]
fn what_is_written_is_read_back_bit_by_bit() {
    let mut file = ValueFile::open(stored("same", &bytes())).unwrap();
    assert_eq!(file.names().collect::<Vec<_>>(), ["counts", "entries", "weights"]);
    assert_eq!((file.text("game").unwrap(), file.number("episode").unwrap()), ("tictactoe", 7));
    let (weights, counts, entries) = read_all(&mut file).unwrap();
    let bits = |numbers: &[f32]| numbers.iter().map(|n| n.to_bits()).collect::<Vec<_>>();
    assert_eq!(bits(&weights), bits(&[1.0, -2.5, f32::MIN_POSITIVE, 1e30, 0.0, -0.0]));
    assert_eq!((counts, entries), (vec![0.1, 1e300], b"a\nb".to_vec()));
    assert_eq!(bytes(), bytes());
}

#[test]
fn other_readers_of_the_format_read_our_files() {
    let bytes = bytes();
    let read = safetensors::SafeTensors::deserialize(&bytes).unwrap();
    let weights = read.tensor("weights").unwrap();
    assert_eq!((weights.shape(), weights.data().len()), (&[2, 3][..], 24));
    let (length, metadata) = safetensors::SafeTensors::read_metadata(&bytes).unwrap();
    assert_eq!((length + 8) % 64, 0);
    assert_eq!(metadata.metadata().as_ref().unwrap()["game"], "tictactoe");
}

#[test]
fn every_prefix_of_a_file_is_refused() {
    let bytes = bytes();
    for length in 0..bytes.len() {
        let told = message("prefix", &bytes[..length]);
        assert!(told.contains("damaged") || told.contains("no file of learned"), "{told}");
    }
    let longer = [&bytes[..], b"x"].concat();
    assert!(message("longer", &longer).ends_with("it is damaged: something follows its numbers"));
}

#[test]
fn every_changed_bit_is_noticed_in_the_header_and_in_the_numbers() {
    let bytes = bytes();
    for at in 0..8 * bytes.len() {
        let mut changed = bytes.clone();
        changed[at / 8] ^= 1 << (at % 8);
        let read = ValueFile::open(stored("changed", &changed));
        let read = read.and_then(|mut file| read_all(&mut file));
        assert!(read.is_err(), "bit {at} of {}", 8 * bytes.len());
    }
}

#[test]
fn one_checksum_covers_the_whole_file_as_other_tools_compute_it() {
    let mut bytes = bytes();
    let label = b"\"crc32\":\"";
    let at = bytes.windows(label.len()).position(|w| w == label).unwrap() + label.len();
    let written = String::from_utf8(bytes[at..at + 8].to_vec()).unwrap();
    bytes[at..at + 8].copy_from_slice(b"00000000");
    assert_eq!(written, format!("{:08x}", crc32fast::hash(&bytes)));
}

#[test]
fn files_of_older_versions_are_read_with_a_note() {
    let old = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/old/version-2.safetensors");
    let mut file = ValueFile::open(old).unwrap();
    assert_eq!((file.number("version").unwrap(), file.number("episode").unwrap()), (2, 7));
    assert_eq!(read_all(&mut file).unwrap().1, [0.1, 1e300]);
    assert!(file.note().unwrap().contains("an older version of Ludens wrote it"));
    assert!(ValueFile::open(stored("new", &bytes())).unwrap().note().is_none());
    let mut changed = std::fs::read(old).unwrap();
    *changed.last_mut().unwrap() ^= 1;
    let mut changed = ValueFile::open(stored("old-changed", &changed)).unwrap();
    assert!(read_all(&mut changed).unwrap_err().to_string().contains("are not those written"));
}

#[test]
fn headers_that_promise_too_much_allocate_nothing() {
    let with = |text: &str| {
        let mut bytes = (text.len() as u64).to_le_bytes().to_vec();
        bytes.extend(text.bytes());
        message("promise", &bytes)
    };
    let huge =
        r#"{"weights":{"dtype":"F32","shape":[1000000000000],"data_offsets":[0,4000000000000]}}"#;
    assert!(with(huge).ends_with("it ends before its numbers do"));
    let overflow =
        r#"{"weights":{"dtype":"F32","shape":[4294967296,4294967296],"data_offsets":[0,0]}}"#;
    assert!(with(overflow).ends_with("the place of weights does not add up"));
    let backwards = r#"{"weights":{"dtype":"F32","shape":[1],"data_offsets":[4,0]}}"#;
    assert!(with(backwards).ends_with("the place of weights does not add up"));
    assert!(message("length", &u64::MAX.to_le_bytes()).contains("does not begin with a header"));
}

#[test]
fn foreign_and_newer_files_are_refused_with_the_reason() {
    assert!(message("text", b"episode,score\n1,2\n").contains("no file of learned values"));
    let foreign = r#"{"__metadata__":{"format":"pt"}}"#;
    let mut other = (foreign.len() as u64).to_le_bytes().to_vec();
    other.extend(foreign.bytes());
    assert!(message("foreign", &other).contains("does not name our format"));
    let mut newer = bytes();
    let at = newer.windows(13).position(|w| w == br#""version":"3""#).unwrap();
    newer[at + 11] = b'5';
    assert!(message("newer", &newer).contains("reads versions up to 4"));
    assert!(ValueFile::open("/nowhere/x").unwrap_err().to_string().contains("cannot be read"));
}

#[test]
fn wrong_shapes_names_and_types_are_explained() {
    let mut file = ValueFile::open(stored("shape", &bytes())).unwrap();
    let told = |read: Result<(), Invalid>| read.unwrap_err().to_string();
    let wrong = told(file.read("weights", &[3, 2], &mut [0.0; 6]));
    assert!(wrong.ends_with("weights has shape [2, 3], expected [3, 2]"), "{wrong}");
    let missing = told(file.read("memory", &[1], &mut [0.0]));
    assert!(missing.ends_with("it has no tensor \"memory\"; it has counts, entries, weights"));
    let kind = file.bytes("weights").unwrap_err().to_string();
    assert!(kind.ends_with("weights consists of F32, expected U8"), "{kind}");
}

/// Accepts so many bytes and then is full.
struct FullAfter(usize);

impl Write for FullAfter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.0.min(bytes.len()) {
            0 => Err(io::ErrorKind::StorageFull.into()),
            fit => {
                self.0 -= fit;
                Ok(fit)
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_full_disk_leaves_the_old_file_as_it_was() {
    let path = stored("full", &bytes());
    for room in (0..bytes().len()).step_by(97) {
        let failed = replace_file(&path, |_| write_value(&mut FullAfter(room), &content()));
        assert_eq!(failed.unwrap_err().kind(), io::ErrorKind::StorageFull);
        assert_eq!(std::fs::read(&path).unwrap(), bytes());
    }
    let names = std::fs::read_dir(path.parent().unwrap()).unwrap().count();
    assert_eq!(names, 1, "nothing is left behind");
    replace_file(&path, |out| out.write_all(b"new")).unwrap();
    assert_eq!(std::fs::read(&path).unwrap(), b"new");
}

#[cfg(unix)]
#[test]
fn others_may_read_the_file() {
    use std::os::unix::fs::PermissionsExt;
    let path = stored("mode", b"");
    std::fs::remove_file(&path).unwrap();
    replace_file(&path, |out| write_value(out, &content())).unwrap();
    let mode = std::fs::metadata(&path).unwrap().permissions().mode() & 0o777;
    assert!(mode & 0o044 == 0o044 || mode == 0o600, "the umask decides, nothing else: {mode:o}");
}

/// A large tensor of which few rows differ from the start.
fn changed_content(rows: usize) -> (Vec<f32>, Content<'static>) {
    let start = vec![1e-4, -0.0, 3.5];
    let mut numbers = start.repeat(rows);
    for i in (0..numbers.len()).step_by(40_009) {
        numbers[i] = i as f32;
    }
    let mut content = Content::default();
    let data = TensorData::Changes { numbers: numbers.clone().into(), start };
    content.tensors.insert("memory".into(), (vec![rows, 3], data));
    (numbers, content)
}

#[test]
fn changes_from_a_start_are_read_back_bit_by_bit() {
    let rows = 100_000;
    let (numbers, content) = changed_content(rows);
    let mut bytes = Vec::new();
    write_value(&mut bytes, &content).unwrap();
    let mut file = ValueFile::open(stored("changes", &bytes)).unwrap();
    assert_eq!(file.number("version").unwrap(), 4);
    let bits = |numbers: &[f32]| numbers.iter().map(|n| n.to_bits()).collect::<Vec<_>>();
    assert!(bits(&file.numbers("memory").unwrap()) == bits(&numbers));
    let mut out = vec![7.0; 3 * rows];
    file.read("memory", &[rows, 3], &mut out).unwrap();
    assert!(bits(&out) == bits(&numbers), "what was in the place before does not matter");
    let mut pieces = Vec::new();
    file.each_piece_of("memory", &mut |piece| {
        assert_eq!(piece.len() % 3, 0, "no row is split");
        pieces.extend_from_slice(piece);
    })
    .unwrap();
    assert!(bits(&pieces) == bits(&numbers));
    let tensors = safetensors::SafeTensors::deserialize(&bytes).unwrap();
    let view = tensors.tensor("memory").unwrap();
    assert_eq!(view.dtype(), safetensors::Dtype::U32);
    let zeros = view.data().iter().filter(|byte| **byte == 0).count();
    assert!(zeros * 100 > view.data().len() * 99, "what has not changed is zero");
}

#[test]
fn a_start_that_does_not_fit_is_refused() {
    let (_, content) = changed_content(2);
    let mut bytes = Vec::new();
    write_value(&mut bytes, &content).unwrap();
    let at = bytes.windows(8).position(|w| w == b"38d1b717").unwrap();
    bytes[at] = b'x';
    assert!(message("start", &bytes).contains("its header is not the one written"));
}

#[test]
fn a_start_of_zeros_changes_nothing_about_the_file() {
    let with = |data| {
        let mut content = Content::default();
        content.tensors.insert("memory".into(), (vec![2, 2], data));
        let mut bytes = Vec::new();
        write_value(&mut bytes, &content).unwrap();
        bytes
    };
    let numbers = vec![0.0, 1.0, 2.0, -3.0];
    let plain = with(TensorData::Numbers(numbers.clone().into()));
    for start in [vec![], vec![0.0, 0.0]] {
        assert_eq!(with(TensorData::Changes { numbers: numbers.clone().into(), start }), plain);
    }
}
