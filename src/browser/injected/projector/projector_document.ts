// The document and elements read past their named properties: <img name="body"> would otherwise stand in for
// document.body, and <input name="scrollHeight"> for the scroll height of its form.

const getter = <T>(name: string): (() => T) => {
  const get = Object.getOwnPropertyDescriptor(Document.prototype, name)!.get!;
  return () => get.call(document) as T;
};

const { createTreeWalker, elementFromPoint, elementsFromPoint, getElementsByClassName, getElementsByTagName, hasFocus } = Document.prototype;

export const rootElement = getter<Element | null>('documentElement');
export const bodyElement = getter<Element | null>('body');
export const titleText = getter<string>('title');
export const documentUrl = getter<string>('URL');
export const readyState = getter<DocumentReadyState>('readyState');
export const scrollingElement = getter<Element | null>('scrollingElement');
export const activeElement = getter<Element | null>('activeElement');
export const baseUri: () => string = () => baseUriGet.call(document) as string;
const baseUriGet = Object.getOwnPropertyDescriptor(Node.prototype, 'baseURI')!.get!;

const { hasAttributes } = Element.prototype;
const { contains } = Node.prototype;
const scrollHeightGet = Object.getOwnPropertyDescriptor(Element.prototype, 'scrollHeight')!.get!;
const scrollWidthGet = Object.getOwnPropertyDescriptor(Element.prototype, 'scrollWidth')!.get!;

export const isBare = (el: Element): boolean => !hasAttributes.call(el);
export const nested = (a: Element, b: Element): boolean => contains.call(a, b) || contains.call(b, a);
export const scrollHeightOf = (el: Element): number => scrollHeightGet.call(el) as number;
export const scrollWidthOf = (el: Element): number => scrollWidthGet.call(el) as number;

// True when keys go to this document or to a frame in it.
export const holdsFocus = (): boolean => hasFocus.call(document);

export const elementAt = (x: number, y: number): Element | null => elementFromPoint.call(document, x, y);
export const elementsAt = (x: number, y: number): Element[] => elementsFromPoint.call(document, x, y);
export const byClass = (name: string): HTMLCollectionOf<Element> => getElementsByClassName.call(document, name);
export const byTag = (name: string): HTMLCollectionOf<Element> => getElementsByTagName.call(document, name);
export const textNodesOf = (root: Node): TreeWalker => createTreeWalker.call(document, root, NodeFilter.SHOW_TEXT);
