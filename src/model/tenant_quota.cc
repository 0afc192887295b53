#include "model/tenant_quota.h"

namespace falconer::model {

json::object TenantQuota::ToJson() const {
  json::object out;
  for (const QuotaRow& row : kQuotaRows) out[row.name] = this->*row.member;
  return out;
}

}  // namespace falconer::model
