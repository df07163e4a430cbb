import { FORMAT_NAMES } from '@gleaner/contracts';
import { eventually, htmlPath, startWebhookReceiver } from '@gleaner/test-kit';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { HAS_BROWSER, type TestStack } from '../stack/test/test-stack.ts';
import { joinStack } from './join-stack.ts';

let receiver: Awaited<ReturnType<typeof startWebhookReceiver>>;
let bed: TestStack;
let secret: string;

beforeAll(async () => {
  receiver = await startWebhookReceiver();
  bed = await joinStack();
  secret = (await bed.ask('/v1/webhooks/secret')).json.secret;
});
afterAll(async () => {
  await bed[Symbol.asyncDispose]();
  await receiver.close();
});

interface ProductPage {
  readonly language: string;
  readonly name: string;
  readonly price: string;
  readonly stock: string;
  readonly day: string;
  readonly header: readonly [string, string];
  readonly size: string;
  readonly value: { readonly amount: number; readonly currency: string };
  readonly isAvailable: boolean;
}

const PAGES: readonly ProductPage[] = [
  {
    language: 'de',
    name: 'Wasserkessel „Emma“',
    price: '1.234,50 €',
    stock: 'Noch 1.203 Stück',
    day: '22. November 2026',
    header: ['Eigenschaft', 'Wert'],
    size: 'Maße<br>(außen)',
    value: { amount: 1234.5, currency: 'EUR' },
    isAvailable: true,
  },
  {
    language: 'en',
    name: 'Kettle “Emma”',
    price: '£1,234.50',
    stock: '1,203 in stock',
    day: 'November 22, 2026',
    header: ['Property', 'Value'],
    size: 'Size<br>(outer)',
    value: { amount: 1234.5, currency: 'GBP' },
    isAvailable: false,
  },
  {
    language: 'ja',
    name: 'やかん「エマ」',
    price: '¥123,450',
    stock: '在庫：1,203点',
    day: '2026年11月22日',
    header: ['項目', '値'],
    size: 'サイズ<br>（外寸）',
    value: { amount: 123450, currency: 'JPY' },
    isAvailable: true,
  },
];

const SELECTORS = {
  name: { selector: 'h1', required: true },
  price: { selector: '.price', type: 'price' },
  stock: { selector: '.stock', type: 'integer' },
  isAvailable: { selector: '.available', type: 'boolean' },
  day: { selector: '.day', type: 'date' },
  properties: { selector: 'table', type: 'table' },
  sku: { selector: 'script[type="application/ld+json"]', json: '$..sku' },
};

function htmlOf({ language, name, price, stock, day, header, size, isAvailable }: ProductPage): string {
  return `<!doctype html><html lang=${language}><meta charset=utf-8><title>${name}</title>
    <script type="application/ld+json">{"@type":"Product","sku":"K-1"}</script>
    <h1>${name}</h1><p class=price>${price}</p><p class=stock>${stock}</p><p class=day>${day}</p>
    ${isAvailable ? '<p class=available>✓</p>' : ''}
    <table><tr><th>${header[0]}<th>${header[1]}<tr><td>${size}<td>20 × 30 cm</table><a href=/more>→</a>`;
}

function dataOf({ name, value, isAvailable, header, size }: ProductPage) {
  return {
    name,
    price: value,
    stock: 1203,
    isAvailable,
    day: '2026-11-22',
    properties: [{ [header[0]]: size.replace('<br>', ' '), [header[1]]: '20 × 30 cm' }],
    sku: 'K-1',
  };
}

const ENGINES = HAS_BROWSER ? [{ render: false }, { render: true }] : [{ render: false }];
const CASES = PAGES.flatMap((page) => ENGINES.map((engine) => [page.language, engine, page] as const));

/** Returns the data, the formats and the warnings of a result, and nothing that differs between two requests. */
function extracted(result: Record<string, unknown>) {
  const { data, formats, warnings } = result;
  return { data, formats, warnings };
}

/** A message about a job. */
interface Message {
  readonly data: {
    readonly job: { readonly id: string; readonly results: readonly Record<string, unknown>[] };
  };
}

/** Returns the result of the only page in the signed message about a job. */
async function resultInWebhook(jobId: string): Promise<Record<string, unknown>> {
  const { body, headers } = await eventually(() => {
    const found = receiver.deliveries.find(({ json }) => (json as Message).data.job.id === jobId);
    if (!found) throw new Error('The message has not come.');
    return found;
  });
  // This one alone: the others may be too old by now.
  const verified = new Webhook(secret).verify(body.toString(), headers as Record<string, string>) as Message;
  const { results } = verified.data.job;
  expect(results).toHaveLength(1);
  return results[0] ?? {};
}

describe('a product page', () => {
  it.each(CASES)(
    'in the language %s gives the same in a scrape, a job, a schedule and webhooks (%j)',
    async (_language, engine, page) => {
      const url = bed.origin.url + htmlPath(htmlOf(page));
      const wanted = { selectors: SELECTORS, formats: FORMAT_NAMES, ...engine };
      const scrape = await bed.ask('/v1/scrape', { url, ...wanted });
      expect(scrape.json).toMatchObject({ success: true, data: dataOf(page) });
      expect(scrape.json).not.toHaveProperty('warnings');
      expect(Object.keys(scrape.json.formats)).toEqual(FORMAT_NAMES);
      expect(scrape.json.formats.markdown).toContain(`# ${page.name}`);

      const webhook = receiver.url;
      const job = await bed.ask('/v1/jobs', { urls: [url], ...wanted, webhook });
      const { schedule } = (await bed.ask('/v1/schedules', { url, cron: '0 0 1 1 *', ...wanted, webhook }))
        .json;
      const run = await bed.ask(`/v1/schedules/${schedule.id}/run`, undefined, 'POST');
      for (const { id } of [job.json.job, run.json.job]) {
        expect(extracted(await resultInWebhook(id))).toEqual(extracted(scrape.json));
        const stored = (await bed.ask(`/v1/jobs/${id}`)).json.job;
        expect(extracted(stored.results[0])).toEqual(extracted(scrape.json));
      }
    },
  );
});
