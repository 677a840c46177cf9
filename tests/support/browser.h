// A headless Chromium that a test steers as a user would: pointer, wheel and keys arrive as input
// events. It speaks the Chrome DevTools Protocol over a pair of pipes (--remote-debugging-pipe), so
// that no port is opened.
//
// Life cycle: Browser() starts the program and waits for it -> open() a page -> ask and act -> the
// destructor ends it. Every failure is an exception, which fails the test with its text.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "analyzer/core/descriptor.h"

namespace ridgepoint::test_support {

class Browser {
 public:
  // `folder`: where its profile goes.
  Browser(const std::string& program, const std::filesystem::path& folder);
  Browser(const Browser&) = delete;
  Browser& operator=(const Browser&) = delete;
  ~Browser();

  // Loads a file and waits until its scripts have run.
  void open(const std::filesystem::path& page, int width = 1280, int height = 1600);
  // The value of a JavaScript expression.
  nlohmann::json ask(const std::string& expression);
  // Pointer at the middle of the first element that a CSS selector finds, scrolled into view.
  void hover(const std::string& selector);
  void click(const std::string& selector);
  void wheel(const std::string& selector, double delta_y);
  void drag(const std::string& selector, double dx, double dy);
  // "Enter", "Escape", "ArrowLeft", "+" ...
  void press(const std::string& key);
  void type(const std::string& text);
  void prefer_dark(bool dark);
  // Console messages, exceptions and refusals since the page was opened.
  const std::vector<std::string>& complaints() const { return complaints_; }

 private:
  struct Point {
    double x = 0;
    double y = 0;
  };
  nlohmann::json call(const std::string& method,
                      const nlohmann::json& parameters = nlohmann::json::object());
  nlohmann::json receive();
  void note(const nlohmann::json& event);
  Point middle_of(const std::string& selector);
  void mouse(const std::string& type, Point at, const nlohmann::json& more = {});

  pid_t process_ = -1;
  Descriptor to_;
  Descriptor from_;
  std::string pending_;
  std::string session_;
  int last_id_ = 0;
  std::set<std::string> loaded_;  // the loads that are complete
  std::vector<std::string> complaints_;
};

}  // namespace ridgepoint::test_support
