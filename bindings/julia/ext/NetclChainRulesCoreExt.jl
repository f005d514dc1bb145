# Rules for ChainRulesCore, which Julia 1.9 and later load where both packages are.
module NetclChainRulesCoreExt

import ChainRulesCore
import Netcl

include("rules.jl")

end
