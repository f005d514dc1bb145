# Models: each function once. What they compute is tested with the library.

"A file of ONNX: y = x + [1 2; 3 4], in the order of C."
model_file() = hex2bytes(
    "080812003a5d0a110a01780a01771201791a016122034164641201672a1b0802080210014201774a1000" *
    "00803f0000004000004040000080405a130a0178120e0a0c080112080a0208020a02080262130a0179120e0a0c080112080a0208020a02080242040a00100d")

@testset "models are loaded and run" begin
    mktemp() do path, io
        write(io, model_file())
        close(io)
        @test occursin("op Add: 1", Netcl.model_describe(path))
        loaded = Netcl.model_load(dev(), path; forms_most = 2)
        model = Netcl.model_load_memory(dev(), model_file())
        @test Netcl.model_get_input(model, 0).name == "x"
        @test Netcl.model_get_input(model, 0).dimensions == "[2, 2]"
        @test Netcl.model_get_output(model, 0).name == "y"
        @test Netcl.model_find_input(model, "x") == 0
        @test Netcl.model_find_output(model, "y") == 0
        @test_throws NetclError Netcl.model_find_input(model, "z")
        x = Netcl.tensor_create_from_host(dev(), :f32, (2, 2), Float32[10, 20, 30, 40])
        into = Netcl.tensor_create_from_host(dev(), :f32, (2, 2), zeros(Float32, 4))
        @test elements(only(Netcl.model_evaluate(model, (x,)))) == [11, 22, 33, 44]
        Netcl.model_run(loaded, (x,), (into,))
        @test elements(into) == [11, 22, 33, 44]
        @test occursin("1 steps", Netcl.model_explain(model, :text))
        @test Netcl.model_get_info(model).form_count == 1
    end
end
