# Moving arrays within structures by Adapt, where both packages are.
module NetclAdaptExt

import Adapt
import Netcl

include("adapt.jl")

end
