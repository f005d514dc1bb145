// Sequences and optional values. Where the file settles what is in them, its nodes are gone by now
// (onnx_sequences.cpp).
#include "model/op_table.hpp"

namespace netcl::model {

namespace {

std::string refuse_sequence(const NodeFacts&) { return "items that the file does not settle"; }

constexpr OpRow kSequenceRows[] = {
    {"ConcatFromSequence", "axis new_axis", nullptr, "", refuse_sequence},
    {"Optional", "type", nullptr, "", refuse_sequence},
    {"OptionalGetElement", "", nullptr, "", refuse_sequence},
    {"OptionalHasElement", "", nullptr, "", refuse_sequence},
    {"SequenceAt", "", nullptr, "", refuse_sequence},
    {"SequenceConstruct", "", nullptr, "", refuse_sequence},
    {"SequenceEmpty", "dtype", nullptr, "", refuse_sequence},
    {"SequenceErase", "", nullptr, "", refuse_sequence},
    {"SequenceInsert", "", nullptr, "", refuse_sequence},
    {"SequenceLength", "", nullptr, "", refuse_sequence},
    {"SplitToSequence", "axis keepdims", nullptr, "", refuse_sequence},
};

}  // namespace

std::span<const OpRow> sequence_rows() { return kSequenceRows; }

}  // namespace netcl::model
