import { ROUTES, type RouteDefinition, type RouteName } from '@gleaner/contracts';

/** A body, and the name of what is costly about it. */
export type CostlyBody = readonly [name: string, body: object];

const repeated = <Value>(count: number, value: (index: number) => Value) =>
  Array.from({ length: count }, (_, index) => value(index));
const fields = (count: number, value: (index: number) => unknown) =>
  Object.fromEntries(repeated(count, (index) => [`field${index}`, value(index)]));

/** Values up to the bounds of a body, of the shapes that take longest to check and to describe. */
const SHAPES: Readonly<Record<string, unknown>> = {
  numbers: repeated(150_000, (index) => index),
  objects: repeated(12_000, (index) => ({ a: index, b: null })),
  fields: fields(24_000, (index) => index),
  'a text': 'ü\u{1F600}'.repeat(60_000),
};

interface Part {
  readonly properties?: Readonly<Record<string, Part>>;
  readonly anyOf?: readonly Part[];
  readonly items?: Part;
}

/**
 * Returns bodies with each shape at the place of each field that the schema of a route names, three levels deep; of fields
 * that several routes take, those of the first one.
 */
export function costlyBodiesOf(name: RouteName): CostlyBody[] {
  const covered = new Set<string>();
  for (const route of Object.keys(ROUTES) as RouteName[]) {
    const { body, bodyExample = {} }: RouteDefinition = ROUTES[route];
    if (!body) continue;
    const places = [['unknown'], ...placesOf(body as Part, covered, 3)];
    if (route !== name) continue;
    return places.flatMap((names) =>
      Object.entries(SHAPES).map(([shape, value]): CostlyBody => {
        return [`${shape} as ${names.join('.')}`, { ...bodyExample, ...at(names, value) }];
      }),
    );
  }
  return [];
}

function placesOf(
  { properties = {}, anyOf = [], items }: Part,
  covered: Set<string>,
  levels: number,
): string[][] {
  if (levels === 0) return [];
  const own = Object.entries(properties).flatMap(([name, part]) => {
    const text = JSON.stringify([name, part]);
    if (covered.has(text)) return [];
    covered.add(text);
    return [[name], ...placesOf(part, covered, levels - 1).map((inner) => [name, ...inner])];
  });
  const entries = items ? placesOf(items, covered, levels).map((inner) => ['0', ...inner]) : [];
  return [...own, ...entries, ...anyOf.flatMap((branch) => placesOf(branch, covered, levels))];
}

function at([name, ...inner]: readonly string[], value: unknown): object {
  if (name === undefined) return {};
  const within = inner.length === 0 ? value : at(inner, value);
  return name === '0' ? [within] : { [name]: within };
}

const UNICODE = '(?i)[\\pL\\pN\\pS\\pM]';
const AN_URL = 'https://example.com/';

/** Selectors that take long to parse and to plan, within their bounds. */
export const COSTLY_SELECTORS: Readonly<Record<string, object>> = {
  has: fields(90, () => ({ selector: ':has(> a ~ b + c d)'.repeat(37), all: true })),
  'is in has': fields(90, () => ({ selector: `:has(${':is(a, '.repeat(60)}b${')'.repeat(60)})`, all: true })),
  'nth-child of': fields(90, () => `:nth-child(2n+1 of ${'.a > b ~ c,'.repeat(60)}d)`),
  lists: fields(2, () => `${'a[b="c" i],'.repeat(2900)}d`),
  nots: fields(90, () => `${':not(.a)'.repeat(80)}::text::all`),
  patterns: fields(31, (index) => ({ selector: 'a', pattern: `${UNICODE}{1,9}${index}` })),
  'a large pattern': { a: { selector: 'a', pattern: `${UNICODE}{1,900}` } },
  records: repeated(30, (index) => index).reduce<object>(
    (inner, index) => ({ [`f${index}`]: { selector: 'a', all: true, fields: inner } }),
    { last: 'b' },
  ),
  'JSON paths': fields(90, () => ({ selector: 'a', json: `$${'[?@.a>1 && @..b]'.repeat(40)}` })),
  dates: fields(99, (index) => ({
    selector: 'a',
    type: 'datetime',
    timezone: 'Asia/Taipei',
    locale: `${['zh-Hant', 'de', 'ar', 'hi', 'th'][index % 5]}-${String.fromCharCode(65 + (index % 26))}A`,
  })),
};

