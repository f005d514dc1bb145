//! What the generated functions need: texts, arrays of handles, and outputs of unknown extent.

use crate::{check, sys, Error, Result, Status};
use std::borrow::Cow;
use std::ffi::{CStr, CString};
use std::fmt;
use std::ops::Deref;
use std::os::raw::{c_char, c_void};
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::path::Path;
use std::ptr;

/// Text of at most `N - 1` bytes that came with a struct. Derefs to `str`.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct Text<const N: usize>(pub(crate) [c_char; N]);

impl<const N: usize> Text<N> {
    fn bytes(&self) -> &[u8] {
        // SAFETY: c_char and u8 have one size, and any bit pattern is good for both.
        let all = unsafe { std::slice::from_raw_parts(self.0.as_ptr() as *const u8, N) };
        &all[..all.iter().position(|&b| b == 0).unwrap_or(N)]
    }

    /// The text; where a driver gave something that is no UTF-8, the part before that.
    pub fn as_str(&self) -> &str {
        let bytes = self.bytes();
        std::str::from_utf8(bytes).unwrap_or_else(|error| {
            std::str::from_utf8(&bytes[..error.valid_up_to()]).unwrap_or("")
        })
    }
}

impl<const N: usize> Deref for Text<N> {
    type Target = str;
    fn deref(&self) -> &str {
        self.as_str()
    }
}

impl<const N: usize> fmt::Display for Text<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&String::from_utf8_lossy(self.bytes()))
    }
}

impl<const N: usize> fmt::Debug for Text<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&String::from_utf8_lossy(self.bytes()), f)
    }
}

impl<const N: usize> Default for Text<N> {
    fn default() -> Text<N> {
        Text([0; N])
    }
}

impl<const N: usize> From<&str> for Text<N> {
    /// Keeps as many whole characters as there is room for, as the library does with its own texts,
    /// and ends at a NUL.
    fn from(text: &str) -> Text<N> {
        let text = text.split('\0').next().unwrap_or("");
        let mut kept = text.len().min(N.saturating_sub(1));
        while !text.is_char_boundary(kept) {
            kept -= 1;
        }
        let mut made = Text::default();
        for (place, byte) in made.0.iter_mut().zip(&text.as_bytes()[..kept]) {
            *place = *byte as c_char;
        }
        made
    }
}

impl<const N: usize> PartialEq<str> for Text<N> {
    fn eq(&self, other: &str) -> bool {
        self.as_str() == other
    }
}

impl<const N: usize> PartialEq<&str> for Text<N> {
    fn eq(&self, other: &&str) -> bool {
        self.as_str() == *other
    }
}

const INLINE_TEXT: usize = 64;

/// A text with a NUL behind it; short ones need no allocation.
pub(crate) enum CText {
    Inline([u8; INLINE_TEXT]),
    Heap(CString),
}

impl CText {
    pub(crate) fn new(what: &str, text: &str) -> Result<CText> {
        CText::of_bytes(what, text.as_bytes())
    }

    /// A path is the bytes that the system takes, which need not be UTF-8.
    #[cfg(unix)]
    pub(crate) fn path(what: &str, path: &Path) -> Result<CText> {
        use std::os::unix::ffi::OsStrExt;
        CText::of_bytes(what, path.as_os_str().as_bytes())
    }

    /// Where the system's paths are no bytes, those that are UTF-8 can be given.
    #[cfg(not(unix))]
    pub(crate) fn path(what: &str, path: &Path) -> Result<CText> {
        match path.to_str() {
            Some(text) => CText::new(what, text),
            None => Err(Error::invalid(format!("{what} is {path:?}, which is no UTF-8"))),
        }
    }

    fn of_bytes(what: &str, text: &[u8]) -> Result<CText> {
        if let Some(place) = text.iter().position(|&b| b == 0) {
            return Err(Error::invalid(format!("{what} has a NUL character at byte {place}")));
        }
        if text.len() < INLINE_TEXT {
            let mut bytes = [0; INLINE_TEXT];
            bytes[..text.len()].copy_from_slice(text);
            return Ok(CText::Inline(bytes));
        }
        // SAFETY: it was looked for NULs above.
        Ok(CText::Heap(unsafe { CString::from_vec_unchecked(text.into()) }))
    }

    /// Valid as long as this is neither moved nor dropped.
    pub(crate) fn as_ptr(&self) -> *const c_char {
        match self {
            CText::Inline(bytes) => bytes.as_ptr() as *const c_char,
            CText::Heap(text) => text.as_ptr(),
        }
    }
}

/// An array of texts.
#[derive(Default)]
pub(crate) struct Texts {
    texts: Vec<CText>,
    pointers: Vec<*const c_char>,
}

