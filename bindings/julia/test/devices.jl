# Devices, queues, events, and objects of OpenCL and DLPack.

@testset "lists" begin
    list = Netcl.devices()
    @test length(list) == Netcl.device_count()
    @test last(list).backend == Netcl.BACKEND_BUILTIN && last(list).type == Netcl.DEVICE_CPU
    @test last(list).index == length(list) - 1 && !isempty(last(list).name)
    fails(() -> Netcl.device_describe(typemax(UInt32)), Netcl.ERROR_NOT_FOUND)
    @test length(Netcl.device_diagnose()) > 10
end

@testset "devices" begin
    info, capabilities = Netcl.device_get_info(dev()), Netcl.device_get_capabilities(dev())
    @test capabilities.compute_units > 0
    @test capabilities.strategy in (Netcl.STRATEGY_PORTABLE, Netcl.STRATEGY_OPTIMIZED)
    again = Netcl.Device(SELECTOR[])
    @test again != dev() && Netcl.device_get_info(again).name == info.name
    separate = Netcl.Device(SELECTOR[]; separate = true)
    x = NetclArray(Float32[1, 2, 3]; device = separate)
    @test Netcl.device(x) === separate && Array(x .+ x) == [2, 4, 6]
    @test Netcl.device(similar(x)) === separate && Netcl.device(x .+ x) === separate
    y = NetclArray(x; device = dev())
    @test Netcl.device(y) === dev() && Array(y) == [1, 2, 3]
    @test Netcl.device_explain_copy(dev(), dev()).road == Netcl.COPY_ROAD_DEVICE
    explained = Netcl.device_explain_copy(dev(), separate)
    @test explained.road != Netcl.COPY_ROAD_DEVICE && !isempty(explained.reason)
    Netcl.device_finish(separate; timeout = 10)
    wait(separate)
    @test Netcl.device_retain(again) == again
    Netcl.device_release(again)
    @test !isopen(again)
    fails(() -> Netcl.Device("no such device"), Netcl.ERROR_NO_DEVICE, "no such device")
    fails(() -> Netcl.Device("cpu\0gpu"), Netcl.ERROR_INVALID_ARGUMENT, "selector has a NUL")
    local_size, rounded = Netcl.device_suggest_local_size(dev(), (1000, 7))
    @test all(rounded .% local_size .== 0) && all(rounded .>= (1000, 7))
    fails(() -> Netcl.device_suggest_local_size(dev(), ()), Netcl.ERROR_INVALID_ARGUMENT, "global")
    refused(() -> Netcl.device_suggest_local_size(dev(), zeros(Int, 100)))
end

@testset "the default device" begin
    before = dev()
    index = Netcl.device_get_info(before).index
    @test Netcl.device_get_info(Netcl.device!(index)).name == Netcl.device_get_info(before).name
    @test Netcl.device!(before) === before
    refused(() -> Netcl.device!(Netcl.device_count()))
    x = Netcl.device!(() -> NetclArray([1f0]), "builtin")
    @test Netcl.device_get_info(Netcl.device(x)).backend == Netcl.BACKEND_BUILTIN
    @test_throws ErrorException Netcl.device!(() -> error("within"), "builtin")
    @test dev() === before
    y = NetclArray([1f0, 2f0])
    @test wait([y, y .+ 1f0]) === nothing
    @test dev() === before
    # Where none fits NETCL_DEVICE, versioninfo still tells which there are, and why none does.
    Netcl.DEFAULT_DEVICE[] = nothing
    text = withenv(() -> sprint(Netcl.versioninfo), "NETCL_DEVICE" => "there is none")
    Netcl.device!(before)
    @test !occursin("* ", text) && occursin(Netcl.device_get_info(before).name, text)
    @test occursin("there is no default device: ", text) && occursin("\"there is none\"", text)
end

@testset "what one asks first" begin
    text = sprint(Netcl.versioninfo)
    @test occursin("netcl $(Netcl.library_get_info().version)", text)
    mine = Netcl.device_get_info(dev())
    @test occursin("* $(mine.index): $(mine.name)", text)
    @test count("\n", text) == 1 + Netcl.device_count()
    # One line for each in a list, and all that is known of one by itself.
    @test sprint(show, mine) == "$(mine.index): $(mine.name) ($(mine.platform_name), $(mine.driver_version))"
    @test occursin("uuid = ", sprint(show, MIME"text/plain"(), mine))
    @test !occursin("0x00", sprint(show, Netcl.devices()))
    x = Netcl.ones(Float32, 1000)
    text = sprint(io -> Netcl.memory_status(dev(), io))
    @test occursin("persistent", text) && occursin("in use", text) && count("\n", text) == 3
    @test Netcl.synchronize() === nothing && Netcl.synchronize(x) === nothing
    @test Netcl.synchronize(Netcl.device_get_queue(dev()); timeout = 10) === nothing
    # The value of an expression, which may make variables.
    @test sum(Netcl.@sync y = x .+ 1) == 2000 && sum(y) == 2000
    event = Ref{Netcl.Event}()
    @test Netcl.@elapsed(Netcl.op_copy(x; event = event)) > 0
    @test Netcl.event_query(event[]) == Netcl.EVENT_COMPLETE
    @test Netcl.@allowscalar(x[7]) === 1f0
    throws(() -> x[7], ArgumentError, "transfer of its own")
    @test sizeof(x) == 4000
    throws(() -> reinterpret(Int32, x), ArgumentError, "makes a copy")
