#pragma once
// InputHooks: what whoever has an action performed wants to do at the moment of its input.

#include <functional>

#include "base/async/task.h"
#include "base/error.h"
#include "browser/actions/secret_fields.h"
#include "browser/state/page_reading.h"
#include "model/fingerprint/fingerprint.h"
#include "model/policy_facts.h"

namespace falconer::browser {

struct InputHooks {
  // Awaited once per action, before the first thing leaves that can have an effect; when it fails,
  // nothing leaves. It gives the page as it was seen before, if anybody looked.
  std::function<Task<Result<PageMark>>()> before;
  // Told the page as the input left it, should it differ from what `before` gave and be known
  // already. Given with it.
  std::function<void(PageReading)> changed;
  // Asked about every element the action is about to meet, after it was bound and checked and
  // before the first thing leaves that can have an effect, also before `before`; when it fails,
  // nothing leaves and the action fails with that error. Met are the element that is pointed at,
  // what has the focus when keys are sent, and the place where something is dropped. An action that
  // tries again because the page moved under it asks again about what it meets then; one that meets
  // no element (keys where nothing has the focus) does not ask. `kinds` of the form is not filled
  // in. `met` lives until the task is done.
  std::function<Task<Result<void>>(const model::ElementFacts& met)> meets;
  // Told what the element is known by that the action is about, each time it is met; of a drag the
  // one that is dragged. The page tells it in the same answer. Without this, or without `meets`, it
  // is not asked for.
  std::function<void(model::Fingerprint)> known_by;
  // Gives the value of the secret that the action's text names, for the document it is about to be
  // typed into; asked last, after `meets` and `before`, and again should the document be replaced
  // before the value is in it. When it fails, nothing leaves. Without it such a text is
  // kUnsupported.
  std::function<Task<Result<std::string>>(const SecretUse& use)> reveal;
};

}  // namespace falconer::browser
