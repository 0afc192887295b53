#pragma once
// CheckedWeb: a small client for http:// and https:// that goes only where the egress rule lets it,
// for what the program itself sends out at the wish of others. As with the proxy, the name is
// looked up once, every address is put to the rule, and one of exactly those is dialled.

#include "net/egress/egress_options.h"
#include "net/egress/egress_rule.h"
#include "net/egress/resolver.h"
#include "net/https_client.h"

namespace falconer::net {

class CheckedWeb {
 public:
  // Both must outlive it. Of the options those about reaching hosts count.
  CheckedWeb(Resolver& resolver, EgressRule& rule, EgressOptions options = {}, TlsTrust trust = {});

  // As SendWeb; kSecurityDomainBlock with details reason, rule and denial_id for what the rule
  // refuses. It must outlive the call.
  Task<Result<HttpReply>> Send(CallContext ctx, HttpCall call);

 private:
  Resolver& resolver_;
  EgressRule& rule_;
  EgressOptions options_;
  TlsTrust trust_;
};

}  // namespace falconer::net
