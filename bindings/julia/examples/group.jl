# The heat equation on a plate that is parted in blocks among the ranks of a group, and a matrix product
# of which each rank holds a block of a, of b and of the result (SUMMA), and none has more. The plate is
# compared with what one device gives, elements of the product with their sums: not a bit may differ.
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
element(factor, i, j) = Float32(((i * factor + j * 3) % 11 - 5) / 8)

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

# Makes a block of each factor and multiplies. Then it works out some elements of this rank's block of
# the product by itself.
function product(rank, mesh)
    place = Netcl.group_describe_block(rank.group, rank.index, [SIZE, SIZE]; mesh = mesh)
    rows, columns = (first + 1:first + extent for (first, extent) in
                     zip(place.first[1:2], place.shape[1:2]))
    factors = map((7, 5)) do factor
        block = NetclArray(Float32[element(factor, i, j) for i in rows, j in columns];
                           device = rank.device)
        Netcl.sharded_create(rank.group, block, [SIZE, SIZE]; mesh = mesh)
    end
    c = Netcl.sharded_matmul(factors...)
    block = host(Netcl.sharded_get_block(c))
    for k in 1:17:length(block)
        at = CartesianIndices(block)[k]
        i, j = rows[at[1]], columns[at[2]]
        total = sum(element(7, i, d) * element(5, d, j) for d in 1:SIZE)
        block[k] == total || error("element [$i, $j] of the product is $(block[k]), not $total")
    end
    return Netcl.sharded_explain(c)
end

function alone(device)
    plate, wide = (NetclArray(A; device = device) for A in
                   (start(), zeros(Float32, HEIGHT + 2, WIDTH + 2)))
    rows, columns = shape_of(plate)
    inner = Netcl.tensor_slice(wide, [Netcl.Range(1, rows, 1), Netcl.Range(1, columns, 1)])
    for _ in 1:STEPS
        Netcl.op_copy(plate; into = inner)
        step!(plate, wide)
    end
    return Array(plate)
end

function work(rank)
    mesh = mesh_of(rank.size)
    plate, of_heat = heat(rank, mesh)
    of_product = product(rank, mesh)
    Netcl.group_barrier(rank.group)
    rank.index == 0 || return
    print(of_heat, of_product)
    plate == alone(rank.device) || error("this is not what one device gives")
    println(rank.size, " ranks as ", mesh[1], " x ", mesh[2], ": as on one device, bit for bit")
end

run_ranks(work, RANKS, @__FILE__)
