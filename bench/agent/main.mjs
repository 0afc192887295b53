// The benchmark of the built-in agent: what the loop costs beside the model and the page, how much a model has to
// read, and how fast pages are crawled.

import { Figures } from '../common/figures.mjs';
import { conclude, runProgram } from '../common/program.mjs';
import { crawlFigures } from './crawl.mjs';
import { loopFigures } from './loop.mjs';
import { kUsage, readSettings } from './settings.mjs';
import { tokenFigures } from './tokens.mjs';

const kMeasures = { loop: loopFigures, tokens: tokenFigures, crawl: crawlFigures };

async function measure(settings) {
  const figures = new Figures();
  const rows = [];
  for (const part of settings.parts) rows.push(...await kMeasures[part](settings, figures));
  return conclude(settings, rows, figures);
}

await runProgram({ usage: kUsage, readSettings, measure });
