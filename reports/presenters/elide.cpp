#include "reports/presenters/elide.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>

namespace ridgepoint {
namespace {

const std::string ellipsis = "…";

bool continues_character(char c) {
  return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
}

using Characters = std::vector<std::string_view>;  // into the name

Characters characters_of(const std::string& text) {
  Characters all;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at + 1;
    while (end < text.size() && continues_character(text[end])) {
      ++end;
    }
    all.push_back(std::string_view(text).substr(at, end - at));
    at = end;
  }
  return all;
}

std::string part(const Characters& name, std::size_t from, std::size_t to) {
  std::string text;
  for (std::size_t i = from; i < std::min(to, name.size()); ++i) {
    text += name[i];
  }
  return text;
}

std::string elide_middle(const Characters& name, std::size_t width) {
  if (name.size() <= width || width == 0) {
    return part(name, 0, name.size());
  }
  const std::size_t tail = (width - 1) / 2;
  return part(name, 0, width - 1 - tail) + ellipsis + part(name, name.size() - tail, name.size());
}

// With the character at `differs` in sight, a few before it, and the end where it is asked for.
std::string elide_around(const Characters& name, std::size_t width, std::size_t differs,
                         bool with_end) {
  constexpr std::size_t before = 2;
  const std::size_t head = with_end ? width / 4 : width / 3;
  const std::size_t start = std::max(head, differs > before ? differs - before : 0);
  std::string text = part(name, 0, head);
  std::size_t room = width - head;
  if (start > head) {
    text += ellipsis;
    --room;
  }
  if (name.size() - start <= room) {
    return text + part(name, start, name.size());
  }
  const std::size_t end = with_end ? width / 4 : 0;
  return text + part(name, start, start + room - 1 - end) + ellipsis +
         part(name, name.size() - end, name.size());
}

// In characters, of all the names.
std::size_t common_prefix(const std::vector<std::string>& names,
                          const std::vector<std::size_t>& group) {
  const std::string& first = names[group.front()];
  std::size_t same = first.size();
  for (const std::size_t member : group) {
    const std::string& other = names[member];
    same = std::min(same, other.size());
    same = static_cast<std::size_t>(std::mismatch(first.begin(),
                                                  first.begin() + static_cast<std::ptrdiff_t>(same),
                                                  other.begin())
                                        .first -
                                    first.begin());
  }
  return display_width(first.substr(0, same));
}

// The names that look the same now, by how they look.
std::vector<std::vector<std::size_t>> look_alikes(const std::vector<std::string>& shown) {
  std::map<std::string, std::vector<std::size_t>> by_look;
  for (std::size_t i = 0; i < shown.size(); ++i) {
    by_look[shown[i]].push_back(i);
  }
  std::vector<std::vector<std::size_t>> groups;
  for (auto& [look, members] : by_look) {
    if (members.size() > 1) {
      groups.push_back(std::move(members));
    }
  }
  return groups;
}

// Texts that no other has, whatever the names: "name… #2".
void number_look_alikes(std::vector<std::string>& shown, std::size_t width) {
  std::set<std::string> taken(shown.begin(), shown.end());
  for (const std::vector<std::size_t>& group : look_alikes(shown)) {
    std::size_t number = 1;
    for (auto member = group.begin() + 1; member != group.end(); ++member) {
      std::string text;
      do {
        const std::string suffix = " #" + std::to_string(++number);
        const std::size_t room = width > suffix.size() ? width - suffix.size() : 1;
        text = elide(shown[*member], room) + suffix;
      } while (!taken.insert(text).second);
      shown[*member] = text;
    }
  }
}

}  // namespace

std::size_t display_width(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return !continues_character(c); }));
}

std::string elide(const std::string& text, std::size_t width) {
  const Characters name = characters_of(text);
  return name.size() <= width || width == 0 ? text : part(name, 0, width - 1) + ellipsis;
}

std::vector<std::string> elide_apart(const std::vector<std::string>& names, std::size_t width) {
  constexpr std::size_t room_for_differences = 12;
  constexpr int most_rounds = 16;  // each splits a group at the next place where its names differ
  std::vector<std::string> distinct(names);
  std::sort(distinct.begin(), distinct.end());
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  std::vector<std::string> shown;
  for (const std::string& name : distinct) {
    shown.push_back(elide_middle(characters_of(name), width));
  }
  for (int round = 0; round < most_rounds && width >= room_for_differences; ++round) {
    const std::vector<std::vector<std::size_t>> groups = look_alikes(shown);
    if (groups.empty()) {
      break;
    }
    for (const std::vector<std::size_t>& group : groups) {
      const std::size_t same = common_prefix(distinct, group);
      for (const std::size_t member : group) {
        const Characters name = characters_of(distinct[member]);
        // Kernels in variants differ at two places: there and at the end.
        shown[member] = name.size() <= width ? distinct[member]
                                             : elide_around(name, width, same, round % 2 == 0);
      }
    }
  }
  number_look_alikes(shown, width);
  std::vector<std::string> texts;
  for (const std::string& name : names) {
    const auto at = std::lower_bound(distinct.begin(), distinct.end(), name) - distinct.begin();
    texts.push_back(shown[static_cast<std::size_t>(at)]);
  }
  return texts;
}

}  // namespace ridgepoint
