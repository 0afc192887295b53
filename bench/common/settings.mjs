// What a benchmark was asked to do: command line and environment, checked once.

import { parseArgs } from 'node:util';

export function usageOf(name, parts, samples) {
  return `Usage: bench_${name} [OPTIONS]

  --only PARTS     measure only these, with commas: ${parts.join(', ')}
  --out FILE       where the rows are written (build/bench/${name}.json)
  --falconer FILE  the program to measure
  --help           this text

  BENCH_SAMPLES    ${samples} (100)
  BENCH_CHROMIUM   full path of the browser (/usr/bin/chromium-headless-shell)
`;
}

export function wholeNumber(name, text) {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new Error(`${name}: expected a whole number from 1, got "${text}"`);
  return Number(text);
}

function readParts(text, all) {
  const parts = text.split(',');
  const unknown = parts.find(part => !all.includes(part));
  if (unknown !== undefined) throw new Error(`--only: there is no part "${unknown}"; there are ${all.join(', ')}`);
  return parts;
}

// Throws on what is unknown or out of range, naming it.
export function readCommon(name, parts, args, environment) {
  const { values } = parseArgs({
    args,
    options: {
      only: { type: 'string', default: parts.join(',') },
      out: { type: 'string', default: `build/bench/${name}.json` },
      falconer: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (!values.falconer && !values.help) throw new Error('--falconer: is required');
  return {
    parts: readParts(values.only, parts),
    out: values.out,
    falconer: values.falconer,
    wantsHelp: values.help,
    samples: wholeNumber('BENCH_SAMPLES', environment.BENCH_SAMPLES ?? '100'),
    block: 20,
    chromium: environment.BENCH_CHROMIUM ?? '/usr/bin/chromium-headless-shell',
  };
}
