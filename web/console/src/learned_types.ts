// What the server answers about learned workflows and predictions, as far as the console looks at it.

import type { JsonObject } from './types';

export interface Transition {
  /** Signatures; "" where a sequence begins (from) or ends (to). */
  from: string;
  to: string;
  from_symbol: string;
  to_symbol: string;
  count: number;
  probability?: number;
}

export interface Prediction {
  symbol: string;
  signature?: string;
  intent?: string;
  confidence: number;
  source?: string;
  seen?: number;
  present?: boolean | null;
}

export interface Predictions {
  page?: string;
  predictions: Prediction[];
  plan?: { execute: boolean; reason: string; threshold?: number };
}

export interface WorkflowLine {
  name: string;
  version: number;
  about?: string;
  recordings: number;
  steps: number;
  parameters: string[];
}

export interface Healed {
  selector: string;
  instead_of?: string;
  turn?: string;
  at_ms?: number;
  score?: number;
  margin?: number;
  ranker?: string;
}

export interface WorkflowStep {
  id: string;
  intent?: string;
  contract: JsonObject;
  element?: JsonObject;
  page?: string;
  signature?: string;
  recordings?: number;
  by?: string;
  healed?: Healed[];
}

export interface WorkflowParameter {
  name: string;
  about?: string;
  default?: string;
}

export interface LearnedWorkflow {
  name: string;
  version?: number;
  about?: string;
  recordings?: number;
  parameters?: WorkflowParameter[];
  steps: WorkflowStep[];
}

export interface StepConfidence {
  id: string;
  confidence: number;
  source?: string;
  seen?: number;
}

export interface Confidence {
  version: number;
  steps: StepConfidence[];
}

export interface Recording {
  id: string;
  workflow: string;
  session: string;
  steps: number;
  began_at: string;
}

export interface RunWish {
  session?: string;
  parameters: Record<string, string>;
  profile?: string;
  dry_run: boolean;
  ask_model: boolean;
}

export interface RunStep {
  step?: string;
  intent?: string;
  confidence?: number;
  source?: string;
  reason?: string;
  decision?: string;
  by?: string;
  took_ms?: number;
  turn_id?: string;
  healed?: Healed;
  error?: { code?: string; message?: string };
}

export interface RunCandidate {
  ref?: string;
  role?: string;
  name?: string;
  item?: string;
  score?: number;
}

export interface RunResult {
  run?: string;
  outcome: string;
  reason?: string;
  steps?: RunStep[];
  question?: { text?: string; why?: string; candidates?: RunCandidate[] };
  error?: { code?: string; message?: string };
}

export interface Job {
  job: string;
  status: string;
  result?: RunResult;
  problem?: { detail?: string; code?: string };
}
