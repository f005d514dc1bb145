device = Netcl.device()
file = joinpath(EXAMPLES, "model", "sample", "classify.onnx")
image = Netcl.tensor_create_full(device, :f32, (1, 3, 224, 224), -1)
# [recipe]
model = Netcl.model_load(device, file)       # a path, such as "resnet50.onnx"
odds, = Netcl.model_evaluate(model, (image,))
# [end]
@assert length(Array(NetclArray(odds))) == 4
