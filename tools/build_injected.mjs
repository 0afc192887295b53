// Bundles src/browser/injected/main.ts into one script that the driver evaluates in an isolated world.
// Run directly it writes build/injected/injected.js (or the path given); tests import bundle() instead,
// so that they never run a stale file.
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');

export async function bundle() {
  const result = await build({
    entryPoints: [path.join(root, 'src/browser/injected/main.ts')],
    bundle: true,
    write: false,
    format: 'iife',
    target: 'chrome120',
    minify: true,
    charset: 'ascii',
    legalComments: 'none',
    logLevel: 'silent',
  });
  return result.outputFiles[0].text;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const out = path.resolve(process.argv[2] ?? path.join(root, 'build/injected/injected.js'));
  const text = await bundle();
  await mkdir(path.dirname(out), { recursive: true });
  await writeFile(out, text);
  console.log(`${out}: ${(text.length / 1024).toFixed(1)} KB`);
}