export const WRONG_SELECTORS: Readonly<Record<string, object>> = {
  'wrong ones': fields(99, () => `a:hover(${'('.repeat(400)}`),
  'wrong combinations': fields(99, () => ({ selector: 'a', fields: { a: 'b' }, type: 'date', pattern: '(' })),
  'has in has': fields(90, () => ({ selector: `${':has(a, '.repeat(30)}b${')'.repeat(30)}`, all: true })),
  'too many patterns': fields(99, (index) => ({ selector: 'a', pattern: `${UNICODE}{1,9}${index}` })),
};

const many = <Value>(value: (index: number) => Value) => repeated(100, value);

/** Options of crawls that take long to check, within their bounds. */
export const COSTLY_CRAWLS: Readonly<Record<string, object>> = {
  globs: { include: many((index) => `/**/${'*a**'.repeat(35)}${index}`) },
  'long globs': { include: many((index) => `${'/*a'.repeat(340)}${index}`) },
  patterns: { include: repeated(53, (index) => ({ regex: `${UNICODE}{1,3}${index}` })) },
  'large patterns': { exclude: repeated(14, (index) => ({ regex: `(${UNICODE}{1,30}){1,30}${index}` })) },
  rules: {
    rules: repeated(50, (index) => ({
      match: `/**${index}/**`,
      follow: repeated(20, () => ':has(a > b)'.repeat(85)),
      selectors: fields(50, () => 'a:is(.b, .c)'),
    })),
  },
  'patterns in rules': {
    rules: repeated(50, (index) => ({
      match: { regex: `${UNICODE}{1,2}${index}` },
      selectors: fields(2, (at) => ({ selector: 'a', pattern: `${UNICODE}{1,5}${index}-${at}` })),
    })),
  },
};

export const WRONG_CRAWLS: Readonly<Record<string, object>> = {
  'wrong patterns': { include: repeated(19, () => ({ regex: '('.repeat(1000) })) },
  'too many patterns': { include: many(() => ({ regex: `${UNICODE}{1,3}` })) },
  'wrong selectors in rules': {
    rules: repeated(50, () => ({ match: '/**', follow: repeated(20, () => ':has(a,'.repeat(140)) })),
  },
};

/** Options that take long to check, within their bounds. */
export const COSTLY_OPTIONS: Readonly<Record<string, object>> = {
  cookies: {
    cookies: repeated(300, (index) => ({
      name: `c${index}`,
      value: 'v'.repeat(3000),
      domain: `${'a.'.repeat(100)}example.com`,
      path: '/p',
      expires: '2030-01-01T00:00:00Z',
    })),
  },
  headers: { headers: fields(100, () => 'ä '.repeat(3000)) },
  waitFor: { waitFor: ':has(a > b)'.repeat(370) },
};

export const WRONG_OPTIONS: Readonly<Record<string, object>> = {
  'wrong headers': { headers: fields(100, () => 'a\n\u0000'.repeat(1000)) },
  'wrong waitFor': { waitFor: ':has(a,'.repeat(500) },
};

/** Lists of URLs up to the size of a body. */
export const COSTLY_URLS: Readonly<Record<string, readonly unknown[]>> = {
  'many URLs': repeated(
    100_000,
    (index) => `https://shop.example.com/category/products/of/a/long/path/${index}?page=${index}`,
  ),
  'many equal URLs': repeated(100_000, () => AN_URL),
  'many hosts': repeated(100_000, (index) => `https://host${index}.example.com/`),
  'international hosts': repeated(100_000, (index) => `https://bücher${index}.例え.example/ü?ß=é`),
  'long URLs': repeated(1250, (index) => `${AN_URL}${'ä/../'.repeat(1300)}${index}`),
};

export const WRONG_URLS: Readonly<Record<string, readonly unknown[]>> = {
  'many wrong URLs': repeated(100_000, (index) => `ftp://${index}`),
  'private addresses': repeated(100_000, (index) => `http://10.0.${index % 255}.1/${index}`),
  'too many URLs': repeated(190_000, (index) => `${AN_URL}${index}`),
  'values of another type': repeated(190_000, () => null),
};
