import {
  FIRECRAWL_BATCH,
  FIRECRAWL_CRAWL,
  FIRECRAWL_EXTRACT,
  FIRECRAWL_MAP,
  FIRECRAWL_PARSE,
  FIRECRAWL_PREVIEW,
  FIRECRAWL_SCRAPE,
  FIRECRAWL_SEARCH,
  FIRECRAWL_V1_BATCH,
  FIRECRAWL_V1_CRAWL,
  FIRECRAWL_V1_MAP,
  FIRECRAWL_V1_SCRAPE,
  FIRECRAWL_V1_SEARCH,
  type FirecrawlOptions,
  type RouteName,
} from '@gleaner/contracts';
import { createExtract, readExtract } from './answer-extract.ts';
import { parse } from './answer-parse.ts';
import { search, searchOfV1 } from './answer-search.ts';
import {
  type Answer,
  cancel,
  createBatch,
  createBatchOfV1,
  createCrawl,
  listActive,
  listErrors,
  map,
  mapOfV1,
  previewCrawl,
  readConcurrency,
  readCredits,
  readQueue,
  readState,
  readTokens,
  scrape,
} from './answers.ts';

/** An endpoint of Firecrawl's API. */
export interface Endpoint {
  readonly method: 'get' | 'post' | 'delete';
  /** After the version, in OpenAPI form. */
  readonly path: string;
  /** The route whose scope, rate limit and bounds of the body hold for it. */
  readonly like: RouteName;
  readonly answer: Answer;
  /** Options of the body, and the names of the required ones. */
  readonly options?: FirecrawlOptions;
  readonly required?: readonly string[];
  /** The options come with a file, as `multipart/form-data`. */
  readonly isUpload?: boolean;
  /** It takes `skip` and `limit`. */
  readonly isPaged?: boolean;
}

/** Endpoints of values from several pages, of both versions. */
const EXTRACT: readonly Endpoint[] = [
  { ...post('/extract', 'createJob', createExtract, FIRECRAWL_EXTRACT), required: ['urls'] },
  get('/extract/{id}', 'getJob', readExtract),
];

/** The endpoints by version, each in the order in which paths are compared. */
export const ENDPOINTS: Readonly<Record<'v1' | 'v2', readonly Endpoint[]>> = {
  v2: [
    post('/scrape', 'scrape', scrape, FIRECRAWL_SCRAPE),
    { ...post('/batch/scrape', 'createJob', createBatch, FIRECRAWL_BATCH), required: ['urls'] },
    post('/crawl', 'createJob', createCrawl, FIRECRAWL_CRAWL),
    post('/crawl/params-preview', 'listJobs', previewCrawl, FIRECRAWL_PREVIEW),
    post('/map', 'map', map, FIRECRAWL_MAP),
    { ...post('/search', 'search', search, FIRECRAWL_SEARCH), required: ['query'] },
    ...EXTRACT,
    { ...post('/parse', 'extract', parse, FIRECRAWL_PARSE), required: [], isUpload: true },
    get('/crawl/active', 'listJobs', listActive),
    get('/crawl/ongoing', 'listJobs', listActive),
    ...ofJobs('/crawl'),
    ...ofJobs('/batch/scrape'),
    get('/team/credit-usage', 'getUsage', readCredits),
    get('/team/token-usage', 'getUsage', readTokens),
    get('/team/queue-status', 'listJobs', readQueue),
    get('/concurrency-check', 'listJobs', readConcurrency),
  ],
  v1: [
    post('/scrape', 'scrape', scrape, FIRECRAWL_V1_SCRAPE),
    { ...post('/batch/scrape', 'createJob', createBatchOfV1, FIRECRAWL_V1_BATCH), required: ['urls'] },
    post('/crawl', 'createJob', createCrawl, FIRECRAWL_V1_CRAWL),
    post('/map', 'map', mapOfV1, FIRECRAWL_V1_MAP),
    { ...post('/search', 'search', searchOfV1, FIRECRAWL_V1_SEARCH), required: ['query'] },
    ...EXTRACT,
    get('/crawl/active', 'listJobs', listActive),
    ...ofJobs('/crawl'),
    ...ofJobs('/batch/scrape'),
  ],
};

function post(path: string, like: RouteName, answer: Answer, options: FirecrawlOptions): Endpoint {
  return { method: 'post', path, like, answer, options, required: ['url'] };
}

function get(path: string, like: RouteName, answer: Answer): Endpoint {
  return { method: 'get', path, like, answer };
}

function ofJobs(path: string): Endpoint[] {
  return [
    get(`${path}/{id}/errors`, 'getJobUrls', listErrors),
    { ...get(`${path}/{id}`, 'getJob', readState(path)), isPaged: true },
    { method: 'delete', path: `${path}/{id}`, like: 'cancelJob', answer: cancel },
  ];
}
