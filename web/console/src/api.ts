// Everything the console asks the server for. Nothing else in the console knows a route.

import type { Confidence, Job, LearnedWorkflow, Predictions, Recording, RunWish, Transition, WorkflowLine } from './learned_types';
import type {
  Approval, Decision, Json, JsonObject, LedgerRecord, PageState, PolicyAnswer, PolicyStatus, QuotaStatus, RecordFilter,
  RecordPage, Role, SessionInfo, Verification,
} from './types';

/** Why the server did not answer as asked (a problem document), or could not be reached (status 0). */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly retryAfterMs: number | null = null,
    readonly denialId: string | null = null,
  ) {
    super(message);
  }

  /** The server has no such route: it is older, or this part of it is off. */
  get isAbsent(): boolean {
    const isUnknownPath = this.status === 404 && this.message.startsWith('there is nothing at');
    return isUnknownPath || this.status === 405 || this.status === 501;
  }
  get isWrongKey(): boolean {
    return this.status === 401;
  }
  get isForbidden(): boolean {
    return this.status === 403;
  }
}

export interface PolicyQuestion {
  action?: string;
  capabilities?: string[];
  url?: string;
  label?: string;
  amount?: string;
  agent?: string;
  method?: string;
}

/** One route, as the document of routes has it. */
interface Offer {
  method: string;
  path: RegExp;
  roles: Role[] | undefined;
}

type Fetcher = (input: string, init?: RequestInit) => Promise<Response>;
const kNoStreams = 'Streaming is off at this server.';

const kYaml = 'application/yaml';

type Query = Record<string, string | number | undefined>;

// How many records are looked at when the newest that match are wanted: first a few, then more, at most so often.
const kFirstWindow = 50;
const kLastWindow = 500;
const kMostWindows = 20;

export class Api {
  private offered: Offer[] | null = null;
  private role: Role | null = null;

  constructor(
    readonly key: string,
    private readonly fetcher: Fetcher = (input, init) => fetch(input, init),
    private readonly base = '',
  ) {}

  // --- what there is, and who asks

