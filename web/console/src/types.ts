// What the server answers, as far as the console looks at it. Everything that is not always there is
// optional: a page shows what it gets.

export type Json = null | boolean | number | string | Json[] | JsonObject;
export interface JsonObject {
  [key: string]: Json | undefined;
}

export type Role = 'agent' | 'viewer' | 'approver' | 'operator';

export interface SessionInfo {
  session: string;
  session_id: string;
  browser?: number;
  tabs?: number;
  opened_at?: string;
  last_used_at?: string;
  driver?: Driver;
}

/** Who drives a session now. */
export interface Driver {
  kind: 'agent' | 'person';
  person?: string;
  since?: string;
  reason?: string;
}

export interface NamedValue {
  name: string;
  value: string;
}

export interface PreviewFile {
  field: string;
  name: string;
  content_type: string;
  is_known: boolean;
  bytes: number;
  sha256: string;
}

export interface Preview {
  method: string;
  url: string;
  headers: NamedValue[];
  form: string;
  body_bytes: number;
  body_sha256?: string;
  is_body_whole: boolean;
  is_cut: boolean;
  masked: number;
  effect: string;
  fields?: NamedValue[];
  files?: PreviewFile[];
  body?: string;
}

export interface ApprovalTerms {
  who: string;
  count: number;
  timeout_ms?: number;
  approvers?: string[];
  message?: string;
}

export interface Approval {
  request_id: string;
  tenant: string;
  agent_id: string;
  action_type: string;
  description: string;
  risk_level: string;
  risk_reasons: string[];
  triggered_policies: string[];
  digest: string;
  terms: ApprovalTerms;
  asked_ms: number;
  expires_ms: number;
  workflow?: string;
  session?: string;
  turn?: string;
  action_id?: string;
  target_url?: string;
  http_method?: string;
  payload_preview?: string;
  amount?: { value: string; currency?: string };
  preview?: Preview;
  state?: string;
  approvals?: number;
  end_reason?: string;
}

export interface Decision {
  approved: boolean;
  approver: string;
  reason: string;
}

export interface StateElement {
  ref: string;
  role?: string;
  name?: string;
  tag?: string;
  type?: string;
  value_hint?: string;
  filled?: boolean;
  secret?: boolean;
  form?: string;
}

export interface StateForm {
  ref: string;
  fields?: string[];
  submit?: string;
}

export interface PageState {
  state_id: string;
  revision?: number;
  tab_id?: string;
  url: string;
  title?: string;
  elements?: StateElement[];
  texts?: { ref?: string; kind?: string; level?: number; text: string }[];
  forms?: StateForm[];
  errors?: JsonObject[];
  dialogs?: JsonObject[];
  downloads?: JsonObject[];
  console_errors?: JsonObject[];
  tabs?: { tab_id: string; url: string; title?: string; active?: boolean }[];
}

export interface LedgerRecord {
  seq: number;
  kind: string;
  time_ms: number;
  hash: string;
  previous: string;
  payload: JsonObject;
}

export interface RecordFilter {
  workflow?: string;
  session?: string;
  agent?: string;
  action?: string;
  kind?: string;
}

export interface RecordPage {
  records: LedgerRecord[];
  /** The newest record of the chain. */
  last_seq: number;
}

export interface Finding {
  finding: string;
  seq: number;
  file?: string;
  offset?: number;
  detail: string;
}

export interface Verification {
  tenant: string;
  first_seq: number;
  last_seq: number;
  records: number;
  signed_size: number;
  checkpoints: number;
  head: string;
  root?: string;
  findings: Finding[];
}

export interface GateVerdict {
  gate: string;
  outcome_kind: string;
  reason: string;
  code?: string;
  facts?: JsonObject;
  runtime_timestamp_ms?: number;
}

export interface RuleOutcome {
  rule_type: string;
  severity: string;
  verdict: string;
  code?: string;
  detail?: string;
  expected?: Json;
  observed?: Json;
}

export interface WaitOutcome {
  kind: string;
  satisfied: boolean;
  waited_ms?: number;
  observed?: Json;
  error?: { code: string; message: string };
  children?: WaitOutcome[];
}

export interface Attempt {
  n: number;
  cause?: string;
  phase?: string;
  waited_ms?: number;
  backoff_ms?: number;
}

export interface Artifact {
  artifact_id: string;
  bytes: number;
  mime: string;
  name: string;
}

export interface Ruling {
  id: string;
  about: string;
  effect: string;
  rule?: string;
  host?: string;
  risk?: { level: string; reasons?: { text: string }[] };
}

export interface TurnResult {
  action_id?: string;
  turn_id?: string;
  success?: boolean;
  failure?: { code: string; message: string; details?: JsonObject };
  attempts?: Attempt[];
  escalation?: { mode: string; reason: string };
  verification?: { passed: boolean; outcomes: RuleOutcome[] };
  wait_outcomes?: WaitOutcome[];
  network_summary?: JsonObject;
  outcome?: JsonObject;
  artifacts?: Artifact[];
  timings_us?: Record<string, number>;
  state_delta?: JsonObject;
  pre_state_id?: string;
  post_state_id?: string;
  metadata?: { rulings?: Ruling[] } & JsonObject;
}

export interface PolicyStatus {
  // Null when there is none.
  policy: { name: string; version: string; mode: string; digest: string; file: string; since: string; document: JsonObject } | null;
  last_refused: { at: string; problem: { detail: string } } | null;
}

export interface PolicyAnswer {
  verdict: string;
  reason: string;
  // Where something was said that can be judged.
  risk?: { level: string; reasons: { text: string }[] };
  rules: { rule: string; effect: string; capability?: string; when: JsonObject }[];
}

export interface QuotaStatus {
  // A limit of null is none.
  quotas: { name: string; limit: number | null; used?: number; window_ms?: number; resets_in_ms?: number; per?: string }[];
  breakers: { circuits: { domain: string; state: string; failures: number }[] };
  leases: { session: string; epoch: number; expires_at: string }[];
}
