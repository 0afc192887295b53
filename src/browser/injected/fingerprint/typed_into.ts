// What holds text that a person types there: its text is the person's, not the page's.

import { closestComposed, matchesCss, queryScope } from '../dom';
import { isEditingHost } from '../aria/roles';

const FIELDS = 'input,select,textarea';
const HOLDERS = 'textarea,[contenteditable]:not([contenteditable="false" i])';

export function isField(el: Element): boolean {
  return matchesCss(el, FIELDS) || closestComposed(el, isEditingHost) !== null;
}

// A field, or something that has one in it.
export function isTypedInto(el: Element): boolean {
  return isField(el) || queryScope(el, HOLDERS).length > 0;
}
