// What a request about to leave does.

#include <algorithm>
#include <fmt/format.h>
#include <span>
#include <string>
#include <utility>

#include "base/percent.h"
#include "base/text.h"
#include "model/network.h"
#include "model/url.h"
#include "policy/body/graphql_scan.h"
#include "policy/body/request_body.h"
#include "policy/risk/amount_reader.h"
#include "policy/risk/field_kind.h"
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

// Kinds of requests that pages send only to be counted. Nobody sees their answers.
constexpr std::string_view kTelemetryTypes[] = {"ping", "cspviolationreport"};

// Words of paths of what only counts and logs.
constexpr std::string_view kTelemetryWords[] = {
    "collect", "beacon", "analytics", "telemetry",  "metrics",  "track",    "tracking",
    "pixel",   "log",    "logs",      "rum",        "stats",    "csp",      "sentry",
    "events",  "event",  "ping",      "impression", "envelope", "collector"};

// Words that say nothing of what a path is for.
constexpr std::string_view kPlumbingWords[] = {"api", "v", "g", "j", "rest", "web"};

// Where GraphQL is spoken.
constexpr std::string_view kGraphQlSegments[] = {"graphql", "gql", "query"};

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
                                         Meaning::kCancel, Meaning::kRemove};

bool IsHostOrBelow(std::string_view host, std::string_view suffix) {
  if (!host.ends_with(suffix)) return false;
  return host.size() == suffix.size() || host[host.size() - suffix.size() - 1] == '.';
}

bool IsPaymentHost(std::string_view url) {
  const std::string host = model::SplitUrl(url).host;
  return std::ranges::any_of(kPaymentHosts,
                             [&](std::string_view suffix) { return IsHostOrBelow(host, suffix); });
}

bool IsListed(std::span<const std::string_view> table, std::string_view word) {
  return std::ranges::find(table, word) != table.end();
}

// Words can make a request look worse, and not better: only a path that says nothing else is one of
// telemetry.
bool IsTelemetryPath(std::string_view url) {
  bool is_said = false;
  for (const std::string& word : IdentifierWords(PercentDecoded(model::SplitUrl(url).path))) {
    const bool says_so = IsListed(kTelemetryWords, word);
    is_said = is_said || says_so;
    if (!says_so && !IsListed(kPlumbingWords, word) && !IsDigit(word.front())) return false;
  }
  return is_said;
}

bool IsTelemetry(const model::RequestFacts& request) {
  if (request.resource_type == "document") return false;
  return IsListed(kTelemetryTypes, request.resource_type) || IsTelemetryPath(request.url);
}

bool IsCommandField(std::string_view name) {
  const std::string last = ToLower(name.substr(name.rfind('.') + 1));
  return IsListed(kCommandFields, last);
}

// "publish=1", "publish=Publish": a switch that is on, and no text to keep under that name.
bool IsSwitchedOn(const BodyField& field) {
  constexpr std::string_view kOn[] = {"true", "1", "on", "yes"};
  const std::string value = ToLower(field.value);
  const bool is_name = !value.empty() && ToLower(field.name).ends_with(value);
  return is_name || IsListed(kOn, value);
}

// "[0].delete" of a list is the "delete" of its items.
bool IsOneWord(const Words& words) {
  return std::ranges::count_if(words,
                               [](const std::string& word) { return !IsDigit(word.front()); }) == 1;
}

MeaningSet MeaningsOfFields(const std::vector<BodyField>& fields) {
  MeaningSet found;
  for (const BodyField& field : fields) {
    if (IsCommandField(field.name)) {
      const Words words = IdentifierWords(field.value);
      if (words.size() <= kMaxCommandFieldWords) found = found | CommandsIn(words);
      continue;
    }
    const Words words = IdentifierWords(field.name);
    const bool is_off = field.value == "false" || field.value == "0" || field.value == "null";
    if (IsOneWord(words) && !is_off) {
      const MeaningSet named = CommandsIn(words);
      found = found | (named - (named - kCommandMeanings));
      if (IsSwitchedOn(field) && named.Contains(Meaning::kPublish)) found.Add(Meaning::kPublish);
    }
  }
  return found;
}

MeaningSet MeaningsOfOperations(const RequestBody& body) {
  MeaningSet found;
  for (const std::string& name : body.operations) found = found | CommandsIn(IdentifierWords(name));
  return found;
}

