// What a job tells on its way, until it is over. A connection that breaks is made again behind the last word.

import { type Api, ApiError } from './api';
import { EventReader } from './event_reader';
import type { Job } from './learned_types';
import type { JsonObject } from './types';

const kPause = 1000;
// Broken connections in a row without a word between them.
const kMostBreaks = 5;

function objectOf(text: string): JsonObject {
  return JSON.parse(text) as JsonObject;
}

/** The job as it ended. Fails as the server does, or when `signal` ends it. */
export async function followJob(api: Api, id: string, tell: (news: JsonObject) => void, signal: AbortSignal, pause = kPause): Promise<Job> {
  const reader = new EventReader();
  for (let breaks = 0; breaks < kMostBreaks; breaks += 1) {
    try {
      for await (const event of eventsOf(api, id, reader, signal)) {
        breaks = 0;
        if (event.name === 'news') tell(objectOf(event.data));
      }
      const job = await api.job(id, signal);
      if (job.status !== 'running' && job.status !== 'queued') return job;
    } catch (error) {
      if (signal.aborted || (error instanceof ApiError && error.status !== 0)) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
  throw new ApiError(0, 'UNREACHABLE', 'The server cannot be reached.');
}

async function* eventsOf(api: Api, id: string, reader: EventReader, signal: AbortSignal): AsyncGenerator<{ name: string; data: string }> {
  const response = await api.jobEvents(id, reader.lastId, signal);
  if (!response.body) return;
  reader.reset();
  for await (const piece of response.body.pipeThrough(new TextDecoderStream())) yield* reader.push(piece);
}
