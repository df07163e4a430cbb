import { type Answer, NOT_WELL_FORMED, REJECTED, toAnswer } from './answers.ts';
import type { ScriptlessPage } from './chromium.ts';
import { digest } from './digest.ts';

/** Returns the browser's answers on the loaded document, from its querySelectorAll, textContent and outerHTML. */
export function askBrowser(page: ScriptlessPage, selectors: readonly string[]): Promise<Answer[]> {
  return ask(page, selectors, 'document');
}

/** Returns the browser's answers on an XML document. */
export function askBrowserOfXml(
  page: ScriptlessPage,
  selectors: readonly string[],
  source: string,
): Promise<Answer[]> {
  return ask(
    page,
    selectors,
    `new DOMParser().parseFromString(${JSON.stringify(source)}, 'application/xml')`,
  );
}

function ask(page: ScriptlessPage, selectors: readonly string[], subject: string): Promise<Answer[]> {
  return page.evaluate(`((document) => {
    if (document.querySelector('parsererror > h3')) return ${JSON.stringify(selectors.map(() => NOT_WELL_FORMED))};
    ${digest}
    ${toAnswer}
    const isUnseen = ({ localName, namespaceURI }) => {
      if (namespaceURI === 'http://www.w3.org/2000/svg') return localName === 'script' || localName === 'style';
      return namespaceURI === 'http://www.w3.org/1999/xhtml' && /^(script|style|template)$/.test(localName);
    };
    const unseenIn = (root) => [...root.querySelectorAll('script, style, template')].filter(isUnseen);
    const textOf = (element) => {
      const root = element instanceof HTMLTemplateElement ? element.content : element;
      const copy = unseenIn(root).length > 0 ? root.cloneNode(true) : root;
      if (copy !== root) for (const hidden of unseenIn(copy)) hidden.remove();
      return copy.textContent.replace(/\\s+/g, ' ').trim();
    };
    const matches = new Map();
    for (const element of document.querySelectorAll('*')) {
      matches.set(element, digest([matches.size, textOf(element)]));
    }
    const htmls = new Map();
    const htmlOf = (element) => {
      if (element && !htmls.has(element)) htmls.set(element, digest([element.outerHTML]));
      return htmls.get(element) ?? '';
    };
    return ${JSON.stringify(selectors)}.map((selector) => {
      try {
        const found = [...document.querySelectorAll(selector)];
        return toAnswer(found.map((element) => matches.get(element)), htmlOf(found[0]));
      } catch {
        return ${JSON.stringify(REJECTED)};
      }
    });
  })(${subject})`);
}
