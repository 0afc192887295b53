// What the contestants that are MCP servers have in common.

import { Contestant } from '../common/contestant.mjs';
import { StdioMcpClient } from '../common/stdio_mcp_client.mjs';

export class McpContestant extends Contestant {
  client = null;

  // `command` and `args` of the server are given by the contestant itself.
  async start() {
    this.client = new StdioMcpClient({ ...this.server(), cwd: this.folder, env: this.environment() });
    await this.client.initialize();
  }

  async call(name, args, transcript) {
    const text = await this.client.call(name, args);
    transcript?.add(`${name} ${JSON.stringify(args)}`, text);
    return text;
  }

  async navigate(url, transcript) {
    return this.call('browser_navigate', { url }, transcript);
  }

  async look(transcript) {
    return this.call('browser_snapshot', {}, transcript);
  }

  async click(target, transcript) {
    return this.call('browser_click', { target }, transcript);
  }

  async shut() {
    await this.client?.stop();
  }
}
