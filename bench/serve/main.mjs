// The benchmark of the server: what a call over HTTP costs, and what a crowd that listens and watches does to it.

import { Figures } from '../common/figures.mjs';
import { conclude, runProgram } from '../common/program.mjs';
import { measureCalls } from './measure_calls.mjs';
import { measureCopies } from './measure_copies.mjs';
import { measureCrowd } from './measure_crowd.mjs';
import { measureMemory } from './measure_memory.mjs';
import { measurePicture } from './measure_picture.mjs';
import { makeRows, overview } from './rows.mjs';
import { kUsage, readSettings } from './settings.mjs';
import { Site } from './site.mjs';

const kMeasures = {
  call: measureCalls,
  crowd: measureCrowd,
  copies: measureCopies,
  picture: measurePicture,
  memory: measureMemory,
};

async function measure(settings) {
  const site = await Site.start();
  const figures = new Figures();
  for (const part of settings.parts) await kMeasures[part](settings, site, figures);
  await site.stop();
  if (settings.parts.includes('call')) process.stdout.write(`${overview(figures)}\n`);
  return conclude(settings, makeRows(figures, settings), figures);
}

await runProgram({ usage: kUsage, readSettings, measure });
