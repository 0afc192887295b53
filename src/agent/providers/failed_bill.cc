#include "agent/providers/failed_bill.h"

#include <utility>

#include "agent/providers/wire_json.h"

namespace falconer::agent {
namespace {

constexpr std::string_view kUsageDetail = "usage";
constexpr std::string_view kCostDetail = "cost_micros";

void AddUsage(const TokenUsage& from, TokenUsage& to) {
  to.input += from.input;
  to.cached_input += from.cached_input;
  to.output += from.output;
  to.is_estimated |= from.is_estimated;
}

}  // namespace

void FailedBill::Add(const FailedBill& other) {
  AddUsage(other.usage, usage);
  cost_micros += other.cost_micros;
}

void FailedBill::AddTo(ProviderAnswer& answer) const {
  AddUsage(usage, answer.usage);
  answer.cost_micros += cost_micros;
}

Error WithBill(Error error, const FailedBill& bill) {
  if (bill.usage.input + bill.usage.output == 0) return error;
  json::object details = error.details();
  details[kUsageDetail] = ToJson(bill.usage);
  details[kCostDetail] = bill.cost_micros;
  return {error.code(), error.message(), std::move(details)};
}

FailedBill BillOf(const Error& error) {
  const json::object* usage = ObjectAt(error.details(), kUsageDetail);
  if (usage == nullptr) return {};
  return {.usage = {.input = CountAt(*usage, "input"),
                    .cached_input = CountAt(*usage, "cached_input"),
                    .output = CountAt(*usage, "output"),
                    .is_estimated = IsTrueAt(*usage, "estimated")},
          .cost_micros = CountAt(error.details(), kCostDetail)};
}

}  // namespace falconer::agent
