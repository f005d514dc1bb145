# Written by bindings/generator from include/netcl.h; changes here are lost.

"""
    expression_create(text)

Parses an elementwise expression. Inputs are v0, v1, .... Written in infix (\"relu(v0 + v1)
\\* 0.5\", C precedence, ?: included) or with macros (\"MUL(ADD(v0, v1), 2.0f)\"), freely
mixed. Functions: docs/expressions.md lists them with their error bounds. Literals take the
type of what they meet. INVALID\\_ARGUMENT naming the column and what was expected there.

Calls `netcl_expression_create`.
"""
function expression_create(text::Union{Nothing,AbstractString})
    expression = Ref{Ptr{Cvoid}}(C_NULL)
    @checked Raw.netcl_expression_create(c_text(:text, text), expression)
    return take(Expression, expression[])
end

"""
    expression_retain(expression)

Gives another Expression with a reference of its own to the same object.

Calls `netcl_expression_retain`.
"""
expression_retain(expression::Expression) = retain(expression)

"""
    expression_release(expression)

Gives the object's reference back at once, as `close` does. The object is of no more use.

Calls `netcl_expression_release`.
"""
expression_release(expression::Expression) = close(expression)

"""
    expression_get_arity(expression)

Gives the number of inputs: one more than the highest v used.

Calls `netcl_expression_get_arity`.
"""
function expression_get_arity(expression::Expression)
    arity = Ref{UInt32}(0)
    @checked Raw.netcl_expression_get_arity(expression, arity)
    return Int(arity[])
end

"""
    expression_get_text(expression)

Gives the expression in canonical infix form; parsing that gives the same expression.

Calls `netcl_expression_get_text`.
"""
function expression_get_text(expression::Expression)
    found = read_text() do place, room, extent
        return Raw.netcl_expression_get_text(expression, place, room, extent)
    end
    return found
end

"""
    expression_differentiate(expression, input)

Differentiates an expression of n inputs with respect to input `input`, one of 0 to n - 1.
The gradient is an expression of v0 ... v(n-1) and of vn, the gradient of what was made of
the result: vn times the partial derivative. docs/primitives.md has the derivative of each
function and what holds at kinks. What is not smooth anywhere, such as a comparison, an
integer operation or a cast to an integer, has derivative 0. INVALID\\_ARGUMENT when the
gradient would exceed the limits of an expression, or n is `NETCL_ARGS_MAX`.

Calls `netcl_expression_differentiate`.
"""
function expression_differentiate(expression::Expression, input::Integer)
    gradient = Ref{Ptr{Cvoid}}(C_NULL)
    @checked Raw.netcl_expression_differentiate(expression, input, gradient)
    return take(Expression, gradient[])
end
