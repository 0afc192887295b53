// The elements of a document by what names them, read once on behalf of many questions. Knows only whole names that
// can be listed; for the rest there are the engines.

import { attr, queryDeep } from '../dom';
import { roleCandidates } from '../aria/implicit_roles';
import { labelTextsOf, nameOf } from '../aria/names';
import { roleOf } from '../aria/roles';
import { LABELLED, type Step } from '../selectors/engines';
import { TEST_ID_ATTRIBUTES } from '../selectors/fingerprint';
import { normalise } from '../text';
import { isHiddenForAria } from '../visibility';

type NamedElements = Map<string, Element[]>;

const TEST_IDS = TEST_ID_ATTRIBUTES.map((name) => `[${name}]`).join(',');
const PLAIN_ID = /^#[\w-]+$/;
const STATES = ['checked', 'pressed', 'selected', 'expanded', 'level', 'disabled', 'includeHidden'] as const;

export class ElementLists {
  private readonly lists = new Map<string, NamedElements>();

  // All that the step finds in the document; null when it cannot be looked up here.
  find(step: Step): readonly Element[] | null {
    if (step.engine === 'css' && PLAIN_ID.test(step.body ?? '')) return this.named('id', step.body!.slice(1), listIds);
    if (step.engine === 'testid') return this.named('testid', step.body!, listTestIds);
    if (step.mode !== 'exact') return null;
    switch (step.engine) {
      case 'role':
        return STATES.some((state) => step[state] !== undefined) ? null : this.byRole(step.role!, normalise(step.name!));
      case 'label':
        return this.named('label', normalise(step.body!), listLabels);
      case 'placeholder':
      case 'title':
        return this.named(step.engine, normalise(step.body!), () => listAttribute(step.engine));
      default:
        return null;
    }
  }

  private byRole(role: string, name: string): readonly Element[] {
    return this.named(`role ${role}`, name, () => listRole(role));
  }

  private named(list: string, name: string, read: () => NamedElements): readonly Element[] {
    let elements = this.lists.get(list);
    if (!elements) this.lists.set(list, (elements = read()));
    return elements.get(name) ?? [];
  }
}

function listed(elements: readonly Element[], namesOf: (el: Element) => readonly string[]): NamedElements {
  const list: NamedElements = new Map();
  for (const el of elements) {
    for (const name of new Set(namesOf(el))) {
      const known = list.get(name);
      if (known) known.push(el);
      else list.set(name, [el]);
    }
  }
  return list;
}

function listIds(): NamedElements {
  return listed(queryDeep(document, '[id]'), (el) => [attr(el, 'id')!]);
}

function listTestIds(): NamedElements {
  return listed(queryDeep(document, TEST_IDS), (el) => TEST_ID_ATTRIBUTES.flatMap((name) => attr(el, name) ?? []));
}

function listLabels(): NamedElements {
  return listed(queryDeep(document, LABELLED), (el) => labelTextsOf(el));
}

function listAttribute(name: string): NamedElements {
  return listed(queryDeep(document, `[${name}]`), (el) => [normalise(attr(el, name)!)]);
}

function listRole(role: string): NamedElements {
  const shown = queryDeep(document, roleCandidates(role)).filter((el) => roleOf(el) === role && !isHiddenForAria(el));
  return listed(shown, (el) => [nameOf(el)]);
}
