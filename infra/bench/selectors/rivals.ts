import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser } from 'puppeteer';

/** Generators of selectors in a page of Chromium, on the same document that ours reads. */
export interface Rivals {
  readonly names: readonly string[];
  /** Replaces the document; nothing of it runs or loads. */
  readonly load: (html: string) => Promise<void>;
  /** Returns the selector that a rival makes for elements, by their places in document order; null if it fails. */
  readonly generate: (name: string, orders: readonly number[]) => Promise<string | null>;
  /** Returns the places of the elements that selectors match. */
  readonly query: (selectors: readonly string[]) => Promise<readonly (readonly number[])[]>;
}

const require = createRequire(import.meta.url);

/** Programs that define a function of elements, from the files that the packages publish. */
const PROGRAMS: Readonly<Record<string, () => string>> = {
  '@medv/finder': () => {
    const source = readFileSync(require.resolve('@medv/finder'), 'utf8').replaceAll(/^export /gm, '');
    return `(() => { ${source}; return ([element]) => finder(element); })()`;
  },
  'css-selector-generator': () => {
    const source = readFileSync(require.resolve('css-selector-generator'), 'utf8');
    const library = `(() => { const exports = {}; const module = { exports }; ${source}; return module.exports; })()`;
    return `((library) => (elements) => (library.getCssSelector ?? library.default)(elements))(${library})`;
  },
};

/** Opens a page whose scripts are off, as those of a scrape without rendering are. */
export async function openRivals(browser: Browser): Promise<Rivals> {
  const page = await browser.newPage();
  await page.setJavaScriptEnabled(false);
  await page.setRequestInterception(true);
  page.on('request', (request) => void request.abort().catch(() => {}));
  const all = "[...document.querySelectorAll('*')]";
  return {
    names: Object.keys(PROGRAMS),
    async load(html) {
      await page.setContent(html, { waitUntil: 'domcontentloaded' });
      for (const [name, program] of Object.entries(PROGRAMS)) {
        await page.evaluate(`(globalThis.rivals ??= {})[${JSON.stringify(name)}] = ${program()}; 0`);
      }
    },
    async generate(name, orders) {
      const call = `rivals[${JSON.stringify(name)}](${JSON.stringify(orders)}.map((order) => ${all}[order]))`;
      return (await page.evaluate(`(() => { try { return String(${call}) } catch { return null } })()`)) as
        | string
        | null;
    },
    async query(selectors) {
      return (await page.evaluate(`((places) => ${JSON.stringify(selectors)}.map(
        (selector) => [...document.querySelectorAll(selector)].map((element) => places.get(element)),
      ))(new Map(${all}.map((element, place) => [element, place])))`)) as number[][];
    },
  };
}
