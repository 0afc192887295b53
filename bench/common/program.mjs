// A benchmark as a program: its command line, its report, its exit status, and that nothing outlives it.
// Exit status: 0 when everything was measured, 1 when something could not be, 2 for wrong usage.

import { endAll } from './contestant.mjs';
import { formatTable, writeJson } from './report.mjs';

// Writes the rows down and shows them, with everything that went wrong; the exit status.
export function conclude(settings, rows, figures) {
  writeJson(settings.out, rows);
  process.stdout.write(formatTable(rows));
  for (const miss of new Set(figures.missed)) console.error(`missed: ${miss}`);
  for (const failure of new Set(figures.failed)) console.error(`not measured: ${failure}`);
  return figures.failed.length + figures.missed.length === 0 ? 0 : 1;
}

async function runOnce({ usage, readSettings, measure }) {
  let settings;
  try {
    settings = readSettings(process.argv.slice(2), process.env);
  } catch (error) {
    console.error(`${error.message}\n\n${usage}`);
    return 2;
  }
  if (settings.wantsHelp) {
    process.stdout.write(usage);
    return 0;
  }
  return measure(settings);
}

// `measure` gets the settings and gives the exit status.
export async function runProgram(program) {
  for (const [signal, number] of [['SIGINT', 2], ['SIGTERM', 15], ['SIGHUP', 1]]) {
    process.once(signal, () => {
      endAll();
      process.exit(128 + number);
    });
  }
  process.once('exit', endAll);
  process.exit(await runOnce(program));
}
