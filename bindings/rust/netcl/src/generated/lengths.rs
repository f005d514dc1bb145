// Written by bindings/generator from include/netcl.h; changes here are lost.

/// What a function has for a size or a count of C.
pub(crate) fn length_of(name: &str) -> Option<&'static str> {
    match name {
        "args_count" => Some("args.len()"),
        "averages_count" => Some("averages.len()"),
        "axes_count" => Some("axes.len()"),
        "colors_count" => Some("colors.len()"),
        "counts_count" => Some("counts.len()"),
        "data_size" => Some("data.len()"),
        "devices_count" => Some("devices.len()"),
        "first_count" => Some("first.len()"),
        "global_count" => Some("global.len()"),
        "gradients_count" => Some("gradients.len()"),
        "inputs_count" => Some("inputs.len()"),
        "local_count" => Some("local.len()"),
        "metrics_count" => Some("names.len()"),
        "names_count" => Some("names.len()"),
        "outputs_count" => Some("outputs.len()"),
        "pads_count" => Some("pads.len()"),
        "parameters_count" => Some("parameters.len()"),
        "ranges_count" => Some("ranges.len()"),
        "repeats_count" => Some("repeats.len()"),
        "samples_count" => Some("samples.len()"),
        "second_count" => Some("second.len()"),
        "sizes_count" => Some("sizes.len()"),
        "square_averages_count" => Some("square_averages.len()"),
        "sums_count" => Some("sums.len()"),
        "tensors_count" => Some("tensors.len()"),
        "text_size" => Some("text.len()"),
        "texts_count" => Some("texts.len()"),
        "values_count" => Some("values.len()"),
        "waits_count" => Some("waits.len()"),
        _ => None,
    }
}
