#pragma once
// ArtifactResources: what a client's sessions kept, as resources: pictures, documents, downloads
// and what was given for uploads. Listed is what the main session has; what other sessions have is
// read by the links that answers carry.
//
// Contents are bytes, also of texts: what a model reads as text of a page goes through the guard,
// and a file of a page must not get around it.

#include "api/mcp/resource_source.h"
#include "api/tools/tool_context.h"

namespace falconer::api {

class ArtifactResources : public ResourceSource {
 public:
  // `context` must outlive it.
  explicit ArtifactResources(ToolContext& context) : context_(context) {}

  Task<Result<ResourcePage>> List(CallContext ctx, std::string from) override;
  std::vector<ResourceTemplate> Templates() const override;
  // kNotFound; kInvalidArgument for one that is too large to be sent so.
  Task<Result<ResourceReading>> Read(CallContext ctx, std::string uri) override;

 private:
  ToolContext& context_;
};

}  // namespace falconer::api
