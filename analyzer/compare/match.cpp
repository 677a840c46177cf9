#include "analyzer/compare/match.h"

#include <algorithm>
#include <functional>
#include <map>
#include <string>

#include "analyzer/core/text.h"

namespace ridgepoint {
namespace {

// Keys are built from texts of a session; the separator cannot occur in a demangled name.
constexpr char separator = '\x1f';

using Keys = std::vector<std::string>;  // one a subject; an empty key matches nothing

std::string joined(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) {
    text += part + separator;
  }
  return text;
}

std::string dim_key(const Dim3& d) {
  return std::to_string(d.x) + "," + std::to_string(d.y) + "," + std::to_string(d.z);
}

class Matcher {
 public:
  Matcher(std::size_t base_count, std::size_t now_count)
      : base_free_(base_count, true), now_free_(now_count, true) {}

  void step(const Keys& base, const Keys& now, MatchedBy by) {
    std::map<std::string, std::pair<std::vector<std::size_t>, std::vector<std::size_t>>> groups;
    for (std::size_t i = 0; i < base.size(); ++i) {
      if (base_free_[i] && !base[i].empty()) {
        groups[base[i]].first.push_back(i);
      }
    }
    for (std::size_t i = 0; i < now.size(); ++i) {
      if (now_free_[i] && !now[i].empty()) {
        groups[now[i]].second.push_back(i);
      }
    }
    for (const auto& [name, group] : groups) {
      if (group.first.size() != group.second.size()) {
        continue;
      }
      for (std::size_t i = 0; i < group.first.size(); ++i) {
        base_free_[group.first[i]] = false;
        now_free_[group.second[i]] = false;
        matching_.pairs.push_back({group.first[i], group.second[i], by});
      }
    }
  }

  Matching result() {
    for (std::size_t i = 0; i < base_free_.size(); ++i) {
      if (base_free_[i]) {
        matching_.only_base.push_back(i);
      }
    }
    for (std::size_t i = 0; i < now_free_.size(); ++i) {
      if (now_free_[i]) {
        matching_.only_now.push_back(i);
      }
    }
    std::sort(matching_.pairs.begin(), matching_.pairs.end(),
              [](const MatchedPair& a, const MatchedPair& b) { return a.now < b.now; });
    return std::move(matching_);
  }

 private:
  std::vector<bool> base_free_;
  std::vector<bool> now_free_;
  Matching matching_;
};

template <class Subject>
Keys keys_of(const std::vector<Subject>& subjects,
             const std::function<std::string(const Subject&)>& key) {
  Keys keys;
  keys.reserve(subjects.size());
  std::transform(subjects.begin(), subjects.end(), std::back_inserter(keys), key);
  return keys;
}

std::string roles_of(const Analysis& analysis, const VariantAnalysis& variant) {
  std::vector<std::string> roles;
  for (const std::size_t kernel : variant.kernels) {
    roles.push_back(analysis.kernels[kernel].role);
  }
  const bool known = !roles.empty() && std::none_of(roles.begin(), roles.end(),
                                                    [](const auto& r) { return r.empty(); });
  return known ? joined(roles) : std::string();
}

}  // namespace

const char* key(MatchedBy by) {
  switch (by) {
    case MatchedBy::name:
      return "name";
    case MatchedBy::role:
      return "role";
    case MatchedBy::shape:
      return "shape";
  }
  return "name";
}

const MatchedPair* Matching::of_now(std::size_t index) const {
  const auto found = std::find_if(pairs.begin(), pairs.end(),
                                  [&](const MatchedPair& pair) { return pair.now == index; });
  return found == pairs.end() ? nullptr : &*found;
}

Matching match_kernels(const Analysis& base, const Analysis& now) {
  Matcher matcher(base.kernels.size(), now.kernels.size());
  const auto step = [&](MatchedBy by,
                        const std::function<std::string(const KernelAnalysis&)>& key) {
    matcher.step(keys_of(base.kernels, key), keys_of(now.kernels, key), by);
  };
  step(MatchedBy::name, [](const KernelAnalysis& k) {
    return joined({k.variant, k.role, k.name});
  });
  step(MatchedBy::name, [](const KernelAnalysis& k) { return k.name; });
  step(MatchedBy::role, [](const KernelAnalysis& k) {
    return k.role.empty() ? std::string() : joined({k.variant, k.role});
  });
  step(MatchedBy::role, [](const KernelAnalysis& k) { return k.role; });
  step(MatchedBy::shape, [](const KernelAnalysis& k) {
    return joined({short_kernel_name(k.name), dim_key(k.grid), dim_key(k.block)});
  });
  return matcher.result();
}

Matching match_variants(const Analysis& base, const Analysis& now) {
  Matcher matcher(base.variants.size(), now.variants.size());
  const auto names = [](const Analysis& a) {
    return keys_of<VariantAnalysis>(a.variants, [](const VariantAnalysis& v) { return v.name; });
  };
  const auto roles = [](const Analysis& a) {
    return keys_of<VariantAnalysis>(a.variants,
                                    [&](const VariantAnalysis& v) { return roles_of(a, v); });
  };
  matcher.step(names(base), names(now), MatchedBy::name);
  matcher.step(roles(base), roles(now), MatchedBy::role);
  return matcher.result();
}

}  // namespace ridgepoint
