# The ranks of the group programs: processes that meet at a path, with --threads devices of one process
# with a thread each, or with --mpi the processes that mpirun has started.

using Netcl
import Libdl

struct Rank
    group::Netcl.Group
    device::Netcl.Device
    index::Int
    size::Int
end

struct Ranks
    kind::Symbol                # :processes, :threads or :mpi
    size::Union{Nothing,Int}    # 4, or all processes of MPI, where it is not given
    selectors::Vector{String}   # rank r has number r, and they begin anew where there are fewer
    arguments::Vector{String}   # all of the program
end

"Takes `[--device SELECTOR]... [--threads | --mpi] [--ranks N]`, and gives what is left."
function read_ranks(arguments)
    kind, size, selectors, left = :processes, nothing, String[], String[]
    words = copy(arguments)
    while !isempty(words)
        word = popfirst!(words)
        if word == "--device"
            push!(selectors, popfirst!(words))
        elseif word == "--ranks"
            size = parse(Int, popfirst!(words))
            1 <= size <= 16 || error("--ranks is $size; it is 1 to 16")
        elseif word == "--threads" || word == "--mpi"
            kind = Symbol(word[3:end])
        else
            push!(left, word)
        end
    end
    isempty(selectors) && push!(selectors, "auto")
    return Ranks(kind, size, selectors, copy(arguments)), left
end

size_of(ranks) = ranks.size === nothing ? 4 : ranks.size
selector_of(ranks, index) = ranks.selectors[index % length(ranks.selectors) + 1]

"Runs the program, which is the file, once for each rank."
function run_ranks(program, ranks, file)
    if ranks.kind === :mpi
        run_mpi(program, ranks)
    elseif haskey(ENV, "NETCL_EXAMPLE_RANK")
        index = parse(Int, ENV["NETCL_EXAMPLE_RANK"])
        device = Netcl.Device(selector_of(ranks, index))
        group = Netcl.group_join(device, ENV["NETCL_EXAMPLE_MEETING"], index, size_of(ranks))
        program(Rank(group, device, index, size_of(ranks)))
        close(group)
    elseif ranks.kind === :processes
        start_processes(ranks, file)
    elseif Threads.nthreads() >= size_of(ranks)
        run_threads(program, ranks)
    else
        # Started again with as many threads, once: some builds of Julia give no more than there are
        # processors.
        haskey(ENV, "NETCL_EXAMPLE_THREADS") && error(
            "$(size_of(ranks)) ranks need as many threads, and Julia gives $(Threads.nthreads())")
        start(julia_of(file, ranks, `-t $(size_of(ranks))`), "NETCL_EXAMPLE_THREADS" => "1")
    end
end

julia_of(file, ranks, options = ``) =
    `$(Base.julia_cmd()) $options --startup-file=no --project=$(Base.active_project()) $file
     $(ranks.arguments)`

"Runs this program once more, with further variables in its environment."
function start(command, variables...)
    command = setenv(command, merge(Dict(ENV), Dict(variables...)))
    success(pipeline(command; stdout = stdout, stderr = stderr)) || error("a rank failed")
end

function start_processes(ranks, file)
    mktempdir() do folder
        @sync for index in 0:(size_of(ranks) - 1)
            @async start(julia_of(file, ranks), "NETCL_EXAMPLE_RANK" => string(index),
                         "NETCL_EXAMPLE_MEETING" => joinpath(folder, "meet"))
        end
    end
end

# A call of a group waits for the other ranks, and Julia collects garbage only when all of its threads
# have come to where they may stop, which one that waits in C does not: so nothing is collected before
# all ranks are done. What a program makes in a loop it closes by itself.
function run_threads(program, ranks)
    # Without `separate` all would be one device, which has one rank.
    devices = [Netcl.Device(selector_of(ranks, index); separate = true)
               for index in 0:(size_of(ranks) - 1)]
    groups = Netcl.group_create_local(devices)
    failures = Vector{Any}(nothing, length(groups))
    GC.enable(false)
    Threads.@threads for i in 1:length(groups)
        try
            program(Rank(groups[i], devices[i], i - 1, length(groups)))
        catch failure
            failures[i] = failure
        end
        # The others of a rank that fails do not wait for it.
        close(groups[i])
    end
    GC.enable(true)
    foreach(failure -> failure === nothing || throw(failure), failures)
end

# ---- MPI -------------------------------------------------------------------------------------------

# The same number in Open MPI and MPICH. A reducer's thread calls MPI beside its rank where messages go
# by MPI.
const MPI_THREAD_MULTIPLE = 3

function open_mpi()
    for name in ("libmpi", "libmpi.so.40", "libmpi.so.12", "libmpich.so.12")
        # Parts of MPI that are opened later find its functions.
        found = Libdl.dlopen(name, Libdl.RTLD_LAZY | Libdl.RTLD_GLOBAL; throw_error = false)
        found === nothing || return found
    end
    error("there is no libmpi.so")
end

expect_success(call, code) = code == 0 || error("$call gives $code")

"""
This process is one rank. MPI is begun, where the program has not begun it, such as by MPI.jl. A rank
that fails leaves it as it is, so that mpirun ends the others.
"""
function run_mpi(program, ranks)
    mpi = open_mpi()
    begun, level = Ref{Cint}(0), Ref{Cint}(0)
    initialized, init, finalize_mpi =
        Libdl.dlsym.(mpi, (:MPI_Initialized, :MPI_Init_thread, :MPI_Finalize))
    expect_success("MPI_Initialized", ccall(initialized, Cint, (Ptr{Cint},), begun))
    if begun[] == 0
        code = ccall(init, Cint, (Ptr{Cvoid}, Ptr{Cvoid}, Cint, Ptr{Cint}),
                     C_NULL, C_NULL, MPI_THREAD_MULTIPLE, level)
        expect_success("MPI_Init_thread", code)
        level[] >= MPI_THREAD_MULTIPLE || error("this MPI has no MPI_THREAD_MULTIPLE")
    end
    # A group of built-in devices tells which rank this is, and so which device it has.
    first = Netcl.group_create_mpi(Netcl.Device("builtin"), Netcl.MPI_WORLD)
    device = Netcl.Device(selector_of(ranks, Netcl.group_get_info(first).rank))
    close(first)
    group = Netcl.group_create_mpi(device, Netcl.MPI_WORLD)
    info = Netcl.group_get_info(group)
    ranks.size === nothing || ranks.size == info.size ||
        error("--ranks is not $(info.size), the processes of MPI")
    program(Rank(group, device, info.rank, info.size))
    close(group)
    begun[] == 0 && expect_success("MPI_Finalize", ccall(finalize_mpi, Cint, ()))
end
