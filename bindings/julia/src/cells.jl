# The printing of vectors and matrices for Julia before 1.9, which compiles that of Base anew in each
# process: half a second for a first display. This gives the same text. Its types are inferred when the
# package is compiled, and only `cells_of` is compiled for each type of elements.

# ---- The text of one element ---------------------------------------------------------------------

text_of(io::IO, x) = sprint(show, x; context = io)
# Base takes a third of a second to compile these. The shortest digits that give the number again are
# found by trying: `least` always tell a decimal from its neighbours, `most` are always enough;
# subnormal numbers have less. Left to Base are powers of two, whose neighbours are not equally far, and
# large whole numbers in short, which it rounds otherwise.
const FORMATS = ["%.$(digits - 1)e" for digits in 1:9]
text_of(io::IO, x::Float32) = short_text(io, x, 6, 9)
text_of(io::IO, x::Float16) = short_text(io, x, 3, 5)
function short_text(io::IO, x::Union{Float16,Float32}, least::Int, most::Int)
    isnan(x) && return "NaN"
    isinf(x) && return x > 0 ? "Inf" : "-Inf"
    iszero(x) && return signbit(x) ? "-0.0" : "0.0"
    compact = get(io, :compact, false)::Bool
    (significand(x) in (1, -1) && !(0.02 < abs(x) < 1e4) || compact && abs(x) >= 1e6) &&
        return sprint(show, x; context = io)
    place = Vector{UInt8}(undef, 32)
    for digits in (issubnormal(x) ? 1 : least):most
        count = ccall(:snprintf, Cint, (Ptr{UInt8}, Csize_t, Ptr{UInt8}, Cdouble...),
                      place, length(place), FORMATS[digits], Float64(x))
        text = String(place[1:count])
        again = typeof(x)(ccall(:strtod, Cdouble, (Cstring, Ptr{Cvoid}), text, C_NULL))
        (again == x || digits == most || compact && digits == 6) &&
            return laid_out(text, Float64(x), least, x isa Float32 ? "f" : "e")
    end
end

"-1.2340e+02 as Julia writes it: -123.4. Numbers of more than `most` digits have an exponent."
function laid_out(text::String, x::Float64, most::Int, mark::String)
    sign = signbit(x) ? "-" : ""
    at = findfirst(isequal('e'), text)::Int
    exponent = parse(Int, text[(at + 1):end])
    digits = String(rstrip(filter(isdigit, text[1:(at - 1)]), '0'))
    point, n = exponent + 1, length(digits)
    # So has one of which a fraction was rounded away.
    whole(by) = abs(mod(x + 0.05, 10.0^by) - 0.05) <= 0.05
    if -4 < point <= most && (point < n || whole(point - n))
        point <= 0 && return string(sign, "0.", "0"^(-point), digits)
        point >= n && return string(sign, digits, "0"^(point - n), ".0")
        return string(sign, digits[1:point], ".", digits[(point + 1):end])
    end
    return string(sign, digits[1:1], ".", n == 1 ? "0" : digits[2:end], mark, exponent)
end

# ---- Rows and columns ----------------------------------------------------------------------------

cells_of(io::IO, x, rows, columns) = String[text_of(io, x[i, j]) for i in rows, j in columns]

"What is in front of the point, or of the exponent, and the rest."
function widths(cell::String)
    at = findfirst(c -> c in ('.', 'e', 'E', 'f', 'F'), cell)
    return at === nothing || startswith(cell, "0x") ? (length(cell), 0) : (at - 1, length(cell) - at + 1)
end

"The widths of the columns that fit, beginning with the first of `columns`."
function widths_of(cells::Matrix{String}, columns, room::Int, total::Int)
    found = Tuple{Int,Int}[]
    taken() = sum(map(sum, found)) + 2 * length(found)
    for j in columns
        left = right = 0
        for i in 1:size(cells, 1)
            a, b = widths(cells[i, j])
            left, right = max(left, a), max(right, b)
        end
        push!(found, (left, right))
        length(found) > 1 && taken() >= room && (pop!(found); break)
    end
    if 1 < length(found) < total
        while taken() >= room
            pop!(found)
        end
    end
    return found
end

function print_row(io::IO, cells::Matrix{String}, i, columns, found)
    for (k, j) in enumerate(columns)
        k > length(found) && break
        left, right = widths(cells[i, j])
        print(io, " "^(found[k][1] - left), cells[i, j])
        j == size(cells, 2) || print(io, " "^(found[k][2] - right))
        k < length(found) && print(io, "  ")
    end
end

const ACROSS, DOWN, ASLANT, EVERY = "  …  ", "⋮", "  ⋱  ", 5
function print_dots(io::IO, found, at::Int, to_the_end::Bool)
    for (k, (left, right)) in enumerate(found)
        if k % EVERY == at
            print(io, " "^max(0, left - 1), DOWN)
            k == length(found) && !to_the_end || print(io, " "^max(0, left + right - max(left, 1)))
        elseif k != length(found) || to_the_end
            print(io, " "^(left + right))
        end
        k < length(found) && print(io, "  ")
    end
end

"The cells with room for all rows, or for those above and below `half`."
function print_cells(io::IO, cells::Matrix{String}, rows, half::Int, n::Int, width::Int)
    last_row, count = size(cells)
    found, ends = widths_of(cells, 1:count, width, n), Tuple{Int,Int}[]
    if n > length(found)
        room = div(width - length(ACROSS) + 1, 2) + 1
        ends = reverse(widths_of(cells, count:-1:1, room, n))
        room = width - sum(map(sum, ends)) - 2 * (length(ends) - 1) - length(ACROSS)
        found = widths_of(cells, 1:count, room, n)
    end
    for i in 1:last_row
        print(io, " ")
        print_row(io, cells, i, 1:count, found)
        if !isempty(ends)
            print(io, (rows[i] - 1) % EVERY == 0 ? ACROSS : " "^length(ACROSS))
            print_row(io, cells, i, (count - length(ends) + 1):count, ends)
        end
        i == last_row || println(io)
        i == half || continue
        print(io, " ")
        print_dots(io, found, 1, !isempty(ends))
        if !isempty(ends)
            print(io, ASLANT)
            print_dots(io, ends, mod(length(ends) - n + 1, EVERY), false)
        end
        println(io)
    end
end

"Prints what Base.print_array prints."
function print_elements(io::IO, x)
    height, width = get(io, :limit, false)::Bool ? displaysize(io) : (typemax(Int), typemax(Int))
    height, width = height - 4, width - 1
    # Where there is next to no room, or more than two dimensions, by Base.
    VERSION < v"1.9" && ndims(x) in 1:2 && height > 2 && width > 10 || return Base.print_array(io, x)
    m, n = size(x, 1), size(x, 2)
    half = m > height ? div(height, 2) : 0
    rows = half > 0 ? [1:half; (m - div(height - 1, 2) + 1):m] : collect(1:m)
    most = div(width, 3)
    columns = n > most ? [1:most; (n - most + 1):n] : collect(1:n)
    return print_cells(io, cells_of(io, x, rows, columns), rows, half, n, width)
end
