import type { ScrapeRequest } from '@gleaner/client';
import { PAGE_FLAGS } from '../generated/page-flags.ts';

/** Returns the curl command of a scrape. The key is a variable, since the console does not know it. */
export function renderCurl(serviceUrl: string, request: ScrapeRequest): string {
  return [
    `curl -s ${serviceUrl}/v1/scrape`,
    `-H "Authorization: Bearer $GLEANER_API_KEY"`,
    `-H 'Content-Type: application/json'`,
    `-d ${quote(JSON.stringify(request))}`,
  ].join(' \\\n  ');
}

/** Returns a program of the TypeScript client. */
export function renderClient(serviceUrl: string, request: ScrapeRequest): string {
  const part = request.download ? 'file' : 'data';
  return `import { Gleaner } from '@gleaner/client';

const gleaner = new Gleaner({ url: '${serviceUrl}', apiKey: process.env.GLEANER_API_KEY });

const { ${part} } = await gleaner.scrape(${JSON.stringify(request, null, 2)});
console.log(${part});
`;
}

/** Formats that Firecrawl has, too; `html` is its `rawHtml`. */
const FIRECRAWL_FORMATS: Readonly<Record<string, string>> = {
  markdown: 'markdown',
  article: 'markdown',
  text: 'markdown',
  html: 'rawHtml',
  links: 'links',
  images: 'images',
};

/** Returns a program of Firecrawl's SDK that reads the page here. Firecrawl has no selectors: it gets the Markdown instead. */
export function renderFirecrawl(serviceUrl: string, { url, formats = [] }: ScrapeRequest): string {
  const names = formats.map((format) => FIRECRAWL_FORMATS[typeof format === 'string' ? format : format.type]);
  const known = [...new Set(names.filter((name) => name !== undefined))];
  const options = { formats: known.length > 0 ? known : ['markdown'] };
  return `import Firecrawl from 'firecrawl';

const firecrawl = new Firecrawl({ apiUrl: '${serviceUrl}', apiKey: process.env.GLEANER_API_KEY });

const page = await firecrawl.scrape(${JSON.stringify(url)}, ${JSON.stringify(options)});
console.log(page);
`;
}

/** Returns a program of the Python client. */
export function renderPython(serviceUrl: string, request: ScrapeRequest): string {
  const part = request.download ? 'file' : request.formats && !request.selectors ? 'formats' : 'data';
  return `import os
from gleaner_client import Gleaner

gleaner = Gleaner(${JSON.stringify(serviceUrl)}, os.environ["GLEANER_API_KEY"])

page = gleaner.scrape(${literalOf(request)})
print(page["${part}"])
`;
}

/** Returns JSON as Python writes it: the words for true, false and null differ. */
function literalOf(value: unknown, indent = ''): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value !== 'object') return JSON.stringify(value);
  const inner = `${indent}    `;
  const entries = Array.isArray(value)
    ? value.map((each) => literalOf(each, inner))
    : Object.entries(value)
        .filter(([, each]) => each !== undefined)
        .map(([name, each]) => `${JSON.stringify(name)}: ${literalOf(each, inner)}`);
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  if (entries.length === 0) return `${open}${close}`;
  return `${open}\n${entries.map((entry) => `${inner}${entry},\n`).join('')}${indent}${close}`;
}

type ShownFlag = (typeof PAGE_FLAGS)[number];

/** Returns the words of a flag that sets a value; none if it sets another value. */
function wordsOf({ name, kind, sets, field }: ShownFlag, value: unknown): readonly string[] {
  const given = field === undefined ? value : (value as Readonly<Record<string, unknown>>)[field];
  if (given === undefined) return [];
  if (kind === 'switch') return given === (sets ?? true) ? [name] : [];
  return VALUES[kind](given as never).map((word) => `${name} ${quote(word)}`);
}

