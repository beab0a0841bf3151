//! Reading logs.

use std::fmt;
use std::io::{self, Read};
use std::time::Duration;

use crate::log::{CHANGE, MAGIC, VERSION};
use crate::status::NodeStatus;

/// The longest XML that is read.
const MAX_XML: u64 = 64 << 20;

/// A `.btlog` of this library or of BehaviorTree.CPP. It is an iterator over its changes, which are read one by one: pass a [`BufReader`](io::BufReader) for
/// a file.
///
/// ```
/// use bt_groot2::{LogError, LogFile};
///
/// let mut log = Vec::from(b"BTCPP4-FileLogger2\x01\x07\0\0\0<root/>\x40\x42\x0f\0\0\0\0\0");
/// log.extend([2, 0, 0, 0, 0, 0, 1, 0, 1, 5, 0, 0, 0]);     // one change, and a part of another
///
/// let mut file = LogFile::read(&*log)?;
/// assert_eq!((file.xml(), file.first().as_secs()), ("<root/>", 1));
/// assert_eq!(file.next().unwrap()?.to_string(), "0.000002 1 RUNNING");
/// assert!(matches!(file.next(), Some(Err(LogError::Truncated))));
/// assert!(file.next().is_none());
/// # Ok::<(), LogError>(())
/// ```
#[derive(Debug)]
pub struct LogFile<R> {
    xml: String,
    first: Duration,
    input: R,
    is_over: bool,
}

/// A change in a [`LogFile`]. `Display` formats it as a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LogChange {
    /// The time since the log began.
    pub time: Duration,
    /// The number of the node: `_uid` in the XML.
    pub uid: u16,
    /// The status after the change.
    pub status: NodeStatus,
}

/// An error in a log.
#[derive(Debug)]
#[non_exhaustive]
pub enum LogError {
    /// The file cannot be read.
    Io(io::Error),
    /// The file is not a log.
    NotALog,
    /// The version of the format is unknown.
    Version(u8),
    /// The XML has a negative length, or more than 64 MiB.
    Length(i32),
    /// The XML is not UTF-8.
    Utf8,
    /// The log begins before 1970.
    Time(i64),
    /// The file ends within a change or before the first one.
    Truncated,
    /// There is no status with this number.
    Status(u8),
}

impl<R: Read> LogFile<R> {
    /// Reads the header of a log.
    ///
    /// # Errors
    ///
    /// Returns an error if the input is not a log or ends early.
    pub fn read(mut input: R) -> Result<Self, LogError> {
        if exactly::<18>(&mut input)
            .map_err(|error| if let LogError::Truncated = error { LogError::NotALog } else { error })?
            != *MAGIC
        {
            return Err(LogError::NotALog);
        }
        let [version] = exactly(&mut input)?;
        if version != VERSION {
            return Err(LogError::Version(version));
        }
        let length = i32::from_le_bytes(exactly(&mut input)?);
        let limit = u64::try_from(length).ok().filter(|length| *length <= MAX_XML).ok_or(LogError::Length(length))?;
        let mut xml = Vec::new();
        // The length is not trusted: memory grows with what is there.
        let found = input.by_ref().take(limit).read_to_end(&mut xml)?;
        if found as u64 != limit {
            return Err(LogError::Truncated);
        }
        let xml = String::from_utf8(xml).map_err(|_| LogError::Utf8)?;
        let first = i64::from_le_bytes(exactly(&mut input)?);
        let micros = u64::try_from(first).map_err(|_| LogError::Time(first))?;
        Ok(Self { xml, first: Duration::from_micros(micros), input, is_over: false })
    }

    fn change(&mut self) -> Result<Option<LogChange>, LogError> {
        let mut bytes = [0; CHANGE];
        match fill(&mut self.input, &mut bytes)? {
            0 => return Ok(None),
            CHANGE => {}
            _ => return Err(LogError::Truncated),
        }
        let [time @ .., low, high, status] = bytes;
        let status = NodeStatus::from_number(status).ok_or(LogError::Status(status))?;
        let mut micros = [0; 8];
        micros[..time.len()].copy_from_slice(&time);
        let time = Duration::from_micros(u64::from_le_bytes(micros));
        Ok(Some(LogChange { time, uid: u16::from_le_bytes([low, high]), status }))
    }
}

impl<R> LogFile<R> {
    /// Returns the XML of the tree.
    pub fn xml(&self) -> &str {
        &self.xml
    }

    /// Returns the time at which the log begins, since 1970.
    pub const fn first(&self) -> Duration {
        self.first
    }
}

/// The changes, in order. Nothing follows an error.
impl<R: Read> Iterator for LogFile<R> {
    type Item = Result<LogChange, LogError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_over {
            return None;
        }
        let next = self.change().transpose();
        self.is_over = !matches!(next, Some(Ok(_)));
        next
    }
}

/// Reads until the bytes are filled or the input ends. Returns the number of bytes.
fn fill(input: &mut impl Read, bytes: &mut [u8]) -> io::Result<usize> {
    let mut filled = 0;
    while filled < bytes.len() {
        match input.read(&mut bytes[filled..]) {
            Ok(0) => break,
            Ok(count) => filled += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}

fn exactly<const N: usize>(input: &mut impl Read) -> Result<[u8; N], LogError> {
    let mut bytes = [0; N];
    if fill(input, &mut bytes)? == N { Ok(bytes) } else { Err(LogError::Truncated) }
}

impl From<io::Error> for LogError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl fmt::Display for LogChange {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{:.6} {} {}", self.time.as_secs_f64(), self.uid, self.status)
    }
}

impl fmt::Display for LogError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => write!(out, "the log cannot be read: {error}"),
            Self::NotALog => out.write_str("not a log of BehaviorTree.CPP"),
            Self::Version(version) => write!(out, "unknown version {version} of the format"),
            Self::Length(length) => write!(out, "invalid length of the XML: {length}"),
            Self::Utf8 => out.write_str("the XML is not UTF-8"),
            Self::Time(time) => write!(out, "invalid time of the first change: {time}"),
            Self::Truncated => out.write_str("the log is truncated"),
            Self::Status(status) => write!(out, "unknown status {status}"),
        }
    }
}

impl std::error::Error for LogError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Io(error) => Some(error),
            _ => None,
        }
    }
}
