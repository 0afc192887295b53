#pragma once
// Every action the driver can do, one function each. `run` outlives the call. They observe and
// report; whether an action is allowed was decided before.

#include "browser/actions/action_run.h"

namespace falconer::browser {

using ActionResult = Task<Result<void>>;

// Moving between pages.
ActionResult Navigate(CallContext ctx, ActionRun* run);
ActionResult GoBack(CallContext ctx, ActionRun* run);
ActionResult GoForward(CallContext ctx, ActionRun* run);
ActionResult Reload(CallContext ctx, ActionRun* run);

// Mouse.
ActionResult Click(CallContext ctx, ActionRun* run);
ActionResult DoubleClick(CallContext ctx, ActionRun* run);
ActionResult Hover(CallContext ctx, ActionRun* run);
ActionResult Drag(CallContext ctx, ActionRun* run);
ActionResult Scroll(CallContext ctx, ActionRun* run);

// Keyboard and fields.
ActionResult Type(CallContext ctx, ActionRun* run);
ActionResult Fill(CallContext ctx, ActionRun* run);
ActionResult Clear(CallContext ctx, ActionRun* run);
ActionResult Press(CallContext ctx, ActionRun* run);
ActionResult Focus(CallContext ctx, ActionRun* run);
ActionResult Select(CallContext ctx, ActionRun* run);
ActionResult Check(CallContext ctx, ActionRun* run);
ActionResult Uncheck(CallContext ctx, ActionRun* run);
ActionResult Submit(CallContext ctx, ActionRun* run);

// Files.
ActionResult Upload(CallContext ctx, ActionRun* run);
ActionResult TriggerDownload(CallContext ctx, ActionRun* run);

// Reading.
ActionResult Extract(CallContext ctx, ActionRun* run);
ActionResult Screenshot(CallContext ctx, ActionRun* run);
ActionResult PrintToPdf(CallContext ctx, ActionRun* run);
ActionResult RunCustomScript(CallContext ctx, ActionRun* run);

// Tabs, dialogs, window.
ActionResult NewTab(CallContext ctx, ActionRun* run);
ActionResult SwitchTab(CallContext ctx, ActionRun* run);
ActionResult CloseTab(CallContext ctx, ActionRun* run);
ActionResult HandleDialog(CallContext ctx, ActionRun* run);
ActionResult SetViewport(CallContext ctx, ActionRun* run);

// Nothing but the waits that belong to it.
ActionResult WaitOnly(CallContext ctx, ActionRun* run);

}  // namespace falconer::browser
