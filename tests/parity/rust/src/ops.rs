//! The ops and views of the vectors, by their verbs.

use crate::Line;
use netcl::*;

fn narrow<T: TryFrom<i64>>(wide: Vec<i64>) -> Vec<T> {
    wide.into_iter().map(|value| T::try_from(value).ok().expect("a large number")).collect()
}

/// A list of N numbers, zeros where there is none.
fn fixed<const N: usize>(list: Vec<i64>) -> [i64; N] {
    list.try_into().unwrap_or([0; N])
}

impl<'a> Line<'a> {
    fn axis(&self) -> i32 {
        self.integer("axis") as i32
    }

    fn reduction(&self) -> Reduction {
        Reduction(self.integer("kind") as i32)
    }

    fn activation(&self) -> Activation {
        Activation(self.integer("activation") as i32)
    }

    fn run_options(&self) -> RunOptions<'a> {
        RunOptions::new().into(self.tensor("into")).graph(self.graph)
    }

    fn epilogue(&self) -> Epilogue<'a> {
        Epilogue::new()
            .bias(self.tensor("bias"))
            .residual(self.tensor("residual"))
            .activation(self.activation())
    }

    fn norm_options(&self) -> NormOptions<'a> {
        NormOptions::new()
            .scale(self.tensor("scale"))
            .bias(self.tensor("bias"))
            .epsilon(self.number("epsilon"))
            .has_epsilon(self.options.contains_key("epsilon"))
    }

    fn conv_norm(&self) -> Option<Conv2dBatchnorm<'a>> {
        let norm: [&AnyTensor; 4] = self.tensor_list("norm").try_into().ok()?;
        let [mean, variance, scale, bias] = norm;
        Some(Conv2dBatchnorm::new().mean(mean).variance(variance).scale(scale).bias(bias))
    }

    fn loss_options(&self) -> LossOptions<'a> {
        LossOptions::new()
            .weights(self.tensor("weights"))
            .ignore_index(self.integer("ignore_index"))
            .has_ignore_index(self.options.contains_key("ignore_index"))
            .reduction(LossReduction(self.integer("reduction") as i32))
    }

    fn gradients(&self) -> Result<Vec<AnyTensor>> {
        let (of, seeds) = (self.tensor_list("of"), self.tensor_list("seeds"));
        let consume = self.flag("consume");
        let options = GradientsOptions::new().seeds(&seeds).consume(consume);
        self.graph.expect("no graph").add_gradients_with(&self.inputs, &of, options)
    }

    fn ranges(&self) -> Vec<Range> {
        let numbers = self.integers("ranges");
        let range = |n: &[i64]| Range { start: n[0], extent: n[1], step: n[2] };
        numbers.chunks(3).map(range).collect()
    }
}

/// Runs an op or makes a view; gives all results.
pub fn run(verb: &str, line: &Line<'_>) -> Result<Vec<AnyTensor>> {
    let (x, axis, run) = (line.inputs[0], line.axis(), line.run_options());
    let y = || line.inputs[1];
    let made = match verb {
        "slice" => x.slice(&line.ranges())?,
        "permute" => x.permute(&narrow::<u32>(line.integers("axes")))?,
        "broadcast" => x.broadcast(line.shape())?,
        "view" => {
            let strides = line.integers("strides");
            x.view(line.shape(), Some(&strides), line.integer("offset"))?
        }
        "reshape" => x.reshape_with(line.shape(), run)?,
        "elementwise" => {
            let options = ElementwiseOptions::new()
                .alpha(line.number("alpha"))
                .beta(line.number("beta"))
                .has_parameters(line.options.contains_key("alpha"));
            op::elementwise(elementwise_find(line.options["op"])?, &line.inputs, options, run)?
        }
        "expression" => {
            op::expression_text(line.options["text"], &line.inputs, Default::default(), run)?
        }
        "bias_add" => op::bias_add(x, y(), axis, run)?,
        "copy" => op::copy(x, run)?,
        "contiguous" => op::contiguous(x, run)?,
        "cast" => op::cast(x, line.dtype("dtype"), run)?,
        "concat" => op::concat(&line.inputs, axis, run)?,
        "transpose" => op::transpose(x, &narrow::<u32>(line.integers("axes")), run)?,
        "gather" => op::gather(x, y(), axis, run)?,
        "gather_elements" => op::gather_elements(x, y(), axis, run)?,
        "embedding" => op::embedding(x, y(), run)?,
        "softmax" => op::softmax(x, axis, run)?,
        "log_softmax" => op::log_softmax(x, axis, run)?,
        "layernorm" => op::layernorm(x, axis, line.norm_options(), run)?,
        "rmsnorm" => op::rmsnorm(x, axis, line.norm_options(), run)?,
        "scan" => {
            let options =
                ScanOptions::new().exclusive(line.flag("exclusive")).reverse(line.flag("reverse"));
            op::scan(x, line.reduction(), axis, options, run)?
        }
        "cross_entropy" => op::cross_entropy(x, y(), axis, line.loss_options(), run)?,
        "nll_loss" => op::nll_loss(x, y(), axis, line.loss_options(), run)?,
        "gradients" => return line.gradients(),
        "fill" => {
            let value = line.element(x.info()?.dtype).expect("a value");
            op::fill(x, value, run)?;
            return Ok(Vec::new());
        }
        "expressions" => {
            let texts: Vec<&str> = line.options["texts"].split(';').collect();
            return op::expressions(&texts, &line.inputs, Default::default(), run);
        }
        "dynamic_quantize_linear" => {
            let (made, scale, zero_point) =
                op::dynamic_quantize_linear(x, Default::default(), run)?;
            return Ok(vec![made, scale, zero_point]);
        }
        "topk" => {
            let smallest = line.flag("smallest");
            let options = TopkOptions::new().smallest(smallest);
            let (values, indices) = op::topk(x, line.integer("k"), axis, options, run)?;
            return Ok(vec![values, indices]);
        }
        _ => run_with_options(verb, line)?,
    };
    Ok(vec![made])
}

