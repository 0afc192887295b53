#pragma once
// Judge: from a rule and what was observed to a verdict, without looking at anything else. The
// verifier and a replay call the same function, so a recorded observation always gives the verdict
// it gave when it was fresh.
//
// An observation is an object; what it holds depends on the type of the rule:
//
//   element_present  {"matches": 2, "states": {"visible": 1, "enabled": 2, ...}}
//                    how many elements match, and how many of them are in each state that was
//                    looked at (visible for hidden; attached and detached follow from matches)
//   text_state       {"matches": 1, "texts": ["Order sent"]}
//   attribute_state, property_state, computed_style
//                    {"matches": 1, "values": ["true"]}   null: not there; {"withheld": true}: a
//                    value nobody may see, such as that of a secret field; {"agrees": true}:
//                    whether it is the secret that the rule names
//   count            {"matches": 3}
//   network_status   {"responses": [{"url", "method", "status"}], "dropped": 0}
//                    exchanges of this action; status 0 when there was no answer; the filter of the
//                    rule is applied here
//   json_field       {"responses": [{"url", "method", "status", "body_state": "json" | "not_json" |
//                    "missing", "value": what the pointer leads to (absent when nothing),
//                    "silent_failure": true}], "dropped": 0}
//   file_exists      {"artifacts": [{"artifact_id", "name", "bytes", "mime", "sha256"}]}
//   url_pattern      {"url": "https://..."}
//   cookie           {"cookies": [{"name", "domain", "value"}]}; the outcome records {"found":
//                    [{"name", "domain", "agrees"}]}, and is judged by that again
//   console_clean    {"messages": [{"level", "message"}], "dropped": 0}
//   no_new_errors    {"before": ["..."], "after": ["..."]}, the visible errors
//   invariant        no_visible_errors {"errors": []}, no_new_errors {"before": [], "after": []},
//                    no_dialog_open {"open": false}, no_failed_requests {"failed": 0},
//                    no_silent_failures {"silent_failures": 0}, url_unchanged and dom_unchanged
//                    {"before": "...", "after": "..."}
//   visual_change    {"similarity": 0.97, "changed_pixels": 120, "diff_region": [x, y, w, h]}
//   state_hash       {"hash_after": "s_..."}
//
// Whoever could not observe says {"unobservable": "why"}. That, an observation that lacks a part,
// and a list that was cut off before it could decide, are "unknown".

#include "base/json/json.h"
#include "model/contract/rule.h"
#include "model/contract/rule_report.h"

namespace falconer::model {

// Deterministic; `rule` MUST be valid.
RuleOutcome Judge(const VerificationRule& rule, const json::value& observed);

}  // namespace falconer::model