void JudgeFields(const RequestBody& body, RiskFindings& out) {
  FieldKinds kinds;
  for (const BodyField& field : body.fields) {
    const Kind kind = kinds.Of(field.name);
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

// POST /v1/orders: the noun stands last, with no word beside it that says to look ("orderHistory").
bool MakesAnOrder(const model::RequestFacts& request) {
  Words last;
  for (const std::string& segment : PathSegments(request.url)) {
    Words words = IdentifierWords(std::string_view(segment).substr(0, segment.find(';')));
    if (!words.empty()) last = std::move(words);
  }
  const bool is_named = std::ranges::any_of(
      last, [](const std::string& word) { return IsListed(kOrderNouns, word); });
  return request.method == "POST" && is_named && !MeaningsOf(last).Contains(Meaning::kReading);
}

// "graphql", "_graphql", "GraphQL.json".
bool IsGraphQlPath(std::string_view url) {
  return std::ranges::any_of(PathSegments(url), [](const std::string& segment) {
    const std::string name = ToLower(segment.substr(0, segment.find('.')));
    return IsListed(kGraphQlSegments, std::string_view(name).substr(name.starts_with('_') ? 1 : 0));
  });
}

// Whether it is proven that it only reads: queries of GraphQL, sent to where GraphQL is spoken, and
// nothing beside them that a server could take for a command.
bool OnlyReads(const model::RequestFacts& request, const RequestBody& body, MeaningSet target) {
  constexpr MeaningSet kGrave = {Meaning::kDelete, Meaning::kRemove, Meaning::kCancel,
                                 Meaning::kPurchase, Meaning::kTransfer};
  const bool is_query = body.is_only_graphql && body.graphql == GraphQlUse::kQuery;
  const bool is_whole = body.is_whole && request.is_body_whole && !body.is_cut;
  return request.method == "POST" && is_query && is_whole && IsGraphQlPath(request.url) &&
         target.empty() && !MeaningsOfOperations(body).Intersects(kGrave);
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
  MeaningSet meanings = MeaningsOfTarget(request.method, request.url);
  const std::vector<BodyField> query = QueryFields(request.url);
  const std::vector<model::Money> amounts = AmountsOf(query);
  if (request.resource_type == "document" && amounts.empty()) {
    // A page about buying; what it sends will be looked at again.
    meanings = meanings - MeaningSet{Meaning::kPurchase};
  }
  AddMeanings(meanings, "address", request.url, out);
  JudgeGraphQlByGet(query, out);
  const MeaningSet by_post = MeaningsOfTarget("POST", request.url);
  const bool moves_money =
      by_post.Intersects({Meaning::kTransfer, Meaning::kPurchase, Meaning::kCheckout});
  if (amounts.empty() || !moves_money) return;
  out.Add(L::kHigh, {C::kPurchase}, "money_in_address", "the address moves an amount");
  for (const model::Money& amount : amounts) out.Note(amount);
}

// What it is by its method alone. Telemetry changes something too, though it grieves nobody.
void JudgeDefault(const model::RequestFacts& request, L level, RiskFindings& out) {
  if (request.method == "DELETE") {
    out.Add(L::kHigh, {C::kDelete}, "delete_method", "the method is DELETE");
  } else if (request.resource_type == "document") {
    out.Add(L::kMedium, {C::kSubmit}, "form_request", "a form is sent that can change something");
  } else {
    out.Add(level, {C::kWrite}, "changing_request",
            fmt::format("{} can change something", request.method));
  }
}

void JudgeBodyForm(const RequestBody& body, L level, RiskFindings& out) {
  if (body.form == BodyForm::kBinary) {
    out.Add(level == L::kLow ? level : L::kHigh, {C::kUpload}, "binary_body",
            "a file or other bytes leave");
  }
  if (!body.is_whole) {
    out.Add(level, {C::kWrite}, "unread_body", "the body could not be read whole");
  }
}

// What of the body nobody has read may say anything.
void JudgeUnread(const model::RequestFacts& request, const RequestBody& body, RiskFindings& out) {
  constexpr model::CapabilitySet kAnything = {C::kWrite,  C::kSubmit, C::kPurchase,
                                              C::kUpload, C::kExport, C::kDelete,
                                              C::kAuth,   C::kPii,    C::kAdmin};
  if (!request.is_body_whole) {
    out.Add(L::kHigh, {C::kUpload}, "unread_file", "a file or a stream leaves that cannot be read");
  }
  if (body.is_cut || QueryFields(request.url).size() == kMaxBodyFields) {
    out.Add(L::kCritical, kAnything, "too_much_to_read", "it says more than can be looked at");
  }
}

void JudgeAmounts(const RequestBody& body, RiskFindings& out) {
  const std::vector<model::Money> amounts = AmountsOf(body.fields);
  if (amounts.empty()) return;
  // What leaves counts more than what the page showed.
  out.ForgetAmounts();
  for (const model::Money& amount : amounts) out.Note(amount);
  if (GreatestOf(amounts)) return;
  out.Add(L::kMedium, {C::kPurchase}, "unclear_amount", "it names amounts in several currencies");
}

// Each part adds what it finds, and none takes anything away: whatever a page adds to a request, it
// needs no less.
void JudgeChanging(const model::RequestFacts& request, RiskFindings& out) {
  const RequestBody body = ReadRequestBody(request.content_type, request.body);
  const MeaningSet target = MeaningsOfTarget(request.method, request.url);
  JudgeFields(body, out);
  if (IsPaymentHost(request.url)) {
    out.Add(L::kHigh, {C::kPurchase}, "payment_host", "it goes to a host that moves money");
  }
  if (MakesAnOrder(request)) {
    out.Add(L::kHigh, {C::kPurchase}, "order_made", "it makes an order");
  }
  if (OnlyReads(request, body, target)) return;
  const L level = IsTelemetry(request) && AmountsOf(body.fields).empty() ? L::kLow : L::kMedium;
  JudgeDefault(request, level, out);
  JudgeBodyForm(body, level, out);
  JudgeUnread(request, body, out);
  // Text that was given to search for is no command: only names and commands are read.
  const MeaningSet meanings = target | MeaningsOfFields(body.fields) | MeaningsOfOperations(body);
  AddMeanings(WithCheckoutAsPurchase(meanings), "request", model::SplitUrl(request.url).path, out);
  JudgeAmounts(body, out);
}

void JudgeByMethod(const model::RequestFacts& request, RiskFindings& out) {
  if (model::IsSafeMethod(request.method)) {
    JudgeSafe(request, out);
  } else {
    JudgeChanging(request, out);
  }
}

}  // namespace

void JudgeRequest(const model::RequestFacts& request, RiskFindings& out) {
  // A question whether another may be asked.
  if (request.method == "OPTIONS") return;
  JudgeByMethod(request, out);
  if (request.method_override.empty()) return;
  // Some servers heed it, and others do not.
  model::RequestFacts as_told = request;
  as_told.method = request.method_override;
  JudgeByMethod(as_told, out);
}

}  // namespace falconer::policy
