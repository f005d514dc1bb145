// Written by bindings/generator from include/netcl.h; changes here are lost.

#![allow(unused_imports, unused_unsafe, clippy::too_many_arguments)]

use super::*;
use crate::support::{self, CText, Pointers, Texts};
use crate::{check, Error, Result, Scalar, Shape, Timeout};
use std::mem::MaybeUninit;
use std::os::raw::c_void;
use std::path::Path;
use std::ptr;
use std::fmt;
use std::ptr::NonNull;

/// A parsed elementwise expression, bound to no device. Shareable.
///
/// A clone is one more reference to the same object, and dropping gives it back.
#[doc(alias = "netcl_expression")]
#[repr(transparent)]
pub struct Expression {
    raw: NonNull<sys::netcl_expression>,
}

// The header says "Shareable.", and the library checks what it is given.
unsafe impl Send for Expression {}
unsafe impl Sync for Expression {}

impl Expression {
    /// Takes over one reference.
    ///
    /// # Safety
    /// `raw` is a handle of this type, and the caller gives one reference away. It must not be
    /// null.
    pub unsafe fn from_raw(raw: *mut sys::netcl_expression) -> Expression {
        Expression { raw: NonNull::new_unchecked(raw) }
    }

    /// Lends the handle of C.
    pub fn as_raw(&self) -> *mut sys::netcl_expression {
        self.raw.as_ptr()
    }

    /// Hands the reference out; `netcl_expression_release` gives it back.
    pub fn into_raw(self) -> *mut sys::netcl_expression {
        let raw = self.raw.as_ptr();
        std::mem::forget(self);
        raw
    }

    #[allow(dead_code)]
    pub(crate) unsafe fn from_nullable(raw: *mut sys::netcl_expression) -> Option<Expression> {
        NonNull::new(raw).map(|raw| Expression { raw })
    }

    #[allow(dead_code)]
    pub(crate) unsafe fn take(raw: *mut sys::netcl_expression) -> Result<Expression> {
        Expression::from_nullable(raw).ok_or_else(support::nothing_given)
    }

    /// One more reference, or the reason why not: `clone` without a panic.
    pub fn try_clone(&self) -> Result<Expression> {
        check(unsafe { sys::netcl_expression_retain(self.as_raw()) })?;
        Ok(Expression { raw: self.raw })
    }
}

impl Clone for Expression {
    /// Adds a reference.
    ///
    /// # Panics
    /// When the library refuses: 2^24 references are held already, or the object was made before
    /// a fork. `try_clone` returns these as errors.
    fn clone(&self) -> Expression {
        match self.try_clone() {
            Ok(clone) => clone,
            Err(error) => panic!("{error}"),
        }
    }
}

impl Drop for Expression {
    fn drop(&mut self) {
        unsafe { sys::netcl_expression_release(self.as_raw()) }
    }
}

impl fmt::Debug for Expression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Expression({:#x})", self.as_raw() as usize)
    }
}

impl PartialEq for Expression {
    /// Whether both are the same handle; two handles may stand for one object.
    fn eq(&self, other: &Expression) -> bool {
        self.raw == other.raw
    }
}

impl Eq for Expression {}

impl Expression {
    /// Parses an elementwise expression. Inputs are v0, v1, .... Written in infix ("relu(v0 + v1)
    /// \* 0.5", C precedence, ?: included) or with macros ("MUL(ADD(v0, v1), 2.0f)"), freely mixed.
    /// Functions: docs/expressions.md lists them with their error bounds. Literals take the type of
    /// what they meet. [`INVALID_ARGUMENT`](Status::INVALID_ARGUMENT) naming the column and what
    /// was expected there.
    #[doc(alias = "netcl_expression_create")]
    pub fn new(text: &str) -> Result<Expression> {
        let text_c = CText::new("text", text)?;
        let mut expression_out = ptr::null_mut();
        check(unsafe { sys::netcl_expression_create(text_c.as_ptr(), &mut expression_out) })?;
        Ok(unsafe { Expression::take(expression_out)? })
    }

    /// Gives the number of inputs: one more than the highest v used.
    #[doc(alias = "netcl_expression_get_arity")]
    pub fn arity(&self) -> Result<u32> {
        let mut arity = Default::default();
        check(unsafe { sys::netcl_expression_get_arity(self.as_raw(), &mut arity) })?;
        Ok(arity)
    }

    /// Gives the expression in canonical infix form; parsing that gives the same expression.
    #[doc(alias = "netcl_expression_get_text")]
    pub fn text(&self) -> Result<String> {
        let text = support::read_text(|place, room, length| unsafe {
            sys::netcl_expression_get_text(self.as_raw(), place as *mut _, room, length)
        })?;
        Ok(text)
    }

    /// Differentiates an expression of n inputs with respect to input `input`, one of 0 to n - 1.
    /// The gradient is an expression of v0 ... v(n-1) and of vn, the gradient of what was made of
    /// the result: vn times the partial derivative. docs/primitives.md has the derivative of each
    /// function and what holds at kinks. What is not smooth anywhere, such as a comparison, an
    /// integer operation or a cast to an integer, has derivative 0.
    /// [`INVALID_ARGUMENT`](Status::INVALID_ARGUMENT) when the gradient would exceed the limits of
    /// an expression, or n is [`ARGS_MAX`].
    #[doc(alias = "netcl_expression_differentiate")]
    pub fn differentiate(&self, input: u32) -> Result<Expression> {
        let mut gradient_out = ptr::null_mut();
        check(unsafe {
            sys::netcl_expression_differentiate(self.as_raw(), input, &mut gradient_out)
        })?;
        Ok(unsafe { Expression::take(gradient_out)? })
    }
}
