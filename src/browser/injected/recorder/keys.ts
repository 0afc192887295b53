// Keys that do something by themselves. What types text is told by what it leaves in the field.

import { attr, hasAttr } from '../dom';
import { type Fingerprint } from '../fingerprint/fingerprint';
import { deepFocus } from '../projector/projector';
import { roleOf } from '../aria/roles';
import { AGENT, isPressedByKeys, knownBy, type Teller } from './teller';
import { isMultiLine, isWritable, type Typing } from './typing';

const MODIFIERS = [['altKey', 'Alt'], ['ctrlKey', 'Control'], ['metaKey', 'Meta'], ['shiftKey', 'Shift']] as const;
const MODIFIER_KEYS = /^(Alt|AltGraph|CapsLock|Control|Meta|NumLock|Shift|Dead|Process|Unidentified)$/;
const ARROWS = /^Arrow(Up|Down|Left|Right)$/;
// Those of the browser's window are not the page's.
const FUNCTION_KEYS = /^F([1-46-9]|10)$/;
// They edit, or only select and copy.
const EDITING = /^([acvxyz]|Arrow\w+|Backspace|Delete|Home|End|Insert)$/i;
const MENU_ROLES = new Set(
  'combobox grid gridcell listbox menu menubar menuitem menuitemcheckbox menuitemradio option slider tab tablist tree treeitem'.split(' '),
);

// Enter where it may be a letter: whether it was shows at once.
interface Pending {
  element: Fingerprint;
  text: string;
}

export class Keys {
  private pending: Pending | null = null;

  constructor(private readonly teller: Teller, private readonly typing: Typing) {}

  down(event: KeyboardEvent): void {
    if (event.repeat || event.isComposing || event.keyCode === 229 || MODIFIER_KEYS.test(event.key)) return;
    if (this.teller.hand === AGENT) return;
    const focus = deepFocus();
    if (event.key === 'Enter' && focus && isMultiLine(focus) && !isShortcut(event)) return this.wait(focus);
    if (!isWorthTelling(event, focus)) return;
    this.typing.flush();
    this.teller.tell({ kind: 'press', element: focus ? knownBy(focus) : null, key: event.key, modifiers: modifiersOf(event) });
  }

  // It was a letter after all.
  typed(event: InputEvent): void {
    if (/^insert(LineBreak|Paragraph)$/.test(event.inputType)) this.pending = null;
  }

  private wait(focus: Element): void {
    this.pending = { element: knownBy(focus), text: this.typing.textNow() };
    setTimeout(() => this.settle(), 0);
  }

  // It was a command, such as sending a message: the page may have emptied the field by now.
  settle(): void {
    const { pending } = this;
    this.pending = null;
    if (!pending) return;
    this.typing.flush(pending.text);
    this.teller.tell({ kind: 'press', element: pending.element, key: 'Enter', modifiers: [] });
  }
}

export function modifiersOf(event: MouseEvent | KeyboardEvent): string[] {
  return MODIFIERS.filter(([held]) => event[held]).map(([, name]) => name);
}

function isShortcut(event: KeyboardEvent): boolean {
  return event.ctrlKey || event.metaKey || (event.altKey && !event.getModifierState('AltGraph'));
}

function isWorthTelling(event: KeyboardEvent, focus: Element | null): boolean {
  const { key } = event;
  const types = focus !== null && isWritable(focus);
  if (isShortcut(event)) return !EDITING.test(key) && key !== 'Tab';
  if (key === 'Enter') return focus !== null && (types || !(isPressedByKeys(focus, key) || chooses(focus)));
  if (key === ' ') return focus !== null && !(types || isPressedByKeys(focus) || chooses(focus));
  if (ARROWS.test(key)) return focus !== null && isInMenu(focus);
  if (key === 'Delete') return !types;
  return key === 'Escape' || FUNCTION_KEYS.test(key);
}

// What is chosen by keys is told as chosen.
function chooses(el: Element): boolean {
  return el instanceof HTMLSelectElement;
}

function isInMenu(el: Element): boolean {
  if (chooses(el) || isPressedByKeys(el)) return MENU_ROLES.has(attr(el, 'role') ?? '');
  if (el instanceof HTMLInputElement && el.type === 'range') return false;
  return MENU_ROLES.has(roleOf(el)) || hasAttr(el, 'aria-activedescendant') || attr(el, 'aria-expanded') === 'true';
}
