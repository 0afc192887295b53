// What the benchmark was asked to do.

import { readCommon, usageOf } from '../common/settings.mjs';

export const kParts = ['form', 'click', 'start', 'hold'];
export const kUsage = usageOf('mcp', kParts, 'clicks per contestant');

export function readSettings(args, environment) {
  return { ...readCommon('mcp', kParts, args, environment), formRounds: 3, startRounds: 7 };
}
