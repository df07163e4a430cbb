import { attributeOf, isHtmlElement, isListed, type Node } from '../../dom/node.ts';
import type { ParsedDocument } from '../../dom/parse-document.ts';
import { nearest, type OrderIndex } from '../inherit.ts';

/** Returns the form owner of each form control. HTML §4.10.18.3. */
export function formOwners(document: ParsedDocument): OrderIndex {
  const owners = nearest(document, (element) => isHtmlElement(element, 'form'));
  for (const [control, form] of document.parserForms) owners[control.order] = form.order;
  let byId: ReadonlyMap<string, Node> | undefined;
  for (const element of document.elements) {
    const id = isListed(element) ? attributeOf(element, 'form') : undefined;
    if (id === undefined) continue;
    byId ??= firstById(document);
    const named = byId.get(id);
    owners[element.order] = named && isHtmlElement(named, 'form') ? named.order : -1;
  }
  return owners;
}

function firstById({ elements }: ParsedDocument): ReadonlyMap<string, Node> {
  const first = new Map<string, Node>();
  for (const element of elements) {
    const id = attributeOf(element, 'id');
    if (id && !first.has(id)) first.set(id, element);
  }
  return first;
}
