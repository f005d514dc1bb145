# Plans of functions of the user are kept as long as nothing can change what they do.

kept_plans() = length(Netcl.SETTLED)
const FIXED = 3f0
const CHANGING = Ref(3f0)
changing = 3f0
helper(v) = 2v + FIXED
settled_cases(s) = [
    v -> v * 2 + 1, v -> helper(v), v -> Netcl.relu(v) + Base.sin(v), v -> v * s, v -> clamp(v, 0f0, 1f0),
    v -> Netcl.select(v > 0, v, -v), function (v) w = v^2; w + oftype(w, 3) end]
unsettled_cases() = [v -> v * changing, v -> v * CHANGING[], v -> v + rand(Float32) * 0,
                     v -> v * Base.invokelatest(() -> 2f0)]

@testset "kept" begin
    A = Float32[-1, 0.5, 2]
    x = NetclArray(A)
    Netcl.empty_cache()
    for f in settled_cases(2f0)
        before = kept_plans()
        @test close_to(f.(x), f.(A)) && kept_plans() == before + 1
        @test close_to(f.(x), f.(A)) && kept_plans() == before + 1
    end
    # What a function captures tells it from others of its type.
    scaled(s) = v -> v * s
    @test Array(scaled(2f0).(x)) == 2A && Array(scaled(5f0).(x)) == 5A && Array(scaled(2f0).(x)) == 2A
    # So do the arrays that are the same.
    add(a, b) = a + 2b
    y = NetclArray(2A)
    @test Array(add.(x, y)) == A + 4A && Array(add.(x, x)) == 3A && Array(add.(y, x)) == 4A
    @test Array(helper.(x) .+ helper.(y)) == helper.(A) .+ helper.(2A)
    # Not in the tree's functions, but in the numbers.
    @test Array((v -> v + 1).(x .* 2f0)) == 2A .+ 1 && Array((v -> v + 1).(x .* 3f0)) == 3A .+ 1
end

@testset "not kept" begin
    x = NetclArray(Float32[1, 2])
    Netcl.empty_cache()
    for f in unsettled_cases()
        f.(x)
        @test kept_plans() == 0
    end
    by_global(v) = v * changing
    by_content(v) = v * CHANGING[]
    @test Array(by_global.(x)) == [3, 6] && Array(by_content.(x)) == [3, 6]
    global changing = 4f0
    CHANGING[] = 5f0
    @test Array(by_global.(x)) == [4, 8] && Array(by_content.(x)) == [5, 10]
    global changing = 3f0
    CHANGING[] = 3f0
end

redefined(v) = 2v
calls_redefined(v) = redefined(v) + 1
@testset "until a method is defined" begin
    x = NetclArray(Float32[1, 2])
    @test Array(calls_redefined.(x)) == [3, 5]
    @eval redefined(v) = 3v
    @test Base.invokelatest(() -> Array(calls_redefined.(x))) == [4, 7]
    @eval redefined(v) = 2v
end

# A function that goes on in its old world keeps nothing for the new one.
grows_old(v) = 2v
function in_an_old_world(x, z)
    z .= grows_old.(x)
    @eval grows_old(v) = 3v
    z .= grows_old.(x)
end
@testset "in an old world" begin
    x = NetclArray(Float32[1, 2])
    z = zero(x)
    @test Array(in_an_old_world(x, z)) == [2, 4]
    Base.invokelatest(() -> z .= grows_old.(x))
    @test Array(z) == [3, 6]
end
