import { readdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Gleaner } from '@gleaner/client';
import {
  attributeOf,
  Budget,
  extractFormats,
  findHiddenText,
  parseDocument,
  planFormats,
} from '@gleaner/extraction';
import puppeteer, { type Browser } from 'puppeteer';
import type { Stack } from '../../stack/start-stack.ts';
import { Bench } from '../bench-stack.ts';
import { runningBrowser } from '../processes.ts';
import { shownTextIn } from './shown-text.ts';

/** Folder of saved pages. */
const { HIDDEN_PAGES } = process.env;
const CONCURRENCY = 4;
const MARK = 'data-bench-hidden';

/** A saved page, and the same with a mark on the elements that plain extraction leaves out. */
interface SavedPage {
  readonly name: string;
  readonly html: string;
  readonly marked: string;
  /** Start tags of the marked elements. */
  readonly tags: readonly string[];
}

/**
 * Compares the hidden text of saved pages with what Chromium shows of them, without scripts and without files of styles: text that
 * plain extraction drops and the browser shows is a false drop. Then, with inline styles alone, with the hidden text of the same page
 * rendered by the service.
 */
export async function benchHiddenText(): Promise<void> {
  if (HIDDEN_PAGES === undefined) {
    console.log(
      'hidden    HIDDEN_PAGES is the folder of saved pages, *.html; without it there is nothing to compare.',
    );
    return;
  }
  const pages = await readPages(HIDDEN_PAGES);
  await using bench = await Bench.open();
  const url = await serve(pages, bench.parts);
  const stack = await bench.startStack({
    originUrl: url,
    settings: { BROWSER_SCRAPE_CONCURRENCY: String(CONCURRENCY) },
  });
  await compareEngines(stack, url, pages);
  await findFalseDrops(stack, url, pages);
}

async function readPages(folder: string): Promise<SavedPage[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.html')).sort();
  return Promise.all(names.map(async (name) => markHidden(name, await readFile(join(folder, name), 'utf8'))));
}

function markHidden(name: string, saved: string): SavedPage {
  // A page that leads elsewhere cannot be compared.
  const html = saved.replace(/http-equiv=(["']?)refresh/gi, 'data-was=$1refresh');
  const document = parseDocument(html);
  const { elements } = findHiddenText(document, new Budget());
  const tags = elements.map((element) => {
    const style = attributeOf(element, 'style');
    element.attributes = [...element.attributes, { name: MARK, value: '' }];
    return `<${element.name}${style === undefined ? '' : ` style="${style}"`}>`;
  });
  const { json } = extractFormats(document, planFormats(['html']), { baseUrl: 'https://saved.example/' });
  return { name, html, marked: (JSON.parse(json) as { html: string }).html, tags };
}

/** Policies by the styles to apply; none lets a page load scripts or files. */
const POLICIES: Readonly<Record<string, string>> = {
  inline: "default-src 'none'; style-src-attr 'unsafe-inline'",
  all: "default-src 'none'; style-src 'unsafe-inline'",
};

async function serve(pages: readonly SavedPage[], parts: AsyncDisposableStack): Promise<string> {
  const server = createServer((request, response) => {
    const [, styles = '', index, marked] = request.url?.split('/') ?? [];
    const page = pages[Number(index)];
    const policy = POLICIES[styles];
    response.writeHead(page && policy ? 200 : 404, {
      'content-type': 'text/html; charset=utf-8',
      ...(policy && { 'content-security-policy': policy }),
    });
    response.end(marked ? page?.marked : page?.html);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  parts.defer(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Prints the pages whose hidden text differs between the two engines. */
async function compareEngines(stack: Stack, url: string, pages: readonly SavedPage[]): Promise<void> {
  const client = new Gleaner({ url: stack.url, apiKey: stack.apiKey });
  const hiddenOf = async (index: number, render: boolean): Promise<readonly string[]> => {
    const formats = [{ type: 'text', hidden: 'mark' }] as const;
    const page = await client.scrape({ url: `${url}/inline/${index}`, render, formats, timeout: 60_000 });
    const parts = [...page.formats.text.matchAll(/⟦hidden⟧(.*?)⟦\/hidden⟧/gs)];
    return parts.flatMap(([, text = '']) => text.split(/\s+/).filter(Boolean));
  };
  let agreeing = 0;
  await eachPage(pages, async ({ name }, index) => {
    const [plain, rendered] = [await hiddenOf(index, false), await hiddenOf(index, true)];
    const [gone, extra] = [minus(plain, rendered), minus(rendered, plain)];
    if (gone.length + extra.length === 0) agreeing++;
    if (gone.length > 0) console.log(`hidden    ${name}: only plain drops ${sample(gone)}`);
    if (extra.length > 0) console.log(`hidden    ${name}: only rendered drops ${sample(extra)}`);
  });
  console.log(`hidden    plain and rendered agree on ${agreeing} of ${pages.length} pages`);
}

/** Prints the elements that plain extraction drops and the browser shows, with the styles of attributes alone and with all. */
async function findFalseDrops(stack: Stack, url: string, pages: readonly SavedPage[]): Promise<void> {
  const { path, env } = await runningBrowser(stack);
  const browser = await puppeteer.launch({
    executablePath: path,
    env,
    headless: 'shell',
    args: ['--no-sandbox'],
  });
  const dropped = pages.reduce((sum, { tags }) => sum + tags.length, 0);
  try {
    for (const styles of Object.keys(POLICIES)) {
      let drops = 0;
      await eachPage(pages, async ({ name, tags }, index) => {
        const shown = tags.length === 0 ? [] : await readShown(browser, `${url}/${styles}/${index}/marked`);
        if (shown.length !== tags.length)
          throw new Error(`${name} has ${shown.length} of ${tags.length} marks.`);
        for (const [at, characters] of shown.entries()) {
          if (characters === 0) continue;
          drops++;
          console.log(
            `hidden    ${name}: ${characters} characters of ${tags[at]} are shown, styles: ${styles}`,
          );
        }
      });
      console.log(
        `hidden    styles: ${styles}, ${pages.length} pages, ${dropped} hidden elements, ${drops} false drops`,
      );
    }
  } finally {
    await browser.close();
  }
}

async function readShown(browser: Browser, url: string): Promise<number[]> {
  const tab = await browser.newPage();
  try {
    await tab.goto(url, { timeout: 60_000 });
    return (await tab.evaluate(shownTextIn(MARK))) as number[];
  } finally {
    await tab.close();
  }
}

async function eachPage(
  pages: readonly SavedPage[],
  look: (page: SavedPage, index: number) => Promise<void>,
): Promise<void> {
  const left = pages.entries();
  const worker = async () => {
    for (const [index, page] of left) await look(page, index);
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
}

/** Returns the words of one list that another lacks, each as often as it lacks it. */
function minus(words: readonly string[], others: readonly string[]): string[] {
  const left = new Map<string, number>();
  for (const word of others) left.set(word, (left.get(word) ?? 0) + 1);
  return words.filter((word) => {
    const count = left.get(word) ?? 0;
    left.set(word, count - 1);
    return count <= 0;
  });
}

function sample(words: readonly string[]): string {
  return `${words.length} words: ${words.slice(0, 12).join(' ')}`;
}
