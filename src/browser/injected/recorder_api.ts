// Handlers of the recorder.

import { numberArg } from './arguments';
import { beginRecording, endRecording, flushRecording, handOverRecording, renewRecording } from './recorder/recorder';
import type { Handlers } from './result';

export const handlers: Handlers = {
  // From now on what people do here is told.
  record() {
    beginRecording();
    return {};
  },
  // The same, should this world have come from another document.
  record_anew() {
    renewRecording();
    return {};
  },
  // What is typed and not told yet is told now.
  record_flush() {
    flushRecording();
    return {};
  },
  // Who acts from now on, and who did until now; see Hand.
  record_hand(args) {
    handOverRecording(numberArg(args, 'from'), numberArg(args, 'to'));
    return {};
  },
  record_end() {
    endRecording();
    return {};
  },
};
