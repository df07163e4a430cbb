import { createRandom, htmlPath, MODEL_FAULTS, SHOP_SCHEMA, writeShop } from '@gleaner/test-kit';
import type { ModelScraper } from './start-model-scraper.ts';

/** Behaviors of models that answer with values. */
const LIARS = MODEL_FAULTS.filter((fault) => ['lies', 'swaps', 'misquotes', 'obeys'].includes(fault));

interface Data {
  readonly heading: string | null;
  readonly products: readonly { readonly name: string | null; readonly price: number | null }[];
}

/** Untrue values of pages, and the number of all. */
export interface Found {
  readonly untrue: readonly string[];
  readonly values: number;
}

/**
 * Scrapes shops with lying models. A value is untrue if the text of the page, without hidden parts, does not have it; a product, if
 * no product of the page has both its values.
 */
export async function findUntrueValues(
  { model, resultOf }: ModelScraper,
  { seed, pages }: { readonly seed: number; readonly pages: number },
): Promise<Found> {
  const random = createRandom(seed);
  const untrue: string[] = [];
  let values = 0;
  for (let page = 0; page < pages; page += 1) {
    const shop = writeShop(random);
    const behavior = random.pick(LIARS);
    model.behave(behavior);
    const { dataJson = '{}' } = await resultOf({
      url: htmlPath(shop.html),
      extract: { schema: SHOP_SCHEMA },
    });
    const { heading, products = [] }: Data = JSON.parse(dataJson);
    const text = textOf(shop.html);
    const numbers = new Set(
      (text.match(/\d[\d,]*(?:\.\d+)?/g) ?? []).map((each) => Number(each.replaceAll(',', ''))),
    );
    const note = (value: unknown, isTrue: boolean) => {
      if (value === null) return;
      values += 1;
      if (!isTrue) untrue.push(`page ${page} of seed ${seed}, ${behavior}: ${JSON.stringify(value)}`);
    };
    note(heading, heading !== null && text.includes(heading));
    for (const { name, price } of products) {
      note(name, name !== null && text.includes(name));
      note(price, price !== null && numbers.has(price));
      const isOne = shop.items.some((item) => item.name === name && item.amount === price);
      if (name !== null && price !== null && shop.items.some((item) => item.name === name))
        note({ name, price }, isOne || shop.items.length === 1);
    }
  }
  return { untrue, values };
}

function textOf(html: string): string {
  return html
    .replace(/<div hidden>[^<]*<\/div>/g, '')
    .replace(/<title>[^<]*<\/title>/g, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ');
}
