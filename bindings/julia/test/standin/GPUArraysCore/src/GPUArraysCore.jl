# A package of this name for tests, with the part of its interface that the extension uses.
module GPUArraysCore

export @allowscalar

@enum ScalarIndexing ScalarAllowed ScalarWarn ScalarWarned ScalarDisallowed
allowscalar(f) = task_local_storage(f, :ScalarIndexing, ScalarAllowed)
macro allowscalar(expression)
    return :(allowscalar(() -> $(esc(expression))))
end

end
