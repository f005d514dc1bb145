# Processes of one host that meet at a path: the heat equation on a plate that is parted in blocks,
# and a matrix product of which each process holds a block of a, of b and of the result (SUMMA). Both
# are compared with what one device gives: not a bit may differ.
#
# usage: julia --project=bindings/julia bindings/julia/examples/group.jl [device] [ranks] [steps]
#
# Ranks are processes, not threads: a call waits for the other ranks, and Julia collects garbage only
# when all of its threads have stopped.

using Netcl

const SELECTOR = get(ARGS, 1, "auto")
const RANKS = parse(Int, get(ARGS, 2, "2"))
const STEPS = parse(Int, get(ARGS, 3, "50"))
const PROGRAM = @__FILE__
const HEIGHT, WIDTH, SIZE = 103, 151, 200

"As square a mesh as the ranks allow."
function mesh_of(ranks)
    rows = maximum(r for r in 1:ranks if r * r <= ranks && ranks % r == 0)
    return [rows, ranks ÷ rows]
end

shape_of(tensor) = collect(Netcl.tensor_get_info(tensor).shape[1:2])
host(tensor) = Array(NetclArray(tensor))

"into = one step from what `wide` has within its rim."
function step!(into, wide)
    rows, columns = shape_of(into)
    views = [Netcl.tensor_slice(wide, [Netcl.Range(top, rows, 1), Netcl.Range(left, columns, 1)])
             for (top, left) in [(1, 1), (0, 1), (2, 1), (1, 0), (1, 2)]]
    Netcl.op_expression_text("v0 + 0.2 * (v1 + v2 + v3 + v4 - 4 * v0)", views; into = into)
end

# Two hot spots.
start() = Float32[(y ÷ 25 == 1 && x ÷ 30 == 2) || (y > 75 && x < 20) ? 100 : x % 7
                  for y in 1:HEIGHT, x in 1:WIDTH]
# Multiples of 1/8, so that sums are exact however they are parted.
elements(factor) = Float32[((i * factor + j * 3) % 11 - 5) / 8 for i in 1:SIZE, j in 1:SIZE]

function heat(group, mesh)
    plate = NetclArray(start())
    sharded = [Netcl.sharded_create_from_root(group, plate, 0; mesh = mesh) for _ in 1:2]
    blocks = Netcl.sharded_get_block.(sharded)
    wide = Netcl.sharded_exchange_halo(sharded[1], [1, 1, 1, 1])
    for i in 1:STEPS
        from, to = isodd(i) ? (1, 2) : (2, 1)
        Netcl.sharded_exchange_halo(sharded[from], [1, 1, 1, 1]; into = wide)
        step!(blocks[to], wide)
    end
    last = sharded[isodd(STEPS) ? 2 : 1]
    Netcl.sharded_gather(last, plate, 0)
    return Array(plate), Netcl.sharded_explain(last)
end

function product(group, mesh)
    factors = [Netcl.sharded_create_from_root(group, NetclArray(elements(f)), 0; mesh = mesh)
               for f in (7, 5)]
    c = Netcl.sharded_matmul(factors[1], factors[2])
    whole = NetclArray(zeros(Float32, SIZE, SIZE))
    Netcl.sharded_gather(c, whole, 0)
    return Array(whole), Netcl.sharded_explain(c)
end

function alone()
    plate = NetclArray(start())
    rows, columns = shape_of(plate)
    wide = NetclArray(zeros(Float32, HEIGHT + 2, WIDTH + 2))
    inner = Netcl.tensor_slice(wide, [Netcl.Range(1, rows, 1), Netcl.Range(1, columns, 1)])
    for _ in 1:STEPS
        Netcl.op_copy(plate; into = inner)
        step!(plate, wide)
    end
    return Array(plate), host(Netcl.op_matmul(NetclArray(elements(7)), NetclArray(elements(5))))
end

function work(rank, path)
    device = Netcl.device!(SELECTOR)
    group = Netcl.group_join(device, path, rank, RANKS)
    mesh = mesh_of(RANKS)
    plate, of_heat = heat(group, mesh)
    c, of_product = product(group, mesh)
    Netcl.group_barrier(group)
    if rank == 0
        print(of_heat, of_product)
        (plate, c) == alone() || error("this is not what one device gives")
        println(RANKS, " ranks as ", mesh[1], " x ", mesh[2], ": as on one device, bit for bit")
    end
    close(group)
end

if haskey(ENV, "GROUP_RANK")
    work(parse(Int, ENV["GROUP_RANK"]), ENV["GROUP_PATH"])
else
    # This process starts the ranks, which are the same program.
    mktempdir() do folder
        project = Base.active_project()
        command = `$(Base.julia_cmd()) --startup-file=no --project=$project $PROGRAM
                   $SELECTOR $RANKS $STEPS`
        path = joinpath(folder, "meet")
        @sync for rank in 0:(RANKS - 1)
            own = Dict("GROUP_RANK" => string(rank), "GROUP_PATH" => path)
            @async run(setenv(command, merge(Dict(ENV), own)))
        end
    end
end
