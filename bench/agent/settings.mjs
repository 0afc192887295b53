// What the benchmark was asked to do.

import { readCommon, usageOf } from '../common/settings.mjs';

export const kParts = ['loop', 'tokens', 'crawl'];
export const kUsage = usageOf('agent', kParts, 'steps of the loop');

export function readSettings(args, environment) {
  return readCommon('agent', kParts, args, environment);
}
