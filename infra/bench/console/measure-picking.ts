import type { Page } from 'playwright-core';
import { percentile } from '../percentile.ts';

/** Records of the large page, of two elements each. */
const RECORDS = 25_000;

/** A page of fifty thousand elements. */
export const LARGE_PAGE = `<title>Rows</title><ol>${'<li class=row><b>x</b>'.repeat(RECORDS)}</ol>`;

/** A measurement of the first picks on the large page. */
export interface PickingOptions {
  /** Opens the workbench in a context of its own. */
  readonly open: () => Promise<Page>;
  /** Address of the large page. */
  readonly url: string;
  readonly rounds: number;
}

const STEPS = ['shown', 'proposals', 'values'] as const;
type Times = Readonly<Record<(typeof STEPS)[number], number>>;

/** Prints how long it takes until the large page is shown, until a click on it has proposals, and until their values are there. */
export async function measurePicking({ open, url, rounds }: PickingOptions): Promise<void> {
  const times: Times[] = [];
  for (let round = 0; round < rounds; round++) {
    const page = await open();
    times.push(await pickList(page, url));
    await page.context().close();
  }
  const parts = STEPS.map((step) => {
    const samples = times.map((each) => each[step]);
    return `${step} after p50 ${percentile(samples, 0.5).toFixed(0)} ms, longest ${Math.max(...samples).toFixed(0)} ms`;
  });
  console.log(`workbench ${2 * RECORDS} elements: ${parts.join('; ')}`);
}

/** Opens the large page, clicks its first record and takes the list. Throws what the console shows as an error. */
async function pickList(page: Page, url: string): Promise<Times> {
  const problem = page.getByRole('alert');
  const took = async (act: () => Promise<unknown>) => {
    const startedAt = performance.now();
    await Promise.race([
      act(),
      problem.waitFor().then(async () => Promise.reject(new Error(`${await problem.textContent()}`))),
    ]);
    return performance.now() - startedAt;
  };
  const first = page.frameLocator('iframe').locator('li').first();
  const list = page.getByRole('button', { name: new RegExp(`List of ${RECORDS}`) });
  await page.getByLabel('URL', { exact: true }).fill(url);
  const shown = await took(async () => {
    await page.getByRole('button', { name: 'Open', exact: true }).click();
    await first.waitFor();
  });
  const proposals = await took(async () => {
    await first.click();
    await list.waitFor();
  });
  const values = await took(async () => {
    await list.click();
    await page.getByText(`${RECORDS.toLocaleString('en-US')} records`).waitFor();
  });
  return { shown, proposals, values };
}
