#include "analyzer/gate/absent_names.h"

#include <cctype>
#include <map>
#include <set>
#include <utility>

#include "analyzer/analysis/short_names.h"

namespace ridgepoint {
namespace {

bool has_wildcard(const std::string& text) {
  return text.find_first_of("*?") != std::string::npos;
}

std::string with_variant(const AbsentKernel& kernel) {
  const bool told = kernel.variant.empty() || kernel.variant == "*" ||
                    kernel.short_name.find(" [" + kernel.variant + "]") != std::string::npos;
  return kernel.short_name + (told ? "" : " [" + kernel.variant + "]");
}

// "gemm<Tile<4>>" of "gemm<ns::Tile<4>>".
std::string without_namespaces(const std::string& arguments) {
  const auto in_name = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
  };
  std::string bare;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (arguments.compare(i, 2, "::") != 0) {
      bare += arguments[i];
      continue;
    }
    const bool of_name = !bare.empty() && in_name(bare.back());
    while (!bare.empty() && in_name(bare.back())) {
      bare.pop_back();
    }
    bare += of_name ? "" : "::";  // of a template's member, say
    ++i;
  }
  return bare;
}

// "gemm<float, 4>" of "void ns::gemm<float, 4>(float*)". Whole where that cannot be told by its
// brackets alone: "(3>>1)" among the arguments, or the same name twice.
std::string with_arguments(const AbsentKernel& kernel) {
  const std::string base = short_name_alone(kernel.name);
  const std::size_t begin = kernel.name.find(base + "<");
  if (begin == std::string::npos) {
    return with_variant(kernel);
  }
  int depth = 0;
  std::size_t end = begin + base.size();
  for (; end < kernel.name.size(); ++end) {
    depth += kernel.name[end] == '<' ? 1 : (kernel.name[end] == '>' ? -1 : 0);
    if (depth == 0) {
      break;
    }
  }
  const std::string text = kernel.name.substr(begin, end + 1 - begin);
  const bool plain =
      text.find('(') == std::string::npos && kernel.name.find(base + "<", end) == std::string::npos;
  return plain ? without_namespaces(text) : kernel.name;
}

std::string whole(const AbsentKernel& kernel) {
  return kernel.name;
}

}  // namespace

AbsentKernel absent_kernel(const std::string& match, const std::string& variant) {
  const std::string base = short_name_alone(match);
  return {has_wildcard(base) ? match : base, match, variant};
}

std::vector<std::string> absent_names(const std::vector<AbsentKernel>& absent,
                                      const std::vector<KernelAnalysis>& present) {
  std::vector<std::string> names;
  for (const AbsentKernel& kernel : absent) {
    names.push_back(kernel.short_name);
  }
  std::set<std::string> taken;
  for (const KernelAnalysis& kernel : present) {
    taken.insert(kernel.short_name);
    // What it might be taken for, whether or not it needs that much to be told from its like.
    const std::string base = short_name_alone(kernel.name);
    taken.insert(base);
    taken.insert(base + " [" + kernel.variant + "]");
  }
  for (const auto longer : {&with_variant, &with_arguments, &whole}) {
    std::map<std::string, std::set<std::pair<std::string, std::string>>> called;
    for (std::size_t i = 0; i < absent.size(); ++i) {
      called[names[i]].emplace(absent[i].name, absent[i].variant);
    }
    for (std::size_t i = 0; i < absent.size(); ++i) {
      if (taken.count(names[i]) > 0 || called[names[i]].size() > 1) {
        names[i] = longer(absent[i]);
      }
    }
  }
  return names;
}

}  // namespace ridgepoint