end

@testset "queues and events" begin
    plain = Netcl.queue_create(dev())
    queue = Netcl.queue_create(dev(); profiling = true)
    @test Netcl.queue_get_info(queue).profiling && !Netcl.queue_get_info(queue).foreign
    @test Netcl.device_get_info(Netcl.queue_get_device(queue)).name ==
          Netcl.device_get_info(dev()).name
    x = Netcl.fill(1.5f0, 4096)
    done = Ref{Netcl.Event}()
    Netcl.op_copy(x; queue = queue, event = done)
    Netcl.queue_flush(queue)
    wait(done[])
    @test Netcl.event_query(done[]) == Netcl.EVENT_COMPLETE
    @test Netcl.event_get_error(done[]).status == Netcl.OK
    timing = Netcl.event_get_timing(done[])
    @test timing.queued_ns <= timing.started_ns <= timing.ended_ns
    @test Netcl.elapsed(done[]) == timing.ended_ns - timing.started_ns
    Netcl.queue_finish(queue)
    wait(queue; timeout = 100)
    @test Netcl.queue_get_info(queue).commands >= 1
    Netcl.queue_set_profiling(plain, true)
    Netcl.queue_set_profiling(plain, false)
    marker = Netcl.queue_enqueue_marker(plain, [done[], done[]])
    Netcl.event_wait(marker; timeout = 60)
    fails(() -> Netcl.event_get_timing(marker), Netcl.ERROR_NOT_PROFILED)
    events = [Netcl.queue_enqueue_marker(plain, ()) for _ in 1:20]
    wait(Netcl.queue_enqueue_marker(plain, events))
    @test all(e -> Netcl.event_query(e) == Netcl.EVENT_COMPLETE, events)
    @test Netcl.event_retain(marker) == marker && Netcl.queue_retain(queue) == queue
    fails(() -> wait(marker; timeout = -1), Netcl.ERROR_INVALID_ARGUMENT, "timeout")
    fails(() -> wait(marker; timeout = NaN), Netcl.ERROR_INVALID_ARGUMENT, "timeout")
    wait(x)
    Netcl.tensor_wait(x; timeout = 5)
    # Results go to the queue that is asked for, and later work sees them.
    y = Netcl.op_expression_text("v0 * 2", x; queue = queue, waits = [marker])
    @test Array(y) == fill(3f0, 4096)
end

@testset "objects of OpenCL" begin
    own = Netcl.device_get_queue(dev())
    marker = Netcl.queue_enqueue_marker(own, ())
    x = NetclArray(Float32[1, 2, 3, 4])
    memory = Netcl.tensor_get_buffer(x)
    if is_opencl()
        context, id = Netcl.device_get_cl_context(dev()), Netcl.device_get_cl_device(dev())
        wrapped = Netcl.unsafe_device_open_from_cl(context, id, Netcl.queue_get_cl_queue(own))
        @test Array(NetclArray([1 2; 3 4]; device = wrapped)) == [1 2; 3 4]
        Netcl.device_finish(Netcl.unsafe_device_open_from_cl(context, id, C_NULL))
        queue = Netcl.unsafe_queue_create_from_cl(dev(), Netcl.queue_get_cl_queue(own))
        @test Netcl.queue_get_info(queue).foreign
        event = Netcl.unsafe_event_create_from_cl(dev(), Netcl.event_get_cl_event(marker))
        wait(event)
        mem = Netcl.buffer_get_cl_mem(memory)
        t = Netcl.unsafe_tensor_create_from_cl(dev(), mem, 4, :f32, 2)
        @test Array(NetclArray(t)) == [2, 3]
    else
        for call in (() -> Netcl.device_get_cl_context(dev()),
                     () -> Netcl.device_get_cl_device(dev()),
                     () -> Netcl.queue_get_cl_queue(own), () -> Netcl.event_get_cl_event(marker),
                     () -> Netcl.buffer_get_cl_mem(memory))
            fails(call, Netcl.ERROR_UNSUPPORTED)
        end
    end
    refused(() -> Netcl.unsafe_device_open_from_cl(C_NULL, C_NULL, C_NULL))
    refused(() -> Netcl.unsafe_queue_create_from_cl(dev(), C_NULL))
    refused(() -> Netcl.unsafe_event_create_from_cl(dev(), C_NULL))
    refused(() -> Netcl.unsafe_tensor_create_from_cl(dev(), C_NULL, 0, :f32, 2))
    refused(() -> Netcl.unsafe_tensor_create_from_dlpack(dev(), C_NULL))
end

@testset "DLPack" begin
    x = NetclArray(Float32[1 2 3; 4 5 6])
    managed = Netcl.tensor_to_dlpack(x; timeout = 10)
    y = Netcl.unsafe_tensor_create_from_dlpack(dev(), managed)
    @test Array(NetclArray(y)) == Array(x)
    managed = Netcl.tensor_to_dlpack(x)
    # The last member is the deleter, which the owner calls.
    deleter = unsafe_load(Ptr{Ptr{Cvoid}}(managed + 56))
    ccall(deleter, Cvoid, (Ptr{Cvoid},), managed)
end
