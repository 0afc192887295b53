// Writes steps in the selector grammar: `role=button[name="Save"]`, `text="Sign in"`, `css=#id`, chained by ` >> `.
// A quoted text means the whole text; `/pattern/flags` is a regular expression; a bare text is a substring.

import type { Step } from './engines';
import type { MatchMode } from '../text';

export function serialise(steps: Step[]): string {
  return steps.map(serialiseStep).join(' >> ');
}

function serialiseStep(step: Step): string {
  switch (step.engine) {
    case 'role':
      return `role=${step.role}${step.name === undefined ? '' : `[name=${value(step.name, step.mode, step.flags)}]`}`;
    case 'nth':
      return `nth=${step.index}`;
    case 'css':
    case 'xpath':
      return `${step.engine}=${step.body}`;
    case 'id':
    case 'testid':
      return `${step.engine}=${/^[\w:.-]+$/.test(step.body ?? '') ? step.body : quote(step.body ?? '')}`;
    default:
      return `${step.engine}=${value(step.body ?? '', step.mode, step.flags)}`;
  }
}

function value(text: string, mode: MatchMode = 'substring', flags = ''): string {
  if (mode === 'exact') return quote(text);
  return mode === 'regex' ? `/${text.replace(/\//g, '\\/')}/${flags}` : text;
}

function quote(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}
