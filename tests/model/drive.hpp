// Traces of the model run through netcl.h on the scripted driver, which ends commands in every
// order that it may.
#pragma once

#include <memory>
#include <random>
#include <string>

#include "model.hpp"

namespace model {

// Which of `count` possible steps of the driver comes next.
class Chooser {
 public:
  virtual ~Chooser() = default;
  virtual size_t choose(size_t count) = 0;
};

// All ways through, one after the other.
class Systematic final : public Chooser {
 public:
  size_t choose(size_t count) override;
  // False when there is no further way.
  bool next();

 private:
  struct Choice {
    size_t taken = 0, count = 0;
  };
  std::vector<Choice> path_;
  size_t at_ = 0;
};

class Drawn final : public Chooser {
 public:
  explicit Drawn(std::mt19937_64& random) : random_(random) {}
  size_t choose(size_t count) override { return random_() % count; }

 private:
  std::mt19937_64& random_;
};

class Driver {
 public:
  Driver();
  ~Driver();
  // Runs the trace once; empty when all was as the model has it. With `flushed_only` the driver
  // leaves commands alone until their queue is flushed. The n-th wait is kept from it, from 1; 0 is
  // none.
  std::string run(const Trace& trace, bool flushed_only, int lost_wait, Chooser& chooser);

 private:
  struct Run;
  struct Fake;
  std::unique_ptr<Fake> fake_;
  struct Handles;
  std::unique_ptr<Handles> handles_;
};

}  // namespace model