impl Texts {
    pub(crate) fn fill(&mut self, what: &str, texts: &[&str]) -> Result<()> {
        for (index, text) in texts.iter().enumerate() {
            self.texts.push(CText::new(&format!("{what}[{index}]"), text)?);
        }
        // The vector of texts does not grow any more, so the texts stay where they are.
        self.pointers = self.texts.iter().map(|t| t.as_ptr()).collect();
        Ok(())
    }

    pub(crate) fn as_ptr(&self) -> *const *const c_char {
        slice_ptr(&self.pointers)
    }
}

const INLINE_POINTERS: usize = 8;

/// An array of handles as C wants it; a few need no allocation.
pub(crate) struct Pointers<T> {
    inline: [*mut T; INLINE_POINTERS],
    heap: Vec<*mut T>,
    len: usize,
}

impl<T> Default for Pointers<T> {
    fn default() -> Pointers<T> {
        Pointers { inline: [ptr::null_mut(); INLINE_POINTERS], heap: Vec::new(), len: 0 }
    }
}

impl<T> Pointers<T> {
    pub(crate) fn fill(&mut self, handles: impl ExactSizeIterator<Item = *mut T>) {
        self.len = handles.len();
        if self.len <= INLINE_POINTERS {
            for (place, handle) in self.inline.iter_mut().zip(handles) {
                *place = handle;
            }
        } else {
            self.heap = handles.collect();
        }
    }

    /// Valid as long as this is neither moved nor dropped.
    pub(crate) fn as_ptr(&self) -> *const *mut T {
        match self.len {
            0 => ptr::null(),
            n if n <= INLINE_POINTERS => self.inline.as_ptr(),
            _ => self.heap.as_ptr(),
        }
    }
}

/// Where a call writes a handle.
pub(crate) struct Out<T>(pub(crate) *mut T);

impl<T> Default for Out<T> {
    fn default() -> Out<T> {
        Out(ptr::null_mut())
    }
}

/// The number of entries as C counts them.
pub(crate) fn count<C: TryFrom<usize>>(what: &str, len: usize) -> Result<C> {
    C::try_from(len).map_err(|_| Error::invalid(format!("{what} has {len} entries, too many")))
}

/// NULL for nothing: Rust's pointer to an empty slice is not one that C should see.
pub(crate) fn slice_ptr<T>(slice: &[T]) -> *const T {
    if slice.is_empty() {
        ptr::null()
    } else {
        slice.as_ptr()
    }
}

pub(crate) fn data_ptr(data: &[u8]) -> *const c_void {
    slice_ptr(data) as *const c_void
}

/// Tells the library how large an info struct is; it writes the rest.
pub(crate) unsafe fn set_size<T>(info: *mut T) {
    *(info as *mut usize) = std::mem::size_of::<T>();
}

pub(crate) fn check_strides(shape: &[usize], strides: Option<&[i64]>) -> Result<()> {
    match strides {
        Some(strides) if strides.len() != shape.len() => Err(Error::invalid(format!(
            "strides has {} entries; shape has {}",
            strides.len(),
            shape.len()
        ))),
        _ => Ok(()),
    }
}

#[cold]
pub(crate) fn nothing_given() -> Error {
    let message = "the library succeeded but gave no object".to_string();
    Error { status: Status::INTERNAL, native_code: 0, message }
}

/// Text that the library owns.
pub(crate) unsafe fn borrowed_text(text: *const c_char) -> Cow<'static, str> {
    if text.is_null() {
        return Cow::Borrowed("");
    }
    CStr::from_ptr(text).to_string_lossy()
}

/// A name of a constant: ASCII that lives as long as the library, which is never unloaded.
pub(crate) unsafe fn static_text(text: *const c_char) -> &'static str {
    CStr::from_ptr(text).to_str().unwrap_or("")
}

/// Reads an array whose extent the library tells: asks with what there is, and again with more
/// until all of it fits. The extent may change between two calls.
pub(crate) fn read_array<T: Clone, C>(
    zero: T,
    mut ask: impl FnMut(*mut T, C, &mut C) -> sys::netcl_status,
) -> Result<Vec<T>>
where
    C: Copy + Default + TryFrom<usize> + TryInto<usize>,
{
    let mut found: Vec<T> = Vec::new();
    loop {
        let mut length = C::default();
        let room = count::<C>("the result", found.len())?;
        let place = if found.is_empty() { ptr::null_mut() } else { found.as_mut_ptr() };
        check(ask(place, room, &mut length))?;
        let length: usize = length.try_into().map_err(|_| nothing_given())?;
        if length <= found.len() {
            found.truncate(length);
            return Ok(found);
        }
        found.resize(length, zero.clone());
    }
}

