# A package of this name for tests, with the part of its interface that the extension uses: its macro is
# that of versions before 8.4, and its unsafe_free! that of 9 and later.
module GPUArrays

@enum ScalarIndexing ScalarAllowed ScalarWarn ScalarWarned ScalarDisallowed
allowscalar(f) = task_local_storage(f, :ScalarIndexing, ScalarAllowed)
macro allowscalar(expression)
    return :(task_local_storage(() -> $(esc(expression)), :ScalarIndexing, true))
end
function unsafe_free! end

end
