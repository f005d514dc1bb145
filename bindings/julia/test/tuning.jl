# Parameter spaces and configurations.

@testset "spaces" begin
    capabilities = Netcl.device_get_capabilities(dev())
    space = Netcl.space_create()
    Netcl.space_add_ints(space, "TILE", [8, 16, 32])
    Netcl.space_add_floats(space, "SCALE", (0.5, 1.5))
    Netcl.space_add_bool(space, "FAST")
    Netcl.space_add_texts(space, "MODE", ["rows", "columns"])
    Netcl.space_add_constraint(space, "TILE <= 16 or FAST")
    @test Netcl.space_get_count(space, nothing) == 20
    @test Netcl.space_get_count(space, capabilities) == 20
    config = Netcl.space_get_config(space, capabilities, 0)
    @test Netcl.config_get_int(config, "TILE") == 8 && Netcl.config_get_int(config, "FAST") == 0
    @test Netcl.config_get_float(config, "SCALE") == 0.5
    @test Netcl.config_get_text(config, "MODE") == "rows"
    @test occursin("\"TILE\"", Netcl.config_get_json(config))
    @test Netcl.space_explain(space, capabilities, config) == ""
    fails(() -> Netcl.space_get_config(space, capabilities, 20), Netcl.ERROR_NOT_FOUND)
    fails(() -> Netcl.config_get_int(config, "NONE"), Netcl.ERROR_NOT_FOUND, "TILE")
    fails(() -> Netcl.config_get_int(config, "MODE"), Netcl.ERROR_INVALID_ARGUMENT)
    wrong = Netcl.config_create_from_json(
        "{\"TILE\": 32, \"SCALE\": 0.5, \"FAST\": false, \"MODE\": \"rows\"}")
    @test occursin("TILE", Netcl.space_explain(space, capabilities, wrong))
    fails(() -> Netcl.space_add_constraint(space, "TILE <="), Netcl.ERROR_INVALID_ARGUMENT)
    Netcl.space_set_work_size(space, "ceil(global_x / TILE) * TILE", "TILE")
    Netcl.space_set_work_size(space, "TILE", nothing)
    fails(() -> Netcl.space_set_work_size(space, nothing, "TILE *"), Netcl.ERROR_INVALID_ARGUMENT,
          "local_size")
    refused(() -> Netcl.space_add_ints(space, "TILE", [1]))
    refused(() -> Netcl.space_add_ints(space, "EMPTY", []))
    refused(() -> Netcl.space_add_texts(space, "A B", ["x"]))
    fails(() -> Netcl.space_add_texts(space, "C", "text"), Netcl.ERROR_INVALID_ARGUMENT, "list")
    refused(() -> Netcl.config_create_from_json("{"))
    fails(() -> Netcl.space_create_from_t1("{}"), Netcl.ERROR_CORRUPT_DATA)
    @test Netcl.space_retain(space) == space && Netcl.config_retain(config) == config
end

@testset "databases" begin
    folder = mktempdir()
    path = joinpath(folder, "tuning.jsonl")
    database = Netcl.tuning_database_open(path)
    config = Netcl.config_create_from_json("{\"TILE\": 16}")
    key(n) = Netcl.TuningKey(kernel = "product", dtypes = "f32,f32", shape = (n, n), shape_count = 2)
    record = Netcl.TuningRecord(kind = Netcl.TUNING_RECORD_BEST, median = 125.0, samples_count = 9,
                                reason = "the fastest", outcome = Netcl.Outcome(0))
    found, none = Netcl.tuning_database_lookup(database, dev(), key(64))
    @test found.match == Netcl.MATCH_NONE && none === nothing
    Netcl.tuning_database_put(database, dev(), key(64), config, record)
    found, best = Netcl.tuning_database_lookup(database, dev(), key(64))
    @test found.match == Netcl.MATCH_EXACT && found.median == 125 && found.reason == "the fastest"
    @test found.shape[1:2] == (64, 64) && found.part == Netcl.device_get_part(dev())
    @test Netcl.config_get_int(best, "TILE") == 16
    @test Netcl.tuning_database_lookup(database, dev(), key(96))[1].match ==
          Netcl.MATCH_NEAREST_SHAPE
    @test Netcl.tuning_database_lookup(database, nothing, key(64))[1].match == Netcl.MATCH_NONE
    info = Netcl.tuning_database_get_info(database)
    @test info.records == 1 && info.path == path && info.reason == ""
    listed, again = Netcl.tuning_database_get_record(database, 0)
    @test listed.kernel == "product" && Netcl.config_get_int(again, "TILE") == 16
    @test Netcl.device_match_record(dev(), listed) == Netcl.MATCH_EXACT
    fails(() -> Netcl.tuning_database_get_record(database, 1), Netcl.ERROR_NOT_FOUND)
    other = Netcl.tuning_database_open(":memory:")
    @test Netcl.tuning_database_merge(other, path) == 1
    @test occursin("product", Netcl.tuning_database_export(other, nothing, :csv))
    fails(() -> Netcl.tuning_database_export(other, nothing, :text), Netcl.ERROR_UNSUPPORTED)
    Netcl.tuning_database_refresh(database)
    Netcl.tuning_database_compact(database)
    Netcl.tuning_database_clear(database, "product")
    @test Netcl.tuning_database_get_info(database).records == 0
    @test Netcl.tuning_database_retain(other) == other
    fails(() -> Netcl.tuning_database_put(other, dev(), Netcl.TuningKey(), config, record),
          Netcl.ERROR_INVALID_ARGUMENT, "kernel")
    @test Netcl.tuning_database_open(nothing) isa Netcl.TuningDatabase
end
