#pragma once
// EgressExchange: one admitted request with its host: connected, sent, answered. Bodies pass in
// both directions piece by piece; a tunnel or a WebSocket goes on until it ends.

#include <expected>
#include <string>

#include "net/egress/body_pass.h"
#include "net/egress/client_side.h"
#include "net/egress/egress_record.h"

namespace falconer::net {

class EgressExchange {
 public:
  // Everything must outlive Run().
  EgressExchange(ClientSide& side, const EgressKit& kit, RequestParser& request,
                 EgressRecord& record, EgressTarget target);

  // What comes next, or what to tell the client, which has got nothing of an answer yet. Ends the
  // record unless it returns a refusal.
  Task<std::expected<NextUp, EgressRefusal>> Run();

 private:
  using Step = std::expected<void, EgressRefusal>;
  using Answered = std::expected<NextUp, EgressRefusal>;

  Task<Step> Reach();
  Task<std::expected<ReachedHost, EgressRefusal>> ReachAnew();
  std::expected<bool, EgressRefusal> TakeKept();
  Task<Answered> Relay();
  Task<Answered> RelayWithBody(std::string head);
  Task<Passed> Upload(std::string head);
  Task<EgressRefusal> UploadUnlessBroken(std::string head);
  Task<Answered> Respond();
  Task<Step> ReadAnswerHead();
  Task<Step> ReadOneHead();
  Task<NextUp> Download();
  NextUp EndDownload(Passed passed, NextUp next);
  Task<NextUp> Tunnel(std::string name, std::string opening, int status);
  Framing RequestFraming() const;
  Framing AnswerFraming() const;
  EgressRefusal HostBroke() const;
  // The object stays: somebody may be writing to it.
  void DropHost();

  ClientSide& side_;
  const EgressKit& kit_;
  RequestParser& request_;
  EgressRecord& record_;
  EgressTarget target_;
  std::optional<ResponseParser> response_;
  bool is_uploaded_ = false;
  bool is_answering_ = false;  // the client has got the first bytes of an answer
};

}  // namespace falconer::net
