# What programs for GPUArrays say about single elements and memory, where both packages are.
module NetclGPUArraysExt

import GPUArrays
import Netcl

include("gpuarrays.jl")

end
