# Written by bindings/generator from include/netcl.h; changes here are lost.

"""
    config_create_from_json(text)

Makes a configuration from JSON, {\"TILE\": 16, \"MODE\": \"fast\"}; it need not be valid
anywhere. CORRUPT\\_DATA for what is no such object, and for a NUL in a name or a text.

Calls `netcl_config_create_from_json`.
"""
function config_create_from_json(text::AbstractString)
    text_text = String(text)
    config = Ref{Ptr{Cvoid}}(C_NULL)
    @checked Raw.netcl_config_create_from_json(text_text, sizeof(text_text), config)
    return take(Config, config[])
end

"""
    config_retain(config)

Gives another Config with a reference of its own to the same object.

Calls `netcl_config_retain`.
"""
config_retain(config::Config) = retain(config)

"""
    config_release(config)

Gives the object's reference back at once, as `close` does. The object is of no more use.

Calls `netcl_config_release`.
"""
config_release(config::Config) = close(config)

"""
    config_get_int(config, name)

Gives an integer or bool by name. NOT\\_FOUND naming the parameters there are,
INVALID\\_ARGUMENT when the value is of another type; so for the next two.

Calls `netcl_config_get_int`.
"""
function config_get_int(config::Config, name::Union{Nothing,AbstractString})
    value = Ref{Int64}(0)
    @checked Raw.netcl_config_get_int(config, c_text(:name, name), value)
    return Int(value[])
end

"""
    config_get_float(config, name)

Gives a number by name.

Calls `netcl_config_get_float`.
"""
function config_get_float(config::Config, name::Union{Nothing,AbstractString})
    value = Ref{Float64}(0)
    @checked Raw.netcl_config_get_float(config, c_text(:name, name), value)
    return value[]
end

"""
    config_get_text(config, name)

Gives a text by name.

Calls `netcl_config_get_text`.
"""
function config_get_text(config::Config, name::Union{Nothing,AbstractString})
    found = read_text() do place, room, extent
        return Raw.netcl_config_get_text(config, c_text(:name, name), place, room, extent)
    end
    return found
end

"""
    config_get_json(config)

Gives all values as JSON.

Calls `netcl_config_get_json`.
"""
function config_get_json(config::Config)
    found = read_text() do place, room, extent
        return Raw.netcl_config_get_json(config, place, room, extent)
    end
    return found
end
