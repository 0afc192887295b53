// What a request about to leave does.

#include <algorithm>
#include <fmt/format.h>
#include <string>

#include "model/text.h"
#include "model/url.h"
#include "policy/risk/amount_reader.h"
#include "policy/risk/field_kind.h"
#include "policy/risk/graphql_scan.h"
#include "policy/risk/request_body.h"
#include "policy/risk/risk_findings.h"

namespace falconer::policy {
namespace {

using C = model::Capability;
using L = model::RiskLevel;
using Kind = model::FieldKind;

// Hosts that move money; what is below them counts too.
constexpr std::string_view kPaymentHosts[] = {
    "api.stripe.com",     "paypal.com",        "braintreegateway.com", "braintree-api.com",
    "adyen.com",          "adyenpayments.com", "checkout.com",         "klarna.com",
    "mollie.com",         "squareup.com",      "authorize.net",        "worldpay.com",
    "razorpay.com",       "mercadopago.com",   "alipay.com",           "pay.google.com",
    "payments.amazon.com"};

// Parts of paths of what only counts and logs.
constexpr std::string_view kTelemetryWords[] = {
    "collect",  "beacon", "analytics", "telemetry", "metrics", "track",
    "tracking", "pixel",  "log",       "logs",      "rum",     "stats",
    "csp",      "sentry", "events",    "event",     "ping",    "impression"};

// Making one of these commits to paying.
constexpr std::string_view kOrderNouns[] = {
    "order",        "orders",        "booking",  "bookings",  "purchase", "purchases",
    "subscription", "subscriptions", "donation", "donations", "invoice",  "invoices"};

// Fields whose value is a command.
constexpr std::string_view kCommandFields[] = {"action",    "_action", "_method", "op",
                                               "operation", "do",      "cmd",     "command",
                                               "method",    "intent",  "mutation"};
constexpr std::size_t kMaxCommandFieldWords = 4;

// Names of fields that turn it around: {"delete": true}, "delete=Delete".
constexpr MeaningSet kCommandMeanings = {Meaning::kDelete, Meaning::kPurchase, Meaning::kTransfer,
                                         Meaning::kCancel, Meaning::kRemove,   Meaning::kPublish};

bool IsHostOrBelow(std::string_view host, std::string_view suffix) {
  if (!host.ends_with(suffix)) return false;
  return host.size() == suffix.size() || host[host.size() - suffix.size() - 1] == '.';
}

bool IsPaymentHost(std::string_view url) {
  const std::string host = model::SplitUrl(url).host;
  return std::ranges::any_of(kPaymentHosts,
                             [&](std::string_view suffix) { return IsHostOrBelow(host, suffix); });
}

bool IsSafeMethod(std::string_view method) {
  return method.empty() || method == "GET" || method == "HEAD";
}

bool IsTelemetry(const model::RequestFacts& request) {
  if (request.resource_type == "ping" || request.resource_type == "csp_report") return true;
  const Words words = IdentifierWords(model::SplitUrl(request.url).path);
  return std::ranges::any_of(words, [](const std::string& word) {
    return std::ranges::find(kTelemetryWords, word) != std::end(kTelemetryWords);
  });
}

bool IsCommandField(std::string_view name) {
  const std::string last = model::ToLower(name.substr(name.rfind('.') + 1));
  return std::ranges::find(kCommandFields, last) != std::end(kCommandFields);
}

MeaningSet MeaningsOfFields(const std::vector<BodyField>& fields) {
  MeaningSet found;
  for (const BodyField& field : fields) {
    if (IsCommandField(field.name)) {
      const Words words = IdentifierWords(field.value);
      if (words.size() <= kMaxCommandFieldWords) found = found | MeaningsOf(words);
      continue;
    }
    const Words words = IdentifierWords(field.name);
    const bool is_off = field.value == "false" || field.value == "0" || field.value == "null";
    if (words.size() == 1 && !is_off) {
      const MeaningSet named = MeaningsOf(words);
      found = found | (named - (named - kCommandMeanings));
    }
  }
  return found;
}

MeaningSet MeaningsOfOperations(const RequestBody& body) {
  MeaningSet found;
  for (const std::string& name : body.operations) found = found | MeaningsOf(IdentifierWords(name));
  return found;
}

void JudgeFields(const RequestBody& body, RiskFindings& out) {
  for (const BodyField& field : body.fields) {
    const Kind kind = KindOfName(field.name);
    if (field.kind == BodyField::Kind::kFile || kind == Kind::kFile) {
      out.Add(L::kHigh, {C::kUpload}, "file_in_body", "a file leaves with the request");
    } else if (kind == Kind::kCardNumber || kind == Kind::kCardCode ||
               LooksLikeCardNumber(field.value)) {
      out.Add(L::kCritical, {C::kPurchase}, "card_in_body", "a payment card leaves");
    } else if (kind == Kind::kBankAccount) {
      out.Add(L::kHigh, {C::kPurchase}, "account_in_body", "a bank account leaves");
    } else if (kind == Kind::kNewPassword) {
      out.Add(L::kHigh, {C::kAuth}, "new_password_in_body", "a new password leaves");
    } else if (kind == Kind::kPassword || kind == Kind::kOneTimeCode) {
      out.Add(L::kMedium, {C::kAuth}, "password_in_body", "a password or a code leaves");
    } else if (kind == Kind::kNationalId || kind == Kind::kBirthDate) {
      out.Add(L::kHigh, {C::kPii}, "identity_in_body", "data that identify a person leave");
    } else if (kind == Kind::kAddress || kind == Kind::kPhone) {
      out.Add(L::kMedium, {C::kPii}, "person_in_body", "data of a person leave");
    }
  }
}

// What is taken to be a purchase when it changes something: POST /checkout.
MeaningSet WithCheckoutAsPurchase(MeaningSet meanings) {
  if (meanings.Contains(Meaning::kCheckout)) meanings.Add(Meaning::kPurchase);
  return meanings;
}

// POST /v1/orders: the noun stands last.
bool MakesAnOrder(const model::RequestFacts& request, MeaningSet meanings) {
  if (request.method != "POST" || meanings.Contains(Meaning::kReading)) return false;
  const std::string path = model::SplitUrl(request.url).path;
  const std::size_t slash = path.rfind('/');
  const Words last = IdentifierWords(std::string_view(path).substr(slash + 1));
  return std::ranges::any_of(last, [](const std::string& word) {
    return std::ranges::find(kOrderNouns, word) != std::end(kOrderNouns);
  });
}

// Only to look at: a GraphQL query, a search, and nothing else said.
bool OnlyReads(const RequestBody& body, MeaningSet meanings) {
  if (body.graphql == GraphQlUse::kMutation) return false;
  if (body.graphql == GraphQlUse::kQuery) return true;
  return meanings.Contains(Meaning::kReading) &&
         (meanings - MeaningSet{Meaning::kReading, Meaning::kMinorThing}).empty();
}

// Telemetry, and nothing else said: no command, no order, no amount.
bool OnlyCounts(const model::RequestFacts& request, const RequestBody& body, MeaningSet meanings) {
  const bool says_more = std::ranges::any_of(kMeanings, [&](const EnumName<Meaning>& row) {
    return meanings.Contains(row.value) && RowOf(row.value).level > L::kLow;
  });
  return IsTelemetry(request) && !says_more && !MakesAnOrder(request, meanings) &&
         !AmountOf(body.fields);
}

std::vector<BodyField> QueryFields(std::string_view url) {
  const std::size_t question = url.find('?');
  if (question == url.npos) return {};
  return ReadUrlEncoded(url.substr(question + 1, url.find('#') - question - 1));
}

// Servers that take a mutation by GET exist.
void JudgeGraphQlByGet(const std::vector<BodyField>& query, RiskFindings& out) {
  for (const BodyField& field : query) {
    if (field.name != "query") continue;
    const GraphQlFindings found = ScanGraphQl(field.value);
    if (found.use != GraphQlUse::kMutation) continue;
    out.Add(L::kMedium, {C::kWrite}, "mutation_in_address", "the address carries a mutation");
    for (const std::string& name : found.names) {
      AddMeanings(MeaningsOf(IdentifierWords(name)), "mutation", name, out);
    }
  }
}

void JudgeSafe(const model::RequestFacts& request, RiskFindings& out) {
  const MeaningSet meanings = MeaningsOfTarget("GET", request.url);
  const std::vector<BodyField> query = QueryFields(request.url);
  const auto amount = AmountOf(query);
  if (request.resource_type == "document" && !amount) {
    // A page about buying; what it sends will be looked at again.
    AddMeanings(meanings - MeaningSet{Meaning::kPurchase}, "address", request.url, out);
    return;
  }
  AddMeanings(meanings, "address", request.url, out);
  JudgeGraphQlByGet(query, out);
  const MeaningSet by_post = MeaningsOfTarget("POST", request.url);
  if (amount && by_post.Intersects({Meaning::kTransfer, Meaning::kPurchase, Meaning::kCheckout})) {
    out.Add(L::kHigh, {C::kPurchase}, "money_in_address", "the address moves an amount");
    out.Note(*amount);
  }
}

void JudgeDefault(const model::RequestFacts& request, RiskFindings& out) {
  if (request.method == "DELETE") {
    out.Add(L::kHigh, {C::kDelete}, "delete_method", "the method is DELETE");
  } else if (request.resource_type == "document") {
    out.Add(L::kMedium, {C::kSubmit}, "form_request", "a form is sent that can change something");
  } else {
    out.Add(L::kMedium, {C::kWrite}, "changing_request",
            fmt::format("{} can change something", request.method));
  }
}

void JudgeBodyForm(const RequestBody& body, RiskFindings& out) {
  if (body.form == BodyForm::kBinary) {
    out.Add(L::kHigh, {C::kUpload}, "binary_body", "a file or other bytes leave");
  }
  if (!body.is_whole) {
    out.Add(L::kMedium, {C::kWrite}, "unread_body", "the body could not be read whole");
  }
}

}  // namespace

void JudgeRequest(const model::RequestFacts& request, RiskFindings& out) {
  // A question whether another may be asked.
  if (request.method == "OPTIONS") return;
  if (IsSafeMethod(request.method)) return JudgeSafe(request, out);
  const RequestBody body = ReadRequestBody(request.content_type, request.body);
  // Text that was given to search for is no command: only names and commands are read.
  const MeaningSet target = MeaningsOfTarget(request.method, request.url);
  const MeaningSet meanings = target | MeaningsOfFields(body.fields) | MeaningsOfOperations(body);
  JudgeFields(body, out);
  if (request.method == "POST" &&
      (OnlyReads(body, meanings) || OnlyCounts(request, body, meanings))) {
    return;
  }
  JudgeDefault(request, out);
  JudgeBodyForm(body, out);
  AddMeanings(WithCheckoutAsPurchase(meanings), "request", model::SplitUrl(request.url).path, out);
  if (MakesAnOrder(request, meanings)) {
    out.Add(L::kHigh, {C::kPurchase}, "order_made", "it makes an order");
  }
  if (IsPaymentHost(request.url)) {
    out.Add(L::kHigh, {C::kPurchase}, "payment_host", "it goes to a host that moves money");
  }
  if (const auto amount = AmountOf(body.fields)) {
    // What leaves counts more than what the page showed.
    out.ForgetAmounts();
    out.Note(*amount);
  }
}

}  // namespace falconer::policy
