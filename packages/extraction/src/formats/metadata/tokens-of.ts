import { attributeOf, type Node } from '../../dom/node.ts';

/** Returns the different words in an attribute, in order. */
export function tokensOf(element: Node, name: string): string[] {
  const value = attributeOf(element, name)?.trim();
  return value ? [...new Set(value.split(/\s+/))] : [];
}
