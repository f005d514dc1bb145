# The heat equation on a plate that is parted in blocks among the ranks of a group, and a matrix product
# of which each rank holds a block of a, of b and of the result (SUMMA). Both are compared with what one
# device gives: not a bit may differ.
#
# usage: julia --project=bindings/julia bindings/julia/examples/group.jl [--device SELECTOR]...
#            [--threads | --mpi] [--ranks N] [STEPS]
#
# Ranks are processes that meet at a path, or, with --threads, devices of one process with a thread each.
# With --mpi they are the processes of mpirun: mpirun -np 4 julia --project=... group.jl --mpi

include("ranks.jl")

const RANKS, WORDS = read_ranks(ARGS)
const STEPS = parse(Int, get(WORDS, 1, "50"))
const HEIGHT, WIDTH, SIZE = 103, 151, 200

"As square a mesh as the ranks allow."
function mesh_of(size)
    rows = maximum(r for r in 1:size if r * r <= size && size % r == 0)
    return [rows, size ÷ rows]
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

function heat(rank, mesh)
    plate = NetclArray(start(); device = rank.device)
    sharded = [Netcl.sharded_create_from_root(rank.group, plate, 0; mesh = mesh) for _ in 1:2]
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

function product(rank, mesh)
    on_device(A) = NetclArray(A; device = rank.device)
    factors = [Netcl.sharded_create_from_root(rank.group, on_device(elements(f)), 0; mesh = mesh)
               for f in (7, 5)]
    c = Netcl.sharded_matmul(factors[1], factors[2])
    whole = on_device(zeros(Float32, SIZE, SIZE))
    Netcl.sharded_gather(c, whole, 0)
    return Array(whole), Netcl.sharded_explain(c)
end

function alone(device)
    plate, wide, a, b = (NetclArray(A; device = device) for A in
                         (start(), zeros(Float32, HEIGHT + 2, WIDTH + 2), elements(7), elements(5)))
    rows, columns = shape_of(plate)
    inner = Netcl.tensor_slice(wide, [Netcl.Range(1, rows, 1), Netcl.Range(1, columns, 1)])
    for _ in 1:STEPS
        Netcl.op_copy(plate; into = inner)
        step!(plate, wide)
    end
    return Array(plate), host(Netcl.op_matmul(a, b))
end

function work(rank)
    mesh = mesh_of(rank.size)
    plate, of_heat = heat(rank, mesh)
    c, of_product = product(rank, mesh)
    Netcl.group_barrier(rank.group)
    rank.index == 0 || return
    print(of_heat, of_product)
    (plate, c) == alone(rank.device) || error("this is not what one device gives")
    println(rank.size, " ranks as ", mesh[1], " x ", mesh[2], ": as on one device, bit for bit")
end

run_ranks(work, RANKS, @__FILE__)
