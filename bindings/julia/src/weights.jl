# Tensors of a file by their names: weights["name"], keys(weights), haskey(weights, "name").

Base.length(weights::Weights) = Int(weights_get_info(weights).tensor_count)

"The names of all tensors, in the order of the file."
Base.keys(weights::Weights) = [weights_get_entry(weights, i - 1).name for i in 1:length(weights)]

Base.haskey(weights::Weights, name::AbstractString) = name in keys(weights)

"A tensor of the file by its name."
Base.getindex(weights::Weights, name::AbstractString) =
    weights_get_tensor(weights, weights_find(weights, name))