pub(crate) fn read_bytes(
    ask: impl FnMut(*mut u8, usize, &mut usize) -> sys::netcl_status,
) -> Result<Vec<u8>> {
    read_array(0, ask)
}

/// Reads text; `length` does not count the NUL, for which there has to be room.
pub(crate) fn read_text(
    mut ask: impl FnMut(*mut u8, usize, &mut usize) -> sys::netcl_status,
) -> Result<String> {
    let mut bytes = vec![0; 1024];
    loop {
        let mut length = 0;
        check(ask(bytes.as_mut_ptr(), bytes.len(), &mut length))?;
        if length < bytes.len() {
            bytes.truncate(length);
            return Ok(match String::from_utf8(bytes) {
                Ok(text) => text,
                Err(error) => String::from_utf8_lossy(error.as_bytes()).into_owned(),
            });
        }
        bytes.resize(length + 1, 0);
    }
}

pub(crate) fn same_length(one: &str, one_len: usize, other: &str, other_len: usize) -> Result<()> {
    if one_len == other_len {
        return Ok(());
    }
    Err(Error::invalid(format!("{one} has {one_len} entries; {other} has {other_len}")))
}

/// What a function gives; nothing where it panics. No panic leaves this.
pub(crate) fn caught<T>(work: impl FnOnce() -> T) -> Option<T> {
    let panic = match catch_unwind(AssertUnwindSafe(work)) {
        Ok(value) => return Some(value),
        Err(panic) => panic,
    };
    // To drop what a panic carries may panic as well. What that one carries is leaked.
    if let Err(another) = catch_unwind(AssertUnwindSafe(|| drop(panic))) {
        std::mem::forget(another);
    }
    None
}

/// Runs a function that the library keeps, and says what failed in it: by an error or a panic.
pub(crate) fn answered(work: impl FnOnce() -> Result<()>) -> sys::netcl_status {
    let error = match catch_unwind(AssertUnwindSafe(work)) {
        Ok(Ok(())) => return sys::NETCL_OK,
        Ok(Err(error)) => error,
        Err(panic) => {
            let message = match (panic.downcast_ref::<&str>(), panic.downcast_ref::<String>()) {
                (Some(text), _) => format!("the function panicked: {text}"),
                (_, Some(text)) => format!("the function panicked: {text}"),
                _ => "the function panicked".to_string(),
            };
            caught(|| drop(panic));
            Error { status: Status::CANCELLED, native_code: 0, message }
        }
    };
    // A function that fails with "OK" has failed all the same.
    let status = if error.status == Status::OK { Status::INVALID_ARGUMENT } else { error.status };
    // No NUL ends the message before its end.
    let message = CString::new(error.message.replace('\0', " ")).unwrap_or_default();
    // Where this fails there is a status without the message.
    // SAFETY: the text outlives the call.
    let _ = unsafe { sys::netcl_last_error_set(status.0, error.native_code, message.as_ptr()) };
    status.0
}

/// The object behind a handle that C lends.
///
/// # Safety
/// `T` is the type of such handles, which is one pointer that is not null, and the reference stays
/// C's: nothing is dropped here.
pub(crate) unsafe fn lent<T, R>(place: &*mut R) -> Option<&T> {
    (*(place as *const *mut R as *const Option<T>)).as_ref()
}

/// A list that C lends: of numbers, or of handles as in `lent`.
///
/// # Safety
/// There are `count` entries for as long as the result lives.
pub(crate) unsafe fn lent_list<'a, T, R>(first: *const R, count: usize) -> &'a [T] {
    if count == 0 {
        return &[];
    }
    std::slice::from_raw_parts(first as *const T, count)
}

/// References to the objects of a list that C lends.
///
/// # Safety
/// As for `lent_list`.
pub(crate) unsafe fn lent_refs<'a, T, R>(first: *const R, count: usize) -> Vec<&'a T> {
    lent_list::<T, R>(first, count).iter().collect()
}

/// What a callback returns to C; its error is kept for the caller where there is a place.
pub(crate) fn status_of(done: Result<()>, place: Option<&mut Option<Error>>) -> sys::netcl_status {
    match done {
        Ok(()) => sys::NETCL_OK,
        Err(error) => {
            let status = error.status.0;
            if let Some(place) = place {
                *place = Some(error);
            }
            // A function that fails with "OK" has failed all the same.
            if status == sys::NETCL_OK {
                sys::NETCL_ERROR_INTERNAL
            } else {
                status
            }
        }
    }
}
