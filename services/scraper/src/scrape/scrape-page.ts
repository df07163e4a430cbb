import type { ScrapeCommand } from '@gleaner/contracts';
import type { HttpClient, ProxyPools, Route } from '@gleaner/egress';
import type { Logger } from '@gleaner/service-kit';
import type { PageMemory } from '../capacity/page-memory.ts';
import { CLASSIFIED_BYTES, classifyResponse } from '../classify/classify-response.ts';
import { documentKindOf } from '../decode/content-type.ts';
import { decodeBody, sniffEncoding } from '../decode/sniff-encoding.ts';
import type { PageReader } from '../extract/page-reader.ts';
import { wantedOf } from '../extract/read-page.ts';
import { Attempts } from './attempts.ts';
import type { Finding, ScrapeContext, ScrapedPage } from './scrape.ts';
import { inStage } from './stage.ts';
import { withStatus } from './with-status.ts';

/** Dependencies of a plain scrape. */
export interface ScrapeDeps {
  readonly httpClient: HttpClient;
  readonly proxyPools: ProxyPools;
  readonly pageReader: PageReader;
  readonly pageMemory: PageMemory;
  readonly logger: Pick<Logger, 'error'>;
  /** Returns the job that a page belongs to; not set for scrapes, whose callers wait. */
  readonly jobIdOf?: (requestId: string) => string;
}

/** Fetches the page of a command and extracts its data. Failures are returned as findings, never thrown. */
export async function scrapePage(
  command: ScrapeCommand,
  deps: ScrapeDeps,
  { signal, proxies }: ScrapeContext,
): Promise<Finding> {
  const deadlineMs = Math.min(command.deadlineMs, Date.now() + command.timeoutMs);
  const attempts = new Attempts(command, { ...deps, proxies, engine: 'http' });
  for (const route of attempts) {
    try {
      attempts.succeeded(await fetchAndExtract(command, deps, { route, deadlineMs, signal }));
    } catch (error) {
      attempts.failed(error);
    }
  }
  return attempts.finding;
}

/** Limits and route of one attempt. */
interface AttemptContext {
  readonly route: Route | undefined;
  readonly deadlineMs: number;
  readonly signal: AbortSignal;
}

/** The stages of a plain scrape, in order. */
async function fetchAndExtract(
  { requestId, accountId, request }: ScrapeCommand,
  { httpClient, pageReader, pageMemory, jobIdOf }: ScrapeDeps,
  { route, deadlineMs, signal }: AttemptContext,
): Promise<ScrapedPage> {
  using room = pageMemory.open(accountId);
  const { url, headers, cookies } = request;
  const wanted = wantedOf(request);
  const response = await httpClient.fetchPage(
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
  const { body, finalUrl, statusCode } = response;
  const contentType = response.headers['content-type'];
  const encoding = sniffEncoding(body, contentType);
  classifyResponse({ ...response, html: decodeBody(body.subarray(0, CLASSIFIED_BYTES), encoding) });
  const reading = pageReader.read(
    { body, encoding, kind: documentKindOf(contentType), baseUrl: finalUrl, ...wanted },
    { accountId, jobId: jobIdOf?.(requestId), signal },
  );
  const values = await inStage('extracting the data', signal, withStatus(statusCode, reading));
  const timestamp = new Date().toISOString();
  return {
    page: { ...values, warnings: [...values.warnings], finalUrl, statusCode, timestamp, engine: 'http' },
  };
}
