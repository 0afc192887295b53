// Which <label> elements belong to which control.

import { Memo } from '../cache';
import { queryScope, type Root, rootOf } from '../dom';

const labelIndex = new Memo<Map<Element, Element[]>>();

// The <label> elements of a control. The property `labels` searches the whole tree each time it is asked.
export function labelsOf(el: Element): Element[] {
  const index = labelIndex.get(rootOf(el), (root) => indexLabels(queryScope(root as Root, 'label')));
  return index.get(el) ?? [];
}

function indexLabels(labels: Element[]): Map<Element, Element[]> {
  const index = new Map<Element, Element[]>();
  for (const label of labels) {
    const control = (label as HTMLLabelElement).control;
    if (!control) continue;
    const known = index.get(control);
    if (known) known.push(label);
    else index.set(control, [label]);
  }
  return index;
}
