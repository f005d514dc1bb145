# The heat equation on the unit square, u_t = u_xx + u_yy, held at 0 on the boundary.
#
# usage: julia --project=bindings/julia bindings/julia/examples/heat.jl [device]
#
# The start sin(pi x) sin(pi y) has the solution exp(-2 pi^2 t) sin(pi x) sin(pi y), so the error of
# the explicit five-point scheme is known: it falls four times when the spacing halves (and the time
# step with its square). The program ends with 1 if it does not. A step is one broadcast over views.

using Netcl

const END_TIME = 0.05
# Time step over spacing squared; stable up to 0.25. At 1/6 the leading errors would cancel.
const RATIO = 0.2

device = Netcl.device!(isempty(ARGS) ? "auto" : ARGS[1])
const T = Netcl.device_get_capabilities(device).fp64 != 0 ? Float64 : Float32
println(Netcl.device_get_info(device).name, ", ", T)

"Views of the inner points and of their four neighbours."
function stencil(u, n)
    inner, low, high = 2:n, 1:(n - 1), 3:(n + 1)
    return view(u, inner, inner), view(u, low, inner), view(u, high, inner),
           view(u, inner, low), view(u, inner, high)
end

# One kernel: everything between the dots. The inner part of one grid is made from the other.
step!(to, (u, north, south, west, east)) =
    to .= u .+ T(RATIO) .* (north .+ south .+ west .+ east .- 4 .* u)

function largest_error(n)
    steps = round(Int, END_TIME / (RATIO / n^2))
    points = range(0, 1; length = n + 1)
    start = T[sinpi(x) * sinpi(y) for x in points, y in points]
    start[[1, end], :] .= 0
    start[:, [1, end]] .= 0
    grids = NetclArray(start), NetclArray(start)
    views = map(grid -> stencil(grid, n), grids)
    for k in 1:steps
        from = isodd(k) ? 1 : 2
        step!(views[3 - from][1], views[from])
    end
    exact = exp(-2 * pi^2 * steps * RATIO / n^2) .* start
    return maximum(abs, Array(grids[isodd(steps) ? 2 : 1]) .- exact), steps
end

function main()
    sizes = T == Float64 ? (16, 32, 64) : (8, 16, 32)
    before = 0.0
    for n in sizes
        seconds = @elapsed (error, steps) = largest_error(n)
        println("  ", lpad(n, 3), " x ", rpad(n, 3), lpad(steps, 6), " steps  largest error ",
                round(error; sigdigits = 4),
                before == 0 ? "" : "  $(round(before / error; digits = 2)) times less",
                "  ", round(seconds; digits = 2), " s")
        if before != 0 && !(3.8 < before / error < 4.2)
            println("the error should fall four times")
            exit(1)
        end
        before = error
    end
    println("the error falls four times per refinement")
end
main()