  /** Reads which routes the server has, so that what it has not is not asked for. */
  async learn(signal?: AbortSignal): Promise<void> {
    const document = await this.get<{ paths: Record<string, JsonObject> }>('/openapi.json', {}, signal);
    this.offered = Object.entries(document.paths).flatMap(([pattern, methods]) => Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      roles: ((operation ?? {}) as JsonObject)['x-falconer-roles'] as Role[] | undefined,
      path: new RegExp(`^${pattern.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{[^}]*\}/g, '[^/]+')}$`),
    })));
  }
  /** True as long as nobody knows better. */
  offers(method: string, path: string): boolean {
    return this.offered === null || this.offerFor(method, path) !== undefined;
  }

  async whoami(signal?: AbortSignal): Promise<Role> {
    this.role = (await this.get<{ role: Role }>('/v1/whoami', {}, signal)).role;
    return this.role;
  }

  // --- sessions

  async sessions(signal?: AbortSignal): Promise<SessionInfo[]> {
    return (await this.get<{ sessions: SessionInfo[] }>('/v1/sessions', {}, signal)).sessions;
  }
  state(session: string, scope: string, signal?: AbortSignal): Promise<PageState> {
    return this.get(`/v1/sessions/${part(session)}/state`, { scope }, signal);
  }
  /** From when this is answered the person drives, and agents do not. */
  async takeOver(session: string, person: string): Promise<void> {
    await this.ask('POST', `/v1/sessions/${part(session)}/takeover`, { body: { person } });
  }
  async handBack(session: string, person: string): Promise<void> {
    await this.ask('POST', `/v1/sessions/${part(session)}/handback`, { body: { person } });
  }

  /** A socket that opens, or why there is none. The key goes along as a subprotocol: browsers send no headers here. */
  async openStream(session: string, signal: AbortSignal): Promise<WebSocket | string> {
    const path = `/stream/${part(session)}`;
    if (!this.offers('GET', path)) return kNoStreams;
    const status = await this.get<{ enabled?: boolean }>(`${path}/status`, {}, signal);
    if (status.enabled === false) return kNoStreams;
    const address = new URL(path, location.href);
    address.protocol = location.protocol === 'https:' ? 'wss:' : 'ws:';
    const socket = new WebSocket(address, ['falconer.stream.1', `falconer.key.${this.key}`]);
    socket.binaryType = 'arraybuffer';
    return socket;
  }

  // --- approvals

  async approvals(signal?: AbortSignal): Promise<Approval[]> {
    return (await this.get<{ approvals: Approval[] }>('/v1/approvals', {}, signal)).approvals;
  }
  async decide(id: string, decision: Decision): Promise<Approval> {
    return (await this.ask('POST', `/v1/approvals/${part(id)}/decision`, { body: { ...decision } })).json() as Promise<Approval>;
  }

  // --- the ledger

  verification(signal?: AbortSignal): Promise<Verification> {
    return this.get('/v1/ledger/verification', {}, signal);
  }
  /** Oldest first, from the record `cursor` on. */
  records(filter: RecordFilter, cursor: number, limit: number, signal?: AbortSignal): Promise<RecordPage> {
    return this.get('/v1/ledger/records', { ...filter, cursor, limit }, signal);
  }
  record(seq: number, signal?: AbortSignal): Promise<LedgerRecord> {
    return this.get(`/v1/ledger/records/${seq}`, {}, signal);
  }
  proof(seq: number): Promise<JsonObject> {
    return this.get(`/v1/ledger/records/${seq}/proof`);
  }

  /**
   * The newest records that match, newest first, of those before `before` (0: of all). The server reads
   * forwards only, so windows are read from the end backwards. `from` is where the search stopped: 1 when
   * everything was looked at.
   */
  async newestRecords(filter: RecordFilter, before: number, count: number, signal?: AbortSignal): Promise<{ records: LedgerRecord[]; from: number }> {
    let end = before > 0 ? before : (await this.records({}, 1, 1, signal)).last_seq + 1;
    let found: LedgerRecord[] = [];
    let size = Math.min(Math.max(count, kFirstWindow), kLastWindow);
    for (let window = 0; window < kMostWindows && end > 1 && found.length < count; window += 1) {
      const begin = Math.max(1, end - size);
      const page = await this.records(filter, begin, size, signal);
      size = Math.min(size * 2, kLastWindow);
      found = found.concat(page.records.filter((record) => record.seq < end).reverse());
      end = begin;
    }
    if (found.length <= count) return { records: found, from: end };
    const kept = found.slice(0, count);
    return { records: kept, from: kept[kept.length - 1]!.seq };
  }

  // --- runs

  trace(id: string, signal?: AbortSignal): Promise<JsonObject> {
    return this.get(`/v1/traces/${part(id)}`, { limit: 100 }, signal);
  }
  async artifact(workflow: string, id: string, signal?: AbortSignal): Promise<Blob> {
    return (await this.ask('GET', `/v1/workflows/${part(workflow)}/artifacts/${part(id)}`, { signal })).blob();
  }

  // --- control

  policy(signal?: AbortSignal): Promise<PolicyStatus> {
    return this.get('/v1/policy', {}, signal);
  }
  async explain(question: PolicyQuestion): Promise<PolicyAnswer> {
    return (await this.ask('POST', '/v1/policy/explain', { body: { ...question } })).json() as Promise<PolicyAnswer>;
  }
  quotas(signal?: AbortSignal): Promise<QuotaStatus> {
    return this.get('/v1/quotas', {}, signal);
  }
  load(signal?: AbortSignal): Promise<JsonObject> {
    return this.get('/v1/load', {}, signal);
  }

  // --- what was learnt

  async transitions(count: number, signal?: AbortSignal): Promise<Transition[]> {
    return (await this.get<{ transitions: Transition[] }>('/transitions/top', { k: count }, signal)).transitions;
  }
  /** The counters of the prediction loop. */
  async predictNumbers(signal?: AbortSignal): Promise<JsonObject> {
    return (await this.ask('GET', '/metrics', { signal, headers: { Accept: 'application/json' } })).json() as Promise<JsonObject>;
  }
  predictions(session: string, count: number, signal?: AbortSignal): Promise<Predictions> {
    return this.get('/predictions', { session, k: count }, signal);
  }
  async learnedWorkflows(signal?: AbortSignal): Promise<WorkflowLine[]> {
    return (await this.get<{ workflows: WorkflowLine[] }>('/v1/workflows', {}, signal)).workflows;
  }
  learnedWorkflow(name: string, signal?: AbortSignal): Promise<LearnedWorkflow> {
    return this.get(`/v1/workflows/${part(name)}`, {}, signal);
  }
  async workflowYaml(name: string, signal?: AbortSignal): Promise<string> {
    return (await this.ask('GET', `/v1/workflows/${part(name)}`, { signal, headers: { Accept: kYaml } })).text();
  }
  async putWorkflowYaml(name: string, yaml: string): Promise<LearnedWorkflow> {
    return (await this.ask('PUT', `/v1/workflows/${part(name)}`, { text: yaml, headers: { 'Content-Type': kYaml } })).json() as Promise<LearnedWorkflow>;
  }
  async deleteWorkflow(name: string): Promise<void> {
    await this.ask('DELETE', `/v1/workflows/${part(name)}`, {});
  }
  stepConfidence(name: string, signal?: AbortSignal): Promise<Confidence> {
    return this.get(`/v1/workflows/${part(name)}/confidence`, {}, signal);
  }
  /** The job that does it. */
  async runWorkflow(name: string, wish: RunWish): Promise<string> {
    const answer = await this.ask('POST', `/v1/workflows/${part(name)}/run`, { body: { ...wish }, headers: { Prefer: 'respond-async' } });
    return ((await answer.json()) as Job).job;
  }
  async recordings(signal?: AbortSignal): Promise<Recording[]> {
    return (await this.get<{ recordings: Recording[] }>('/v1/recordings', {}, signal)).recordings;
  }
  async beginRecording(workflow: string, session: string): Promise<Recording> {
    return (await this.ask('POST', '/v1/recordings', { body: { workflow, session } })).json() as Promise<Recording>;
  }
  async endRecording(id: string): Promise<LearnedWorkflow> {
    return (await this.ask('POST', `/v1/recordings/${part(id)}/end`, {})).json() as Promise<LearnedWorkflow>;
  }
  async dropRecording(id: string): Promise<void> {
    await this.ask('DELETE', `/v1/recordings/${part(id)}`, {});
  }

  // --- jobs

  job(id: string, signal?: AbortSignal): Promise<Job> {
    return this.get(`/v1/jobs/${part(id)}`, {}, signal);
  }
  async cancelJob(id: string): Promise<void> {
    await this.ask('DELETE', `/v1/jobs/${part(id)}`, {});
  }
  /** The open stream of what a job tells, from behind `lastId` on. */
  jobEvents(id: string, lastId: string, signal: AbortSignal): Promise<Response> {
    const headers: Record<string, string> = { Accept: 'text/event-stream' };
    if (lastId) headers['Last-Event-ID'] = lastId;
    return this.ask('GET', `/v1/jobs/${part(id)}/events`, { signal, headers });
  }

  // --- news

  /** The open stream of events, from behind `lastId` on. */
  events(lastId: string, signal: AbortSignal): Promise<Response> {
    const headers: Record<string, string> = { Accept: 'text/event-stream' };
    if (lastId) headers['Last-Event-ID'] = lastId;
    return this.ask('GET', '/v1/events', { signal, headers });
  }

  private offerFor(method: string, path: string): Offer | undefined {
    const plain = path.split('?', 1)[0]!;
    return this.offered?.find((offer) => offer.method === method && offer.path.test(plain));
  }

  // What the server would refuse anyway is not sent; it says so itself where this does not know.
  private checkOffer(method: string, path: string): void {
    if (!this.offers(method, path)) throw new ApiError(404, 'NOT_FOUND', `there is nothing at ${path}`);
    const roles = this.offerFor(method, path)?.roles;
    if (this.role && roles && !roles.includes(this.role)) {
      throw new ApiError(403, 'FORBIDDEN', `a key for the role ${this.role} may not do this`);
    }
  }

  private async get<T>(path: string, query: Query = {}, signal?: AbortSignal): Promise<T> {
    const pairs = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
    const text = new URLSearchParams(pairs.map(([name, value]) => [name, String(value)])).toString();
    return (await this.ask('GET', text ? `${path}?${text}` : path, { signal })).json() as Promise<T>;
  }

  private async ask(method: string, path: string, options: {
    signal?: AbortSignal; body?: JsonObject; text?: string; headers?: Record<string, string>;
  }): Promise<Response> {
    this.checkOffer(method, path);
    const headers: Record<string, string> = { Authorization: `Bearer ${this.key}`, ...options.headers };
    if (options.body) headers['Content-Type'] = 'application/json';
    let response: Response;
    try {
      response = await this.fetcher(this.base + path, {
        method, headers, signal: options.signal ?? null, cache: 'no-store', credentials: 'omit', redirect: 'error',
        body: options.body ? JSON.stringify(options.body) : options.text ?? null,
      });
    } catch (error) {
      if (options.signal?.aborted) throw error;
      throw new ApiError(0, 'UNREACHABLE', 'The server cannot be reached.');
    }
    if (response.ok) return response;
    throw await errorOf(response);
  }
}

