import { type Answer, NOT_WELL_FORMED, REJECTED, toAnswer } from './answers.ts';
import type { ScriptlessPage } from './chromium.ts';
import { digest } from './digest.ts';

/** Returns the browser's answers on the loaded document, from its querySelectorAll, text nodes, styles and outerHTML. */
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
    // How the browser shows elements without the styles of the page.
    const { documentElement } = self.document;
    const frame = documentElement.appendChild(self.document.createElementNS('http://www.w3.org/1999/xhtml', 'iframe'));
    const displayOf = (name) => {
      const probe = frame.contentDocument.createElement(name);
      probe.setAttribute('open', '');
      const { display } = getComputedStyle(frame.contentDocument.body.appendChild(probe));
      probe.remove();
      return display;
    };
    const names = new Set([...document.querySelectorAll('*'), ...[...document.querySelectorAll('template')].flatMap(({ content }) => [...content?.querySelectorAll('*') ?? []])].filter((e) => e instanceof HTMLElement).map(({ localName }) => localName));
    const blocks = new Set([...names].filter((name) => name === 'br' || /^(block|list-item|table.*)$/.test(displayOf(name))));
    frame.remove();
    const isBlock = ({ localName, namespaceURI }) => {
      if (namespaceURI === 'http://www.w3.org/1999/xhtml') return blocks.has(localName);
      return namespaceURI === 'http://www.w3.org/2000/svg' && ['desc', 'text', 'title'].includes(localName);
    };
    const followsElement = ({ namespaceURI, previousSibling }) => {
      if (/\\/(xhtml|svg|MathML)$/.test(namespaceURI)) return false;
      return previousSibling !== null && (previousSibling.data === undefined || previousSibling.nodeType > 4 || previousSibling.data.trim() === '');
    };
    const textOf = (element) => {
      let text = '';
      const read = ({ childNodes }) => {
        for (const node of childNodes) {
          if (node.nodeType === 3 || node.nodeType === 4) text += node.data;
          if (node.nodeType !== 1) continue;
          if (isBlock(node) || followsElement(node)) text += ' ';
          if (!isUnseen(node)) read(node);
          if (isBlock(node)) text += ' ';
        }
      };
      read(element instanceof HTMLTemplateElement ? element.content : element);
      return text.replace(/\\s+/g, ' ').trim();
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
