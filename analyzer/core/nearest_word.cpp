#include "analyzer/core/nearest_word.h"

#include <algorithm>
#include <numeric>

namespace ridgepoint {
namespace {

// Levenshtein's distance.
std::size_t distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0U);
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

}  // namespace

std::string nearest_word(const std::string& typed, const std::vector<std::string>& known) {
  constexpr std::size_t fewest_letters = 3;
  constexpr std::size_t longest = 128;  // counters have the longest names
  if (typed.size() < fewest_letters || typed.size() > longest) {
    return "";
  }
  std::string nearest;
  std::size_t least = 3;
  for (const std::string& word : known) {
    const std::size_t apart = word.rfind(typed, 0) == 0 ? 0 : distance(typed, word);
    if (apart < least) {
      least = apart;
      nearest = word;
    }
  }
  return nearest;
}

std::string did_you_mean(const std::string& typed, const std::vector<std::string>& known) {
  const std::string word = nearest_word(typed, known);
  return word.empty() ? word : "did you mean " + word + "? ";
}

}  // namespace ridgepoint
