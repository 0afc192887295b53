#pragma once
// ViewGuard: everything a model is shown of pages goes through it. What is secret is masked before
// anything is cut (a half of a secret is no longer recognised), what reads like an instruction to a
// model is put away or flagged, and what is left is marked as the words of a page.
//
// It lowers the noise. What keeps a page from acting is elsewhere: nothing that a page says is ever
// read as a capability, a domain or an approval.

#include <string>
#include <string_view>
#include <unordered_map>

#include "api/mcp/tool.h"
#include "model/contract/result.h"
#include "model/state/delta.h"
#include "policy/injection/quarantine.h"
#include "policy/redaction/redactor.h"

namespace falconer::api {

class ViewGuard {
 public:
  // Where texts go through; either may be null. Both must outlive the guard.
  void Use(const policy::Redactor* redactor, const policy::Quarantine* quarantine);

  // A text of a page as it may be shown.
  std::string Clean(std::string_view text, const model::TextVisibility& visibility = {});
  // Every text of a page in it; of JSON every text.
  void Clean(model::StructuredState& state);
  void Clean(model::StateDelta& delta);
  void Clean(json::value& value);
  void Clean(json::object& object);
  // What a result says in the words of a page.
  void Clean(model::ActionExecutionResult& result);

  // The last thing that happens to an answer: no secret is in it, and what is a page's is marked.
  void Finish(ToolAnswer& answer) const;

 private:
  // What a text became; most stay as they are.
  struct Seen {
    bool is_same = true;
    std::string shown;
  };

  void CleanIn(std::string& text, const model::TextVisibility& visibility = {});
  void CleanItem(model::FrameState& frame);
  void CleanItem(model::ElementState& element);
  void CleanItem(model::TextState& text);
  void CleanItem(model::FormState& form);
  void CleanItem(model::ErrorState& error);
  void CleanItem(model::DialogState& dialog);
  void CleanItem(model::TabState& tab);
  void CleanItem(model::DownloadEntry& download);
  void CleanItem(model::ConsoleEntry& entry);
  template <typename T>
  void CleanList(model::ListDelta<T>& list);
  void Redact(std::string& text) const;
  std::string Judged(std::string text, const model::TextVisibility& visibility) const;

  const policy::Redactor* redactor_ = nullptr;
  const policy::Quarantine* quarantine_ = nullptr;
  // Pages say the same thing turn after turn. By the text and how it is shown.
  std::unordered_map<std::string, Seen> judged_;
};

// How many tokens the marks of an answer have at most.
inline constexpr std::size_t kMarkTokens = 20;

}  // namespace falconer::api
