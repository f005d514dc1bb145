# A package of this name for tests, with the part of its interface that the extension uses.
module GPUArrays

@enum ScalarIndexing ScalarAllowed ScalarWarn ScalarWarned ScalarDisallowed
allowscalar(f) = task_local_storage(f, :ScalarIndexing, ScalarAllowed)
function unsafe_free! end

end
