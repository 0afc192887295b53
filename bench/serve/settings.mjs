// What the benchmark was asked to do.

import { readCommon, usageOf } from '../common/settings.mjs';

export const kParts = ['call', 'crowd', 'copies', 'picture', 'memory'];
export const kUsage = usageOf('serve', kParts, 'calls, turns before a crowd, and changes of the picture');

export function readSettings(args, environment) {
  return {
    ...readCommon('serve', kParts, args, environment),
    subscribers: 200,
    viewers: 50,
    // Of the viewers, those who take one picture in a second.
    slowViewers: 10,
    copySeconds: 8,
  };
}
