import { attributeOf, isHtmlElement, Namespace } from './node.ts';
import type { ParsedDocument } from './parse-document.ts';

/** Returns the language that the outermost element declares (BCP 47), or undefined without one. */
export function languageOf({ elements: [outermost] }: ParsedDocument): string | undefined {
  if (!outermost) return undefined;
  const inXml = outermost.attributes.find(
    ({ name, namespace }) => name === 'lang' && namespace === Namespace.xml,
  )?.value;
  const language = (isHtmlElement(outermost, 'html') && attributeOf(outermost, 'lang')) || inXml;
  return language?.trim() || undefined;
}