fn run_with_options(verb: &str, line: &Line<'_>) -> Result<AnyTensor> {
    let (x, run) = (line.inputs[0], line.run_options());
    let y = || line.inputs[1];
    let epilogue = line.epilogue();
    match verb {
        "matmul" => {
            let options = MatmulOptions::new()
                .epilogue(epilogue)
                .alpha(line.number("alpha"))
                .beta(line.number("beta"))
                .has_scale(line.flag("has_scale"))
                .dtype(line.dtype("dtype"));
            op::matmul(x, y(), options, run)
        }
        "conv2d" => {
            let norm = line.conv_norm();
            let options = Conv2dOptions::new()
                .epilogue(epilogue)
                .batchnorm(norm)
                .strides(fixed(line.integers("strides")))
                .dilations(fixed(line.integers("dilations")))
                .padding(fixed(line.integers("padding")))
                .groups(line.integer("groups"));
            op::conv2d(x, y(), options, run)
        }
        "quantize_linear" => {
            let options = QuantizeLinearOptions::new()
                .zero_point(line.tensor("zero_point"))
                .block_size(line.integer("block_size"))
                .dtype(line.dtype("dtype"))
                .precision(line.dtype("precision"));
            op::quantize_linear(x, y(), line.axis(), options, run)
        }
        "dequantize_linear" => {
            let options = DequantizeLinearOptions::new()
                .zero_point(line.tensor("zero_point"))
                .block_size(line.integer("block_size"))
                .dtype(line.dtype("dtype"));
            op::dequantize_linear(x, y(), line.axis(), options, run)
        }
        "qlinear_matmul" => {
            let options = QlinearMatmulOptions::new()
                .a_zero_point(line.tensor("a_zero_point"))
                .b_zero_point(line.tensor("b_zero_point"))
                .y_zero_point(line.tensor("y_zero_point"));
            let (a_scale, b, b_scale, y_scale) = match line.inputs[..] {
                [_, a_scale, b, b_scale, y_scale] => (a_scale, b, b_scale, y_scale),
                _ => panic!("5 tensors"),
            };
            op::qlinear_matmul(x, a_scale, b, b_scale, y_scale, options, run)
        }
        "reduce" => {
            let axes = narrow(line.integers("axes"));
            let keepdims = line.flag("keepdims");
            let options = ReduceOptions::new().axes(&axes).keepdims(keepdims);
            op::reduce(x, line.reduction(), options, run)
        }
        "histogram" => {
            let options = HistogramOptions::new().low(line.number("low")).high(line.number("high"));
            op::histogram(x, line.integer("bins"), options, run)
        }
        "batchnorm" => {
            let options = BatchnormOptions::new()
                .scale(line.tensor("scale"))
                .bias(line.tensor("bias"))
                .momentum(line.number("momentum"))
                .activation(line.activation())
                .training(line.flag("training"));
            op::batchnorm(x, y(), line.inputs[2], options, run)
        }
        "pool" => {
            let (window, strides) = (line.integers("window"), line.integers("strides"));
            let (dilations, padding) = (line.integers("dilations"), line.integers("padding"));
            let options = PoolingOptions::new()
                .window(&window)
                .strides(&strides)
                .dilations(&dilations)
                .padding(&padding)
                .ceil_mode(line.flag("ceil_mode"))
                .count_include_pad(line.flag("count_include_pad"));
            op::pool(x, Pooling(line.integer("kind") as i32), options, run)
        }
        "pad" => {
            let mode = PadMode(line.integer("mode") as i32);
            let mut options = PadOptions::new().mode(mode);
            options.value = line.element(x.info()?.dtype);
            op::pad(x, &line.integers("pads"), options, run)
        }
        "scatter" => {
            let mode = ScatterMode(line.integer("mode") as i32);
            let options = ScatterOptions::new().mode(mode);
            op::scatter(x, y(), line.inputs[2], line.axis(), options, run)
        }
        "rotary_embedding" => {
            let options = RotaryEmbeddingOptions::new()
                .position_ids(line.tensor("position_ids"))
                .num_heads(line.integer("num_heads"))
                .rotary_embedding_dim(line.integer("rotary_embedding_dim"))
                .interleaved(line.flag("interleaved"))
                .inverse(line.flag("inverse"));
            op::rotary_embedding(x, y(), line.inputs[2], options, run)
        }
        "resize" => {
            let options = ResizeOptions::new()
                .mode(ResizeMode(line.integer("mode") as i32))
                .coordinates(ResizeCoordinates(line.integer("coordinates") as i32));
            op::resize(x, line.shape(), options, run)
        }
        _ => panic!("the verb {verb} is unknown"),
    }
}
