import { AppError, defined } from '@gleaner/contracts';
import type { HttpClient, Route } from '@gleaner/egress';
import { compileRobots, parseRobots } from '@gleaner/frontier';
import type { Rules, Visitor } from '../calibrate/calibrations.ts';
import { CLASSIFIED_BYTES, classifyResponse } from '../classify/classify-response.ts';
import { isPdf } from '../classify/describe-content.ts';
import { PRODUCT } from '../crawl/read-crawl-file.ts';
import { documentKindIn } from '../decode/content-type.ts';
import { decodeBody, sniffEncoding } from '../decode/sniff-encoding.ts';
import type { PageReader, ReadOptions } from '../extract/page-reader.ts';

/** The way to a site by which a page was fetched. */
export interface VisitorDeps {
  readonly httpClient: HttpClient;
  readonly pageReader: PageReader;
  readonly route: Route | undefined;
  /** Country of the proxy, if there is one. */
  readonly country: string | undefined;
  readonly pauseMs: number | undefined;
  readonly reading: Omit<ReadOptions, 'signal'>;
}

/** Much more than the answer to a path that does not exist, and than most files of rules. */
const MAX_BYTES = 256 * 1024;

/** Creates a visitor that fetches pages without a browser. */
export function createPlainVisitor(name: string, deps: VisitorDeps): Visitor {
  const { httpClient, route, country = '-', pauseMs = 0 } = deps;
  const fetchSmall = async (url: string, mayFollow: (target: URL) => boolean, signal: AbortSignal) =>
    await httpClient.fetchPage({ url, makeRoom: refuseMore, mayFollow, ...defined({ route }) }, signal);
  return {
    key: `${name} ${country}`,
    pauseMs,
    readRobots: async (origin, signal) => {
      const { host } = new URL(origin);
      const page = await fetchSmall(`${origin}/robots.txt`, (target) => target.host === host, signal);
      return page.redirectsTo === undefined ? rulesOf(page) : undefined;
    },
    readText: async (url, signal) => {
      const page = await fetchSmall(url, () => false, signal);
      if (page.redirectsTo !== undefined || page.statusCode !== 200) return undefined;
      return await readShown(page, deps, signal);
    },
  };
}

function refuseMore(bytes: number): undefined {
  if (bytes > MAX_BYTES) throw new AppError('UNSUPPORTED_CONTENT');
}

type Fetched = Awaited<ReturnType<HttpClient['fetchPage']>>;

/** Returns the rules of an answer; a site without a robots.txt has none (RFC 9309, section 2.3.1.3). */
function rulesOf({ statusCode, body }: Fetched): Rules | undefined {
  const isMissing = statusCode >= 400 && statusCode < 500 && statusCode !== 429;
  if (!isMissing && statusCode !== 200) return undefined;
  const { rules, crawlDelayMs = 0 } = parseRobots(isMissing ? '' : decodeBody(body, 'utf-8'), PRODUCT);
  return { isAllowed: compileRobots({ rules }), crawlDelayMs };
}

/** Returns the text of an answer; '' unless it is thin. Throws for a wall. */
async function readShown(
  page: Fetched,
  { pageReader, reading }: VisitorDeps,
  signal: AbortSignal,
): Promise<string> {
  const { body, headers, finalUrl } = page;
  const contentType = headers['content-type'];
  if (isPdf(body, contentType)) return '';
  const encoding = sniffEncoding(body, contentType);
  const html = decodeBody(body.subarray(0, CLASSIFIED_BYTES), encoding);
  classifyResponse({ ...page, html });
  const kind = documentKindIn(html, contentType);
  const { thinText } = await pageReader.read(
    {
      body,
      encoding,
      kind,
      baseUrl: finalUrl,
      askedUrl: finalUrl,
      engine: 'http' as const,
      plan: null,
      formats: [],
    },
    { ...reading, signal },
  );
  return thinText ?? '';
}
