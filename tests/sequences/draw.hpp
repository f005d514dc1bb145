// Draws calls: mostly right ones, from what is live, and then makes some of them wrong.
#pragma once

#include <map>
#include <random>

#include "execute.hpp"

namespace sequences {

// A rule of rules.py.
struct Rule {
  char kind = 0;  // 'i' 'd' 's' 'n' 't' 'h' '@', or '-' for never
  int percent = -1;
  bool fixed = false;
  std::vector<uint64_t> numbers;  // of d their bits
  std::vector<std::string> texts;
  std::vector<std::vector<std::string>> lists;  // ways of n and t
  std::string special;
};

const Rule* rule_at(const std::string& path);

class Drawer {
 public:
  Drawer(Objects& objects, Results& results, uint64_t seed, int thread)
      : objects_(objects),
        results_(results),
        executor_(results, thread),
        random_(seed),
        thread_(thread) {}

  void prologue();
  void step();  // draws a call and makes it
  Executor& executor() { return executor_; }

 private:
  // What is drawn once for a call.
  struct Context {
    int function = -1;
    std::map<char, int64_t> extents;
    std::map<char, int> dtypes;
    uint64_t way = 0;  // of several that a rule has
    int side = 0;
    int depth = 0;
    std::vector<int64_t> shape;  // as drawn for this call
    bool shape_drawn = false;
    int dtype = 3;
    uint64_t tensor = 0, tensor_bytes = 0;
    int tensor_dtype = 0;
    uint64_t graph = 0;
    std::string text;  // of the last TextIn
    bool separate = false;
    std::vector<uint64_t> used;  // tensors of its lists
    uint64_t on = 0;             // the object that a call is to be about, and its type
    int on_type = 0;
    std::string named;  // the name that it is to use
  };
  // What a tensor has to be like that is made because none fits.
  struct Wanted {
    int dtype;
    std::vector<int64_t> shape;
  };

  uint64_t below(uint64_t n) { return n == 0 ? 0 : random_() % n; }
  bool chance(unsigned percent) { return below(100) < percent; }
  template <class T>
  const T& one_of(const std::vector<T>& all) {
    return all[below(all.size())];
  }

  int choose();
  Outcome run(int function, Context& context, bool may_be_wrong);
  Node draw(const Field& field, const std::string& path, const char* owner, Context& context);
  Node draw_by_rule(const Field& field, const Rule* rule, const std::string& path, Context& context,
                    bool member);
  void draw_fields(const Field* fields, size_t count, const std::string& path, const char* owner,
                   Context& context, std::vector<Node>& nodes);
  Node draw_count(const Field& field, const std::vector<Node>& nodes, const std::string& path,
                  const char* owner);
  Node draw_out(const Field& field, const std::vector<Node>& nodes, Context& context);
  Node draw_struct(const Field& field, const std::string& path, Context& context);
  Node draw_number(const Field& field, const Rule* rule, bool member, Context& context);
  Node draw_text(const Field& field, const Rule* rule, bool member, Context& context);
  Node draw_ints(const Field& field, const Rule* rule, Context& context);

  // draw_special.cpp
  Node special(const Field& field, const std::string& name, Context& context);
  Node special_data(const Field& field, const std::string& name, Context& context);
  Node special_graph(const Field& field, const std::string& name, Context& context);
  Node kernel_args(const Field& field, Context& context);
  Node ranges(const Field& field, Context& context);

  // draw_handles.cpp
  Node handle(const Field& field, int type, Context& context);
  Node taken_handle(const Field& field, int type, Context& context);
  Node made_handle(const Field& field, int type, Context& context);
  Node tensor(const Field& field, const std::string& recipe, Context& context);
  Node tensor_like(const Field& field, int dtype, const std::vector<int64_t>& shape,
                   Context& context);
  Node tensors(const Field& field, const Rule* rule, Context& context);
  int64_t extent(const std::string& letter, Context& context);
  int dtype_of(char letter, Context& context);
  void note_tensor(const Entry& entry, Context& context);
  bool usable(const Entry& entry, int type, const Context& context) const;

  // mutate.cpp
  void make_wrong(Call& call, const Context& context);
  bool mutate(Node& node, Call& call, bool direct, const Context& context);
  bool mutate_handle(Node& node, Call& call, bool direct, const Context& context);
  bool mutate_number(Node& node, bool direct);
  bool mutate_struct(Node& node);
  bool mutate_bytes(Node& node);
  void note_results(const Call& call, const Outcome& outcome, const Context& context);
  bool note_graph(const Call& call, const Outcome& outcome);

  Objects& objects_;
  Results& results_;
  Executor executor_;
  std::mt19937_64 random_;
  int thread_;
  bool pinning_ = false;
  const Wanted* wanted_ = nullptr;
};

bool is_release(const Function& function);
Node zero_node(const Field& field);
Node number_node(const Field& field, uint64_t bits);
Node bytes_node(const Field& field, std::string bytes);

}  // namespace sequences
