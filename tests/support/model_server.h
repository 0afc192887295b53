#pragma once
// ModelServer: stands where a provider would, and answers in turn what a test tells it to, with the
// failures that providers have.

#include <deque>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "base/async/one_shot.h"
#include "net/http_server.h"

namespace falconer::test {

struct ModelReply {
  enum class End {
    kProper,
    kCut,     // in the middle of the body
    kSilent,  // nothing more comes, and nothing ends
  };
  int status = 200;
  std::string type = "application/json";
  std::string body = {};
  net::HttpHeaders headers = {};
  End end = End::kProper;
};

class ModelServer {
 public:
  explicit ModelServer(const CallContext& ctx)
      : ctx_(ctx),
        left_(ctx),
        server_(ctx.executor(), ctx.clock(),
                [this](net::HttpRequest request) { return Answer(this, std::move(request)); }) {
    const auto listening = server_.Listen();
    EXPECT_TRUE(listening) << Describe(listening.error());
  }

  void Then(ModelReply reply) { replies_.push_back(std::move(reply)); }
  std::string url() const { return "http://127.0.0.1:" + std::to_string(server_.port()); }
  const std::vector<net::HttpRequest>& asked() const { return asked_; }
  // Returns once a client hung up on an answer that was silent.
  Task<Result<bool>> UntilLeft() {
    return left_.Wait(ctx_.WithTimeout(std::chrono::seconds(15)), "the client to leave");
  }
  Task<void> Stop() { co_await server_.Stop(ctx_.WithTimeout(std::chrono::seconds(5))); }

 private:
  struct Leaving {
    ModelServer* self;
    ~Leaving() { self->left_.Set(true); }
  };

  static Task<net::HttpResponse> Answer(ModelServer* self, net::HttpRequest request) {
    self->asked_.push_back(std::move(request));
    if (self->replies_.empty()) co_return net::TextResponse(599, "text/plain", "nothing to say");
    ModelReply reply = std::move(self->replies_.front());
    self->replies_.pop_front();
    net::HttpResponse response{.status = reply.status, .headers = reply.headers};
    response.headers.Set("Content-Type", reply.type);
    response.stream = [self, body = std::move(reply.body), end = reply.end](net::BodyWriter* out) {
      return Write(self, out, body, end);
    };
    co_return response;
  }

  static Task<Result<void>> Write(ModelServer* self, net::BodyWriter* out, std::string body,
                                  ModelReply::End end) {
    if (!body.empty()) CO_TRY(co_await out->Write(std::move(body)));
    if (end == ModelReply::End::kCut) co_return Fail(ErrorCode::kIoError, "cut");
    if (end == ModelReply::End::kProper) co_return Result<void>();
    const Leaving leaving{self};
    co_await Alarm(self->ctx_.executor(), self->ctx_.clock()).Wait(Deadline::Never());
    co_return Result<void>();
  }

  CallContext ctx_;
  OneShot<bool> left_;
  std::deque<ModelReply> replies_;
  std::vector<net::HttpRequest> asked_;
  net::HttpServer server_;
};

}  // namespace falconer::test
