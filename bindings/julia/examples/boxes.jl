# Lines of text in a map of how much each pixel belongs to one, as examples/model/boxes.h finds them:
# the smallest rectangle, at any angle, around each connected part. Points are complex numbers.
# Nothing here concerns netcl.

"A corner, the way along the text and the way down, in pixels."
struct Box
    corner::ComplexF64
    along::ComplexF64
    down::ComplexF64
end

# What PP-OCR takes: odds of a pixel, mean odds of a part, how much a box is widened.
const PIXEL_LEAST, PART_LEAST, WIDEN, SIDE_LEAST = 0.3f0, 0.5, 1.6, 3.0

stretched(z, x, y) = complex(x * real(z), y * imag(z))

"The hull of points that are sorted by x, then y."
function hull_of(points)
    bends(a, b, c) = imag(conj(b - a) * (c - a)) > 0
    hull = ComplexF64[]
    for (half, least) in ((points, 0), (reverse(points)[2:end], -1))
        least == 0 || (least = length(hull) - 1)
        for point in half
            while length(hull) >= least + 2 && !bends(hull[end-1], hull[end], point)
                pop!(hull)
            end
            push!(hull, point)
        end
    end
    return length(hull) > 1 ? hull[1:end-1] : hull
end

"The rectangle around points along a direction of length 1."
function around(points, way)
    turned = conj(way) .* points
    low = complex(minimum(real.(turned)), minimum(imag.(turned)))
    high = complex(maximum(real.(turned)), maximum(imag.(turned)))
    return Box(way * low, way * real(high - low), im * way * imag(high - low))
end

area(box) = abs(box.along) * abs(box.down)

"The smallest rectangle: one of its sides lies on the hull."
function smallest_around(hull)
    best = around(hull, 1.0 + 0im)
    length(hull) > 2 || return best
    for (from, to) in zip(hull, circshift(hull, -1))
        from == to && continue
        way = (to - from) / abs(to - from)
        # Text runs to the right, at 45 degrees at most; what stands is turned when it is read.
        while !(real(way) > 0 && abs(imag(way)) <= real(way))
            way *= im
        end
        found = around(hull, way)
        area(found) < area(best) && (best = found)
    end
    return best
end

"""
A box around the middles of pixels, larger by half a pixel and then by its area over its perimeter
on each side.
"""
function widened(box)
    along, down = abs(box.along), abs(box.down)
    by = 0.5 + WIDEN * (along + 1) * (down + 1) / (2 * (along + down + 2))
    a, d = box.along * by / along, box.down * by / down
    return Box(box.corner + 0.5 + 0.5im - a - d, box.along + 2a, box.down + 2d)
end

"Takes the part that a place belongs to out of the map; its places."
function take_part!(left, start)
    left[start] = false
    places, all = [start], CartesianIndices(left)
    for place in places, at in place-CartesianIndex(1, 1):place+CartesianIndex(1, 1)
        at in all && left[at] || continue
        left[at] = false
        push!(places, at)
    end
    return places
end

"The box of a part; nothing when it is too small or too unlikely."
function box_of_part(odds, places)
    points = sort([complex(p[1] - 1.0, p[2] - 1.0) for p in places]; by = z -> (real(z), imag(z)))
    box = smallest_around(hull_of(points))
    good = sum(odds[places]) >= PART_LEAST * length(places) &&
           min(abs(box.along), abs(box.down)) >= SIDE_LEAST
    return good ? widened(box) : nothing
end

"From the top, and from the left where lines are level."
function is_before(a, b)
    level = 0.5 * min(abs(a.down), abs(b.down))
    apart = imag(a.corner) - imag(b.corner)
    return abs(apart) < level ? real(a.corner) < real(b.corner) : apart < 0
end

"""
All lines of a map, whose first index is x, in the order of reading, with coordinates of a picture.
"""
function find_boxes(odds, height, width)
    left, boxes = odds .> PIXEL_LEAST, Box[]
    x, y = width / size(odds, 1), height / size(odds, 2)
    for start in CartesianIndices(odds)
        left[start] || continue
        found = box_of_part(odds, take_part!(left, start))
        found === nothing && continue
        box = Box(stretched(found.corner, x, y), stretched(found.along, x, y),
                  stretched(found.down, x, y))
        place = something(findlast(other -> !is_before(box, other), boxes), 0)
        insert!(boxes, place + 1, box)
    end
    return boxes
end

"""
The pixels of a box as a picture of their own, each from four neighbours. What stands, half as high
again as wide, is laid on its side.
"""
function cut_out(picture, box)
    if abs(box.down) >= 1.5 * abs(box.along)
        box = Box(box.corner + box.along, box.down, -box.along)
    end
    width, height = max(1, floor(Int, abs(box.along))), max(1, floor(Int, abs(box.down)))
    pixels = reshape(picture.samples, picture.channels, picture.width, picture.height)
    made = zeros(UInt8, picture.channels, width, height)
    for y in 1:height, x in 1:width
        at = box.corner + (x - 0.5) / width * box.along + (y - 0.5) / height * box.down
        at = complex(clamp(real(at) - 0.5, 0, picture.width - 1),
                     clamp(imag(at) - 0.5, 0, picture.height - 1))
        x0, y0 = floor(Int, real(at)), floor(Int, imag(at))
        x1, y1 = min(x0 + 1, picture.width - 1), min(y0 + 1, picture.height - 1)
        fx, fy = real(at) - x0, imag(at) - y0
        for c in 1:picture.channels
            top = pixels[c, x0+1, y0+1] * (1 - fx) + pixels[c, x1+1, y0+1] * fx
            bottom = pixels[c, x0+1, y1+1] * (1 - fx) + pixels[c, x1+1, y1+1] * fx
            made[c, x, y] = floor(UInt8, top * (1 - fy) + bottom * fy + 0.5)
        end
    end
    return Picture(height, width, picture.channels, vec(made))
end

function turned_round(picture)
    pixels = reshape(picture.samples, picture.channels, :)
    return Picture(picture.height, picture.width, picture.channels, vec(pixels[:, end:-1:1]))
end
