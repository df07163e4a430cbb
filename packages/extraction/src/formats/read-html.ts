import { type Node, NodeKind } from '../dom/node.ts';
import { htmlOf } from '../read/html-of.ts';
import { xmlOf } from '../read/xml-of.ts';
import type { FormatReader } from './format-reader.ts';

/** Reads the markup of the whole document as parsed, serialized as browsers do; XML documents as XML. */
export const readHtml: FormatReader = ({ root, isXml }, { budget }) => {
  const markupOf = isXml ? xmlOf : htmlOf;
  let markup = '';
  for (let node: Node | null = root.first; node !== null; node = node.next) {
    markup += node.kind === NodeKind.doctype ? `<!DOCTYPE ${node.name}>` : markupOf(node, budget);
  }
  return markup;
};