/** Returns the values that a flag is given with to set an option. */
const VALUES: Readonly<Record<Exclude<ShownFlag['kind'], 'switch'>, (value: never) => readonly string[]>> = {
  text: (text: string | { readonly id: string }) => [typeof text === 'object' ? text.id : text],
  count: (count: number) => [String(count)],
  textOrCount: (value: string | number) => [String(value)],
  choice: (choice: string) => [choice],
  headers: (headers: object) => Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  cookies: (cookies: NonNullable<ScrapeRequest['cookies']>) =>
    cookies.map(({ name, value }) => `${name}=${value}`),
  jsonFile: () => ['schema.json'],
  captures: (capture: NonNullable<ScrapeRequest['capture']>) =>
    Object.entries(capture).map(([name, rule]) => `${name}=${wordOf(rule)}`),
};

function bodyFlags({ body, json, form = {} }: ScrapeRequest): readonly string[] {
  return [
    ...(body === undefined ? [] : [`--data ${quote(body)}`]),
    ...(json === undefined ? [] : [`--data-json ${quote(JSON.stringify(json))}`]),
    ...Object.entries(form).flatMap(([name, value]) =>
      [value].flat().map((each) => `--form ${quote(`${name}=${each}`)}`),
    ),
  ];
}

/** Returns the glob of a capture, or its JSON if it says more. */
function wordOf({ url, ...others }: NonNullable<ScrapeRequest['capture']>[string]): string {
  const isGlob = typeof url === 'string' && Object.keys(others).length === 0;
  return isGlob ? url : JSON.stringify({ url, ...others });
}

/** Returns the command of a scrape. Selectors with options come from the standard input, and a schema from a file. */
export function renderCommand(serviceUrl: string, request: ScrapeRequest): string {
  const { url, actions, selectors = {}, formats, maxCredits, screenshot, extract } = request;
  const isPlain = Object.values(selectors).every((selector) => typeof selector === 'string');
  const parts = [
    `GLEANER_URL=${quote(serviceUrl)} gleaner scrape ${quote(url)}`,
    ...(isPlain
      ? Object.entries(selectors).map(([name, selector]) => `-s ${quote(`${name}=${selector}`)}`)
      : ['--selectors -']),
    ...(formats ? [`--formats ${formatsWord(formats)}`] : []),
    ...bodyFlags(request),
    ...(actions ?? []).map((step) => `--action ${quote(actionWord(step))}`),
    ...PAGE_FLAGS.flatMap((flag) => {
      const value = request[flag.option as keyof ScrapeRequest];
      return value === undefined ? [] : wordsOf(flag, value);
    }),
    ...(maxCredits === undefined ? [] : [`--max-credits ${maxCredits}`]),
    ...screenshotFlags(screenshot),
  ];
  const command = parts.join(' \\\n  ');
  const whole = isPlain ? command : `echo ${quote(JSON.stringify(selectors))} | ${command}`;
  return extract ? `echo ${quote(JSON.stringify(extract.schema))} > schema.json\n${whole}` : whole;
}

/** Returns the names of the formats, or their JSON if one has options. */
function formatsWord(formats: NonNullable<ScrapeRequest['formats']>): string {
  return formats.every((format) => typeof format === 'string')
    ? formats.join(',')
    : quote(JSON.stringify(formats));
}

/** Returns a step as the command line takes it: `click=.more`, or its JSON if it has further fields. */
function actionWord(step: NonNullable<ScrapeRequest['actions']>[number]): string {
  const [[verb, target] = [], ...others] = Object.entries(step);
  return others.length === 0 && typeof target === 'string' ? `${verb}=${target}` : JSON.stringify(step);
}

function screenshotFlags(screenshot: ScrapeRequest['screenshot']): readonly string[] {
  if (!screenshot) return [];
  const { format = 'png', selector, viewport, mobile, fullPage } = screenshot === true ? {} : screenshot;
  const { width, height, scale } = viewport ?? {};
  return [
    `--screenshot page.${format}`,
    ...(selector === undefined ? [] : [`--screenshot-of ${quote(selector)}`]),
    ...(viewport ? [`--viewport ${width}x${height}${scale === undefined ? '' : `@${scale}`}`] : []),
    ...(mobile ? ['--mobile'] : []),
    ...(fullPage === false ? ['--no-full-page'] : []),
  ];
}

/** Quotes a word for a POSIX shell. */
function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
