# [recipe]
for info in Netcl.devices()
    println(info.index, ": ", info.name, ", ", info.platform_name)
end
# [end]
