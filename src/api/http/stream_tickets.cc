#include "api/http/stream_tickets.h"

#include "base/random.h"
#include "base/sha256.h"

namespace falconer::api {
namespace {

constexpr std::size_t kMostTickets = 4096;
constexpr std::size_t kTicketBytes = 32;

}  // namespace

Result<std::string> StreamTickets::Issue(std::string session) {
  const TimePoint now = clock_.Now();
  std::erase_if(tickets_, [now](const auto& entry) { return entry.second.until <= now; });
  if (tickets_.size() >= kMostTickets)
    return Fail(ErrorCode::kQueueFull, "too many tickets are out already");
  std::string ticket = "ft_" + RandomHex(kTicketBytes);
  tickets_.emplace(Sha256Hex(ticket), Ticket{std::move(session), now + kLifetime});
  return ticket;
}

bool StreamTickets::Admits(std::string_view ticket, std::string_view session) const {
  const auto found = tickets_.find(Sha256Hex(ticket));
  return found != tickets_.end() && found->second.session == session &&
         clock_.Now() < found->second.until;
}

}  // namespace falconer::api
