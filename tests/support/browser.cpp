#include "tests/support/browser.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <stdexcept>

namespace ridgepoint::test_support {
namespace {

using nlohmann::json;

constexpr int patience_ms = 60000;  // a cold start on a busy machine of two cores

struct Pipe {
  Descriptor read;
  Descriptor write;
};

Pipe make_pipe() {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) {
    throw std::runtime_error("no pipe");
  }
  return {Descriptor(ends[0]), Descriptor(ends[1])};
}

std::string quoted(const std::string& text) {
  return json(text).dump();
}

}  // namespace

Browser::Browser(const std::string& program, const std::filesystem::path& folder) {
  Pipe commands = make_pipe();
  Pipe answers = make_pipe();
  const std::string profile = "--user-data-dir=" + (folder / "profile").string();
  std::vector<const char*> arguments = {program.c_str(),
                                        "--headless",
                                        "--no-sandbox",
                                        "--disable-gpu",
                                        "--disable-quic",
                                        "--no-first-run",
                                        "--disable-background-networking",
                                        "--disable-component-update",
                                        "--disable-sync",
                                        "--disable-dev-shm-usage",
                                        "--force-color-profile=srgb",
                                        "--remote-debugging-pipe",
                                        profile.c_str(),
                                        nullptr};
  process_ = fork();
  if (process_ == 0) {
    setpgid(0, 0);  // its helpers end with it
    // The protocol's places: commands arrive at 3, answers leave by 4. Copies first, lest one
    // descriptor already lies where the other has to go.
    const int in = fcntl(commands.read.get(), F_DUPFD, 10);
    const int out = fcntl(answers.write.get(), F_DUPFD, 10);
    const int silent = ::open("/dev/null", O_RDWR);
    dup2(silent, 1);
    dup2(silent, 2);
    dup2(in, 3);
    dup2(out, 4);
    ::close(in);
    ::close(out);
    execv(program.c_str(), const_cast<char* const*>(arguments.data()));
    _exit(127);
  }
  to_ = std::move(commands.write);
  from_ = std::move(answers.read);
  // Held here, the browser's ends would stay open, and its death would go unnoticed.
  commands.read = Descriptor();
  answers.write = Descriptor();
  signal(SIGPIPE, SIG_IGN);  // a browser that died is an error of the next call
  const json targets = call("Target.getTargets");
  for (const json& target : targets.at("targetInfos")) {
    if (session_.empty() && target.at("type") == "page") {
      session_ =
          call("Target.attachToTarget", {{"targetId", target.at("targetId")}, {"flatten", true}})
              .at("sessionId");
    }
  }
  if (session_.empty()) {
    const json page = call("Target.createTarget", {{"url", "about:blank"}});
    session_ = call("Target.attachToTarget", {{"targetId", page.at("targetId")}, {"flatten", true}})
                   .at("sessionId");
  }
  for (const char* domain : {"Page", "Runtime", "Log"}) {
    call(std::string(domain) + ".enable");
  }
}

Browser::~Browser() {
  if (process_ > 0) {
    kill(-process_, SIGKILL);
    waitpid(process_, nullptr, 0);
  }
}

void Browser::open(const std::filesystem::path& page, int width, int height) {
  call("Emulation.setDeviceMetricsOverride",
       {{"width", width}, {"height", height}, {"deviceScaleFactor", 1}, {"mobile", false}});
  complaints_.clear();
  loaded_ = false;
  call("Page.navigate", {{"url", "file://" + page.string()}});
  while (!loaded_) {
    note(receive());
  }
}

json Browser::ask(const std::string& expression) {
  const json answer =
      call("Runtime.evaluate", {{"expression", expression}, {"returnByValue", true}});
  if (answer.contains("exceptionDetails")) {
    throw std::runtime_error(expression + ": " + answer.at("exceptionDetails").dump());
  }
  return answer.at("result").value("value", json());
}

