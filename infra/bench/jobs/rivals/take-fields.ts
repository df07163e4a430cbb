import type { CheerioCrawlingContext } from '@crawlee/cheerio';
import type { FieldSet } from '../workload.ts';

type Page = CheerioCrawlingContext['$'];

/** Extracts the fields of a set with Cheerio, as `FIELD_SETS` describes them. */
export const takeFields: Readonly<Record<FieldSet, ($: Page) => unknown>> = { lists, simple };

function textOf($: Page, element: Parameters<Page>[0]): string {
  return $(element).text().replace(/\s+/g, ' ').trim();
}

function all($: Page, selector: string): string[] {
  return $(selector)
    .toArray()
    .map((element) => textOf($, element));
}

function first($: Page, selector: string): string | null {
  const [element] = $(selector).toArray();
  return element ? textOf($, element) : null;
}

function linksOf($: Page): (string | undefined)[] {
  return $('a[href]')
    .toArray()
    .map((element) => $(element).attr('href'));
}

function simple($: Page) {
  return {
    title: first($, 'title'),
    heading: first($, 'h1'),
    lead: first($, 'p'),
    description: $('meta[name=description]').attr('content') ?? null,
    charset: $('meta[charset]').attr('charset') ?? null,
    headings: all($, 'h2'),
    links: linksOf($),
  };
}

function lists($: Page) {
  return {
    title: first($, 'title'),
    headings: all($, 'h1, h2, h3'),
    paragraphs: all($, 'p'),
    links: linksOf($),
    code: all($, 'code'),
    items: $('li')
      .toArray()
      .map((element) => {
        const paragraph = $(element).find('p')[0];
        return {
          text: paragraph ? textOf($, paragraph) : null,
          link: $(element).find('a[href]').attr('href') ?? null,
        };
      }),
  };
}