function part(text: string): string {
  return encodeURIComponent(text);
}

async function errorOf(response: Response): Promise<ApiError> {
  let problem: JsonObject = {};
  try {
    const body: unknown = await response.json();
    if (typeof body === 'object' && body !== null) problem = body as JsonObject;
  } catch {
    // Whatever stands between may answer with anything; the status is what is left.
  }
  const text = (value: Json | undefined): string | null => (typeof value === 'string' ? value : null);
  const number = (value: Json | undefined): number | null => (typeof value === 'number' ? value : null);
  return new ApiError(response.status, text(problem['code']) ?? `HTTP_${response.status}`,
    text(problem['detail']) ?? `The server answered ${response.status}.`, number(problem['retry_after_ms']), text(problem['denial_id']));
}

/** What went wrong, for people. */
export function explainError(error: unknown): string {
  if (error instanceof ApiError) {
    if (error.isAbsent) return 'This server does not offer this.';
    if (error.isWrongKey) return 'The server does not know this key.';
    if (error.isForbidden) return `This key may not do that: ${error.message}.`;
    const wait = error.retryAfterMs ? ` Try again in ${Math.ceil(error.retryAfterMs / 1000)} s.` : '';
    return error.status === 0 ? error.message : `${error.message} (${error.code}).${wait}`;
  }
  return error instanceof Error ? error.message : String(error);
}