Browser::Point Browser::middle_of(const std::string& selector) {
  const json box = ask("(() => { const e = document.querySelector(" + quoted(selector) +
                       "); if (!e) { return null; } e.scrollIntoView({block: 'center', behavior: "
                       "'instant'}); const b = e.getBoundingClientRect(); return [b.x + b.width / "
                       "2, b.y + b.height / 2]; })()");
  if (box.is_null()) {
    throw std::runtime_error("the page has no " + selector);
  }
  return {box[0], box[1]};
}

void Browser::mouse(const std::string& type, Point at, const json& more) {
  json event = {{"type", type}, {"x", at.x}, {"y", at.y}};
  if (!more.is_null()) {
    event.update(more);
  }
  call("Input.dispatchMouseEvent", event);
}

void Browser::hover(const std::string& selector) {
  mouse("mouseMoved", middle_of(selector));
}

void Browser::click(const std::string& selector) {
  const Point at = middle_of(selector);
  const json button = {{"button", "left"}, {"clickCount", 1}};
  mouse("mouseMoved", at);
  mouse("mousePressed", at, button);
  mouse("mouseReleased", at, button);
}

void Browser::wheel(const std::string& selector, double delta_y) {
  mouse("mouseWheel", middle_of(selector), {{"deltaX", 0}, {"deltaY", delta_y}});
}

void Browser::drag(const std::string& selector, double dx, double dy) {
  const Point from = middle_of(selector);
  const Point to = {from.x + dx, from.y + dy};
  const json button = {{"button", "left"}, {"buttons", 1}, {"clickCount", 1}};
  mouse("mouseMoved", from);
  mouse("mousePressed", from, button);
  mouse("mouseMoved", to, button);
  mouse("mouseReleased", to, button);
}

void Browser::press(const std::string& key) {
  json event = {{"type", "keyDown"}, {"key", key}};
  if (key.size() == 1) {
    event["text"] = key;
  } else if (key == "Enter") {
    event["text"] = "\r";
  }
  call("Input.dispatchKeyEvent", event);
  call("Input.dispatchKeyEvent", {{"type", "keyUp"}, {"key", key}});
}

void Browser::type(const std::string& text) {
  call("Input.insertText", {{"text", text}});
}

void Browser::prefer_dark(bool dark) {
  call("Emulation.setEmulatedMedia",
       {{"features", {{{"name", "prefers-color-scheme"}, {"value", dark ? "dark" : "light"}}}}});
}

json Browser::call(const std::string& method, const json& parameters) {
  json message = {{"id", ++last_id_}, {"method", method}, {"params", parameters}};
  if (!session_.empty()) {
    message["sessionId"] = session_;
  }
  std::string bytes = message.dump();
  bytes += '\0';  // ends every message of the protocol
  if (!write_all(to_.get(), bytes, method)) {
    throw std::runtime_error("the browser is gone: " + method);
  }
  for (;;) {
    const json answer = receive();
    if (answer.value("id", 0) != last_id_) {
      note(answer);
      continue;
    }
    if (answer.contains("error")) {
      throw std::runtime_error(method + ": " + answer.at("error").dump());
    }
    return answer.at("result");
  }
}

json Browser::receive() {
  for (;;) {
    if (const auto end = pending_.find('\0'); end != std::string::npos) {
      const json message = json::parse(pending_.substr(0, end));
      pending_.erase(0, end + 1);
      return message;
    }
    pollfd ready{from_.get(), POLLIN, 0};
    if (poll(&ready, 1, patience_ms) <= 0) {
      throw std::runtime_error("the browser does not answer");
    }
    std::array<char, 65536> piece{};
    const ssize_t got = read(from_.get(), piece.data(), piece.size());
    if (got <= 0) {
      throw std::runtime_error("the browser is gone");
    }
    pending_.append(piece.data(), static_cast<std::size_t>(got));
  }
}

void Browser::note(const json& event) {
  const std::string method = event.value("method", "");
  if (method == "Page.loadEventFired") {
    loaded_ = true;
  } else if (method == "Runtime.consoleAPICalled" || method == "Runtime.exceptionThrown" ||
             method == "Log.entryAdded") {
    complaints_.push_back(event.at("params").dump());
  }
}

}  // namespace ridgepoint::test_support
