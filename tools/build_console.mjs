// Bundles web/console into the files that the server embeds: index.html, and script, style and icon under
// names that tell their content. Run directly it writes them to build/console (or the folder given);
// tests import bundle() instead, so that they never run a stale file.
import { createHash } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const source = (name) => path.join(root, 'web/console', name);
const options = {
  bundle: true,
  write: false,
  target: 'chrome123',
  minify: true,
  legalComments: 'none',
  logLevel: 'silent',
};

/** Modules of the console, for tests: what they export, as one. */
export async function load(...modules) {
  const all = modules.map((name) => `export * from './${name}';`).join('\n');
  const result = await build({
    ...options, stdin: { contents: all, resolveDir: source('src'), loader: 'ts' }, format: 'esm', minify: false,
  });
  return import(`data:text/javascript;base64,${Buffer.from(result.outputFiles[0].contents).toString('base64')}`);
}

async function bundled(entry, more) {
  const result = await build({ ...options, entryPoints: [source(entry)], ...more });
  return Buffer.from(result.outputFiles[0].contents);
}

function named(stem, suffix, content) {
  const digest = createHash('sha256').update(content).digest('hex').slice(0, 12);
  return { name: `${stem}.${digest}.${suffix}`, content };
}

/** [{name, content}]. */
export async function bundle() {
  const script = named('console', 'js', await bundled('src/main.tsx', { format: 'iife' }));
  const style = named('console', 'css', await bundled('style/main.css'));
  const icon = named('icon', 'svg', await readFile(source('icon.svg')));
  const page = (await readFile(source('index.html'), 'utf8'))
    .replace('SCRIPT', `/console/${script.name}`)
    .replace('STYLE', `/console/${style.name}`)
    .replace('ICON', `/console/${icon.name}`);
  return [{ name: 'index.html', content: Buffer.from(page) }, script, style, icon];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const out = path.resolve(process.argv[2] ?? path.join(root, 'build/console'));
  const files = await bundle();
  await rm(out, { recursive: true, force: true });
  await mkdir(out, { recursive: true });
  for (const file of files) await writeFile(path.join(out, file.name), file.content);
  const size = files.reduce((sum, file) => sum + file.content.length, 0);
  console.log(`${out}: ${(size / 1024).toFixed(1)} KB`);
}
