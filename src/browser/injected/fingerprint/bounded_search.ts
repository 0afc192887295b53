// Whether a step names an element alone in its document, on behalf of an action that waits. Looking through a big page
// is dear: each look is counted, and when too many were needed the answer is no.

import { documentOf, queryDeep } from '../dom';
import { roleCandidates } from '../aria/implicit_roles';
import { nameOf } from '../aria/names';
import { roleOf } from '../aria/roles';
import { byTag } from '../projector/projector_document';
import { LABELLED, QUERIES, type Step } from '../selectors/engines';
import { cannotBeNamed } from '../selectors/engine_role';
import { isHiddenForAria } from '../visibility';

// Microseconds for each element that is looked at, as measured on big pages.
const BY_CSS = 0.03;
const BY_ROLE = 0.05;
const BY_NAME = 0.7;
const BY_CONTENT = 15;
const BY_LABEL = 2;
const BY_TEXT = 1;
// After the first of them only who has found nothing yet goes on, up to the second.
const ENOUGH = 500;
const AT_MOST = 3000;

// What is named by all that it holds.
const NAMED_BY_CONTENT = new Set('row option treeitem cell gridcell columnheader rowheader'.split(' '));

export class BoundedSearch {
  private spent = 0;
  private found = 0;
  private readonly size = byTag('*').length;

  isAlone(step: Step, el: Element): boolean {
    const isAlone = step.engine === 'role' ? this.isOnlyNamed(step.role!, step.name!, el) : this.isOnlyFound(step, el);
    if (isAlone) ++this.found;
    return isAlone;
  }

  private affords(cost: number): boolean {
    if (this.spent + cost > (this.found === 0 ? AT_MOST : ENOUGH)) return false;
    this.spent += cost;
    return true;
  }

  private isOnlyFound(step: Step, el: Element): boolean {
    if (!this.affords(this.size * BY_CSS)) return false;
    if (step.engine === 'text' && !this.affords(this.size * BY_TEXT)) return false;
    if (step.engine === 'label' && !this.affords(queryDeep(document, LABELLED).length * BY_LABEL)) return false;
    const found = QUERIES[step.engine]!(step, documentOf(el));
    return found.length === 1 && found[0] === el;
  }

  // Ends with the first namesake.
  private isOnlyNamed(role: string, name: string, el: Element): boolean {
    if (!this.affords(this.size * BY_ROLE)) return false;
    const candidates = queryDeep(document, roleCandidates(role));
    if (!this.affords(candidates.length * (NAMED_BY_CONTENT.has(role) ? BY_CONTENT : BY_NAME))) return false;
    return !candidates.some((other) => other !== el && isNamesake(other, role, name));
  }
}

function isNamesake(el: Element, role: string, name: string): boolean {
  return !cannotBeNamed(el, name) && roleOf(el) === role && !isHiddenForAria(el) && nameOf(el) === name;
}
