// The demo's shop as a child, and what happened in it.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { built } from '../mcp/harness.mjs';

export async function startShop() {
  const child = spawn(built('serve_shop'), [], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const next = async () => JSON.parse((await lines.next()).value);
  const { shop, collector, password } = await next();
  return {
    url: (path) => new URL(path, shop).href,
    host: new URL(shop).host,
    collector,
    password,
    // {"orders", "collected"} until now.
    tell: () => (child.stdin.write('tell\n'), next()),
    stop: () => child.stdin.end(),
  };
}
