#pragma once
// RunPredictErrand: how the commands run that work with what was learnt: the rooms of this process
// are opened, one thing is done, and everything is closed again, whatever came of it.

#include <functional>

#include "api/tools/tool_host.h"
#include "app/desk/desk_work.h"
#include "app/host/runtime_host.h"
#include "predict/predict_desk.h"

namespace falconer::app {

// A run that stopped to ask, or that was refused.
inline constexpr int kExitAsks = 3;

// What an errand works with. All of it outlives the errand.
struct PredictWork {
  Program& program;
  Terminal& terminal;
  const Arguments& arguments;
  // The rooms as they are now, with a token made just now.
  std::function<Result<api::ToolRooms>()> open;
  api::ToolRooms rooms;
  predict::PredictDesk& desk;

  const engine::Caller& caller() const { return rooms.caller; }
  bool is_text() const { return arguments.form() == OutputForm::kText; }
};

struct PredictErrand {
  // Answers what is printed as JSON, without "ok".
  Task<Result<json::object>> (*work)(PredictWork* work) = nullptr;
  DeskPrint print = nullptr;
  // The exit code of an answer; null: it is always kExitOk.
  int (*code)(const json::object& answer) = nullptr;
  BrowserStart browser = BrowserStart::kWhenNeeded;
};

// That of the errand, kExitUsage for wrong words, else what Program says about a failure. With
// `settings` instead of the program's, if they are given.
int RunPredictErrand(const Arguments& arguments, Terminal& terminal, const PredictErrand& errand,
                     Settings (*settings)(const Arguments& arguments, Settings own) = nullptr);

}  // namespace falconer::app
