// What a search has seen, as a guess of what it has not: a Gaussian process over the logarithm of
// the cost, in which configurations are the more alike the fewer parameters differ and the nearer
// their values stand in the lists of values. Strategies use it to choose among proposals of theirs,
// so that fewer of them have to be measured.
#pragma once

#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "tune/candidates.hpp"

namespace netcl::tune {

class Surrogate {
 public:
  // `candidates` must outlive it.
  explicit Surrogate(const Candidates& candidates);

  // Infinite: it is not valid. What is known already changes nothing, nor does a call that finds no
  // memory.
  void add(size_t place, double cost);
  bool knows(size_t place) const { return known_.count(place) != 0; }
  // How much better than `target` a place may be, about; the guess is fitted when it has to be.
  double improvement(size_t place, double target);
  // The logarithm of the cost that is guessed, in a scale of its own.
  double guess(size_t place);

 private:
  using Digits = std::vector<uint32_t>;
  struct Point {
    size_t place;
    Digits digits;
    double cost;
  };

  double likeness(const Digits& a, const Digits& b) const;
  void append(Point point);
  void thin_out();
  void fit();
  // The mean at a place, and how alike the most similar known one is.
  double mean_at(const Digits& digits, double* nearest);

  const Candidates& candidates_;
  std::vector<double> steps_;  // of each parameter: likeness lost from one value to the next
  std::unordered_set<size_t> known_;
  std::vector<Point> points_;
  std::vector<std::vector<double>> factor_;  // Cholesky's, by rows
  std::vector<double> weights_;
  double mean_ = 0, scale_ = 1;
  bool fitted_ = true;
  std::unordered_map<size_t, double> guesses_;  // until more is known
};

}  // namespace netcl::tune
