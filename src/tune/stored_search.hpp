// Searches and the database: what is stored of one while it goes on, and going on with it later.
#pragma once

#include "store/database.hpp"
#include "tune/search.hpp"

namespace netcl::tune {

// Puts what a search found into a database, each candidate as soon as it is known, so that a run
// which is killed goes on where it was.
class SearchRecords {
 public:
  // `unset`: see Subject. Database and search outlive it.
  SearchRecords(Search& search, store::Database& database, store::Key key,
                std::vector<std::string> unset)
      : search_(search), database_(database), key_(std::move(key)), unset_(std::move(unset)) {}
  // The candidates that have come to their end since the last call.
  void put_new();
  // All that has changed since, and the winner unless the search was cancelled.
  void put_all();

 private:
  store::Record record_of(const Search::Candidate& candidate) const;
  void add(uint32_t index, const Search::Candidate& candidate,
           std::vector<store::Record>* records);

  Search& search_;
  store::Database& database_;
  store::Key key_;
  std::vector<std::string> unset_;
  std::vector<uint64_t> stored_;  // of each candidate: its samples, plus 1; 0: nothing yet
};

// The work size of a configuration, where a formula gives it.
void note_work_size(const Search& search, const Config& config, store::Record* record);

// Takes over what is stored for the same key and space. Gives the number of configurations.
uint64_t resume_search(Search& search, store::Database& database, const store::Key& key);

}  // namespace netcl::tune
