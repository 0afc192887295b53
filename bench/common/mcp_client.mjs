// An MCP client: as little as a benchmark needs, so that what is measured is the server. How messages get there is
// for those who extend it: request(method, params) gives the result, notify(method) waits for nothing.

const kRevision = '2025-11-25';

export class McpClient {
  async initialize() {
    const { protocolVersion } = await this.request('initialize', {
      protocolVersion: kRevision,
      capabilities: {},
      clientInfo: { name: 'falconer-bench', version: '1' },
    });
    await this.notify('notifications/initialized');
    return protocolVersion;
  }

  async listTools() {
    return (await this.request('tools/list', {})).tools;
  }

  // The text of the answer; fails when the tool did. `trace` joins the call to a trace (a W3C traceparent).
  async call(name, args, trace) {
    const meta = trace === undefined ? {} : { _meta: { traceparent: trace } };
    const result = await this.request('tools/call', { name, arguments: args, ...meta });
    const text = result.content.map(part => part.text ?? JSON.stringify(part)).join('\n') +
        (result.structuredContent ? JSON.stringify(result.structuredContent) : '');
    if (result.isError) throw new Error(`${name}: ${text}`);
    return text;
  }
}
