// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/app/held_messages.h"

#include <QString>
#include <QStringList>
#include <utility>

namespace ridgepoint::gui {
namespace {

// A message handler takes no context of its own.
struct Held {
  QStringList messages;
  QtMessageHandler previous = nullptr;
};
Held& held() {
  static Held one;
  return one;
}

void hold(QtMsgType type, const QMessageLogContext& context, const QString& message) {
  if (type == QtCriticalMsg || type == QtFatalMsg) {
    held().previous(type, context, message);
  } else {
    held().messages << message.trimmed();
  }
}

}  // namespace

HeldMessages::HeldMessages() {
  held().previous = qInstallMessageHandler(hold);
}

HeldMessages::~HeldMessages() {
  qInstallMessageHandler(held().previous);
  held() = {};
}

void HeldMessages::release() {
  for (const QString& message : std::exchange(held().messages, {})) {
    held().previous(QtWarningMsg, {}, message);
  }
}

}  // namespace ridgepoint::gui
