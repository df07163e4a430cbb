import type { ScrapeCommand, ScrapeResult } from '@gleaner/contracts';
import type { HttpClient, ProxyPools, Route } from '@gleaner/egress';
import { planSelectors } from '@gleaner/extraction';
import type { Logger } from '@gleaner/service-kit';
import { CLASSIFIED_BYTES, classifyResponse } from '../classify/classify-response.ts';
import { decodeBody } from '../decode/decode-body.ts';
import { documentKindOf } from '../decode/document-kind.ts';
import { sniffEncoding } from '../decode/sniff-encoding.ts';
import type { PageReader } from '../extract/page-reader.ts';
import type { PageMemory } from '../memory/page-memory.ts';
import { makeAttempts } from './make-attempts.ts';
import { namingStage } from './naming-stage.ts';
import type { Finding, ScrapeContext } from './scrape.ts';

/** What a scrape works with. */
export interface ScrapeDeps {
  readonly httpClient: HttpClient;
  readonly proxyPools: ProxyPools;
  readonly pageReader: PageReader;
  readonly pageMemory: PageMemory;
  readonly logger: Pick<Logger, 'error'>;
  /** The job that a command is a page of; without it, somebody waits for the page. */
  readonly jobIdOf?: (requestId: string) => string;
}

/** Fetches the page of a command and takes from it what was asked for; failures come back as findings, never thrown. */
export async function scrapePage(
  command: ScrapeCommand,
  deps: ScrapeDeps,
  { signal, proxies }: ScrapeContext,
): Promise<Finding> {
  const deadlineMs = Math.min(command.deadlineMs, Date.now() + command.timeoutMs);
  return await makeAttempts(command, { ...deps, proxies, engine: 'http' }, (route) =>
    fetchAndExtract(command, deps, { route, deadlineMs, signal }),
  );
}

/** What one attempt works within. */
interface AttemptContext {
  readonly route: Route | undefined;
  readonly deadlineMs: number;
  readonly signal: AbortSignal;
}

/** The stages of a plain scrape, in the order in which they run. */
async function fetchAndExtract(
  { requestId, accountId, request: { url, selectors, headers, cookies } }: ScrapeCommand,
  { httpClient, pageReader, pageMemory, jobIdOf }: ScrapeDeps,
  { route, deadlineMs, signal }: AttemptContext,
): Promise<Omit<ScrapeResult, 'attempts' | 'price'>> {
  using room = pageMemory.open(accountId);
  const plan = selectors ? planSelectors(selectors) : null;
  const page = await httpClient.fetchPage(
    {
      url,
      deadlineMs,
      makeRoom: room.grow,
      ...(route && { route }),
      ...(headers && { headers }),
      ...(cookies && { cookies }),
    },
    signal,
  );
  const contentType = page.headers['content-type'];
  const encoding = sniffEncoding(page.body, contentType);
  classifyResponse({ ...page, html: decodeBody(page.body.subarray(0, CLASSIFIED_BYTES), encoding) });
  const { dataJson, warnings } = await namingStage('extracting the data', signal, () =>
    pageReader.read(
      { body: page.body, encoding, kind: documentKindOf(contentType), plan, baseUrl: page.finalUrl },
      { accountId, jobId: jobIdOf?.(requestId), signal },
    ),
  );

  return {
    dataJson,
    warnings: [...warnings],
    finalUrl: page.finalUrl,
    statusCode: page.statusCode,
    timestamp: new Date().toISOString(),
    engine: 'http',
  };
}
