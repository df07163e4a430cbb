import { type Answer, REFUSED, toAnswer } from './answers.ts';
import type { ScriptlessPage } from './chromium.ts';
import { digest } from './digest.ts';

/** The browser's answers on the document that the page holds, by its own querySelectorAll, textContent and outerHTML. */
export function askBrowser(page: ScriptlessPage, selectors: readonly string[]): Promise<Answer[]> {
  return page.evaluate(`(() => {
    ${digest}
    ${toAnswer}
    const unseen = 'script, style, template';
    const textOf = (element) => {
      const root = element instanceof HTMLTemplateElement ? element.content : element;
      const copy = root.querySelector(unseen) ? root.cloneNode(true) : root;
      if (copy !== root) for (const hidden of copy.querySelectorAll(unseen)) hidden.remove();
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
        return ${JSON.stringify(REFUSED)};
      }
    });
  })()`);
}
