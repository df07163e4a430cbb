import { noteReading, wantedOf } from '../../extract/read-page.ts';
import type { KeptPage, Page } from '../page.ts';
import { withStatus } from '../stage.ts';

/** Compiles the selectors and formats of the request. Throws INVALID_SELECTOR. */
export function planValues(page: Page): void {
  Object.assign(page.wanted, wantedOf(page.request));
}

/** Reads everything wanted from the document, and may take its body. */
export async function read(page: Page): Promise<void> {
  page.values = await withStatus(page.source.statusCode, readDocument(page));
  noteReading(page.values.times, page.clock);
}

/** Reads a snapshot, whose errors name no status: no site has answered. */
export async function readKept(page: KeptPage): Promise<void> {
  page.values = await readDocument(page);
}

async function readDocument({ deps, document, source, url, engine, wanted, reading }: Page) {
  const { decode: _decode, ...parts } = document;
  return await deps.pageReader.read(
    {
      ...parts,
      baseUrl: source.finalUrl,
      askedUrl: url,
      engine,
      ...wanted,
    },
    reading,
  );
}

/** Returns the values with the result. */
export function returnValues({ values, found, warnings }: Page): void {
  const {
    times: _times,
    thinText: _text,
    mayBeShell: _scripts,
    matchesCheck: _check,
    missing: _missing,
    crawl: _crawl,
    forModel: _page,
    verdict,
    warnings: ofValues,
    ...shown
  } = values;
  found.verdict ??= verdict;
  Object.assign(found, shown);
  warnings.push(...ofValues);
}
