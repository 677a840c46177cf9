#include "analyzer/analysis/short_names.h"

#include <map>
#include <set>
#include <string>
#include <string_view>

#include "analyzer/core/text.h"
#include "analyzer/session/range_row.h"

namespace ridgepoint {
namespace {

constexpr std::string_view number_mark = " #";

// Where even the base name is long, its ends: what tells such names apart is at either.
std::string shortened(const std::string& name) {
  constexpr std::size_t longest = 120;
  if (name.size() <= longest) {
    return name;
  }
  const auto inside_character = [&](std::size_t at) {
    return at < name.size() && (static_cast<unsigned char>(name[at]) & 0xC0U) == 0x80U;
  };
  std::size_t head = longest / 2;
  std::size_t tail = name.size() - longest / 2;
  for (; head > 0 && inside_character(head); --head) {
  }
  for (; inside_character(tail); ++tail) {
  }
  return name.substr(0, head) + "..." + name.substr(tail);
}

// Appends `part(kernel)` to the names of kernels that share one, where it tells any of them apart.
template <class Part>
void extend_shared(std::vector<KernelAnalysis>& kernels, const Part& part) {
  std::map<std::string, std::set<std::string>> parts;
  for (const KernelAnalysis& kernel : kernels) {
    parts[kernel.short_name].insert(part(kernel));
  }
  for (KernelAnalysis& kernel : kernels) {
    if (parts[kernel.short_name].size() > 1) {
      kernel.short_name += part(kernel);
    }
  }
}

}  // namespace

std::string short_name_alone(const std::string& name) {
  return shortened(is_range_row(name) ? name : short_kernel_name(name));
}

void assign_short_names(std::vector<KernelAnalysis>& kernels) {
  for (KernelAnalysis& kernel : kernels) {
    kernel.short_name = short_name_alone(kernel.name);
  }
  extend_shared(kernels, [](const KernelAnalysis& k) {
    return k.role.empty() ? std::string() : " (" + k.role + ")";
  });
  extend_shared(kernels, [](const KernelAnalysis& k) {
    return k.variant.empty() ? std::string() : " [" + k.variant + "]";
  });
  std::set<std::string> taken;
  std::map<std::string, int> last;
  for (KernelAnalysis& kernel : kernels) {
    std::string name = kernel.short_name;
    int& number = last.try_emplace(kernel.short_name, 1).first->second;
    while (!taken.insert(name).second) {
      name = kernel.short_name + std::string(number_mark) + std::to_string(++number);
    }
    kernel.short_name = name;
  }
}

std::string shared_name(const std::string& short_name) {
  const std::size_t mark = short_name.rfind(number_mark);
  const std::size_t digits = mark + number_mark.size();
  const bool numbered = mark != std::string::npos && digits < short_name.size() &&
                        short_name.find_first_not_of("0123456789", digits) == std::string::npos;
  return numbered ? short_name.substr(0, mark) : short_name;
}

}  // namespace ridgepoint
