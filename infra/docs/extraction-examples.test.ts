import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { compileSchema, defined, type ScrapeOptions, ScrapeRequestSchema } from '@gleaner/contracts';
import {
  type DocumentKind,
  extract,
  extractFormats,
  parseDocument,
  planFormats,
  planSelectors,
} from '@gleaner/extraction';
import { describe, expect, it } from '@jest/globals';

const PAGE = resolve(import.meta.dirname, '../../docs/extraction.md');
const BASE_URL = 'https://shop.example/kettles';

/** An example of the page: a document, the request and the response, in three blocks of code that follow each other. */
interface Example {
  readonly line: string;
  readonly kind: DocumentKind;
  readonly source: string;
  readonly request: ScrapeOptions;
  readonly response: object;
}

const BLOCK = /^```(\w+)(?: (\w+))?\n([\s\S]*?)^```$/gm;

function readExamples(markdown: string): Example[] {
  const blocks = [...markdown.matchAll(BLOCK)];
  return blocks.flatMap(([, language, role, source = ''], index): Example[] => {
    if (role !== 'page') return [];
    const [request = '', response = ''] = blocks.slice(index + 1, index + 3).map((block) => block[3]);
    const line = `line ${markdown.slice(0, blocks[index]?.index).split('\n').length}`;
    return [
      {
        line,
        source,
        kind: language === 'json' ? 'json' : 'html',
        request: JSON.parse(request),
        response: JSON.parse(response),
      },
    ];
  });
}

/** Reads the document of an example as the scraper does. */
function respond({ kind, source, request }: Example): object {
  const { selectors, formats, locale } = request;
  const document = parseDocument(source, { kind });
  const options = { baseUrl: BASE_URL, ...defined({ locale }) };
  const { data, warnings } = selectors
    ? extract(document, planSelectors(selectors), options)
    : { data: undefined, warnings: [] };
  const read = formats && extractFormats(document, planFormats(formats), options);
  const remarks = [...warnings, ...(read?.warnings ?? [])];
  return {
    ...defined({ data }),
    ...(read && { formats: JSON.parse(read.json) }),
    ...(remarks.length > 0 && { warnings: remarks }),
  };
}

describe('docs/extraction.md', () => {
  const examples = readExamples(readFileSync(PAGE, 'utf8'));
  const check = compileSchema(ScrapeRequestSchema);

  it('has examples', () => {
    expect(examples.length).toBeGreaterThan(5);
  });

  it.each(examples.map((example) => [example.line, example] as const))(
    'shows at %s what the service returns',
    (_line, example) => {
      expect(check({ url: BASE_URL, ...example.request })).toMatchObject({ ok: true });
      expect(respond(example)).toEqual(example.response);
    },
  );
});
