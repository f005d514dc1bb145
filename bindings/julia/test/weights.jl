# Files of named tensors: each function once. What they read is tested with the library.

@testset "weights are saved and opened" begin
    mktempdir() do folder
        path = joinpath(folder, "weights")
        a = Netcl.tensor_create_from_host(dev(), :f32, (2, 2), Float32[1, 2, 3, 4])
        b = Netcl.tensor_create_from_host(dev(), :i64, (), [7])
        Netcl.weights_save(
            path, :safetensors, ("a", "b"), (a, b); keys = ("format",), values = ("julia",)
        )
        weights = Netcl.weights_open(dev(), path)
        info = Netcl.weights_get_info(weights)
        @test info.tensor_count == 2
        @test info.metadata_count == 1
        @test Netcl.weights_get_metadata_key(weights, 0) == "format"
        @test Netcl.weights_get_metadata(weights, "format") == "julia"
        @test Netcl.weights_get_entry(weights, 0).name == "a"
        @test Netcl.weights_get_entry(weights, 0).type == "F32"
        @test Netcl.weights_find(weights, "b") == 1
        @test_throws NetclError Netcl.weights_find(weights, "c")
        @test length(weights) == 2
        @test keys(weights) == ["a", "b"]
        @test haskey(weights, "a") && !haskey(weights, "c")
        @test elements(weights["a"]) == [1, 2, 3, 4]
        Netcl.weights_save(path, :npz, ("a", "b"), (a, b))
        copied = Netcl.weights_open(dev(), path; map = :off)
        @test elements(Netcl.weights_get_tensor(copied, 0)) == [1, 2, 3, 4]
        @test elements(copied["b"]) == [7]
    end
end
