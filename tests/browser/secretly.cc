#include "tests/browser/secretly.h"

#include <utility>

namespace falconer::test {
namespace {

Task<Result<std::string>> Reveal(std::vector<browser::SecretUse>* uses, std::string value,
                                 browser::SecretUse use) {
  uses->push_back(std::move(use));
  co_return value;
}

Task<Result<void>> Allow() {
  co_return Result<void>();
}

Task<Result<model::ActionOutcome>> DoWith(BrowserFixture& t, std::string action,
                                          browser::InputHooks hooks) {
  CO_TRY_ASSIGN(const auto parsed, ParseJson(action));
  CO_TRY_ASSIGN(auto spec, model::ActionSpec::FromJson(parsed));
  co_return co_await t.driver.Perform(t.ctx, std::move(spec), std::nullopt, std::move(hooks));
}

}  // namespace

Task<Result<model::ActionOutcome>> DoSecretly(BrowserFixture& t, std::string action,
                                              std::string_view value,
                                              std::vector<browser::SecretUse>* uses) {
  std::vector<browser::SecretUse> unused;
  if (uses == nullptr) uses = &unused;
  const auto reveal = [&](const browser::SecretUse& use) {
    return Reveal(uses, std::string(value), use);
  };
  co_return co_await DoWith(t, std::move(action), {.reveal = reveal});
}

Task<Result<model::ActionOutcome>> DoAllowed(BrowserFixture& t, std::string action) {
  const auto meets = [](const model::ElementFacts&) { return Allow(); };
  co_return co_await DoWith(t, std::move(action), {.meets = meets});
}

}  // namespace falconer::test
