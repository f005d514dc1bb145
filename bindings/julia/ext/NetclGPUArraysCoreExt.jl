# What programs for GPUArraysCore say about single elements, where both packages are.
module NetclGPUArraysCoreExt

import GPUArraysCore
import Netcl

include("gpuarrayscore.jl")

end
