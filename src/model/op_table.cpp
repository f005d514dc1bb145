#include "model/op_table.hpp"

namespace netcl::model {

std::span<const OpFamily> op_families() {
  static const OpFamily families[] = {
      {"elementwise", elementwise_rows()},
      {"products", product_rows()},
      {"einsum", einsum_rows()},
      {"convolution", conv_rows()},
      {"pooling", pool_rows()},
      {"normalisation", norm_rows()},
      {"reductions", reduce_rows()},
      {"shapes", shape_rows()},
      {"indices", index_rows()},
      {"quantisation", quantization_rows()},
      {"attention", attention_rows()},
      {"resizing", resize_rows()},
      {"sampling", sample_rows()},
      {"signals", signal_rows()},
      {"unpooling", unpool_rows()},
      {"random", random_rows()},
      {"losses", loss_rows()},
      {"recurrent", recurrent_rows()},
      {"flow", flow_rows()},
      {"sequences", sequence_rows()},
  };
  return families;
}

const OpRow* find_op(std::string_view domain, std::string_view op) noexcept {
  for (const OpFamily& family : op_families()) {
    for (const OpRow& row : family.rows) {
      if (op == row.op && domain == row.domain) return &row;
    }
  }
  return nullptr;
}

}  // namespace netcl::model
