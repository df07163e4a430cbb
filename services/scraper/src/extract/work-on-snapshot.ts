import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import {
  AppError,
  defined,
  type Engine,
  type ExtractResponse,
  LIMITS,
  type PackedPage,
  renderExtracted,
  type SnapshotCommand,
  suspectWarnings,
} from '@gleaner/contracts';
import {
  type Budget,
  extractDefaults,
  extractFormats,
  type ParsedDocument,
  parseDocument,
  planFormats,
  planSelectors,
} from '@gleaner/extraction';
import {
  extractWithMatches,
  renderView,
  repair,
  type SolveRequest,
  solve,
  suggest,
} from '@gleaner/selectors';
import { requireContent } from '../classify/verdict/require-content.ts';
import { comparePage } from './compare-page.ts';
import { readSource, wantedOf } from './read-page.ts';
import type { PageValues } from './reading.ts';

/** A page of the largest size, with three bytes for each character. */
const MAX_SOURCE_BYTES = 3 * LIMITS.maxPageBytes;
/** Content that fits into a response and, compressed, into any message. */
const MAX_CONTENT_CHARACTERS = 32 * 1024 * 1024;

/** A task that is carried out on one thread; `fit` is the part of `solve` after the model. */
type ThreadTask =
  | Exclude<SnapshotCommand['task'], { type: 'solve' }>
  | { readonly type: 'fit'; readonly request: SolveRequest; readonly others: readonly PackedPage[] };

/** A command to a thread. */
export type ThreadCommand = Omit<SnapshotCommand, 'task'> & { readonly task: ThreadTask };

/** Task about a page that a caller sent. */
type ReadTask = Extract<SnapshotCommand['task'], { type: 'read' }>;

/** Carries out a command on this thread and returns its content, compressed, in base64. Throws UNSUPPORTED_CONTENT over the budget. */
export function workOnSnapshot({ page, task }: ThreadCommand, budget: Budget): string {
  if (task.type === 'read') return packContent(readSent(page, task, budget));
  if (task.type === 'test') {
    const read = readAsFetched(page, { options: task.request, engine: task.engine }, budget);
    return packContent(JSON.stringify(comparePage(read, task.expected)));
  }
  const document = unpack(page, budget);
  const { baseUrl } = page;
  switch (task.type) {
    case 'view':
      return packContent(
        renderView(document, {
          baseUrl,
          budget,
          ...defined({ script: task.script }),
        }),
      );
    case 'extract':
      return packContent(extractFrom(document, task.request, { baseUrl, budget }));
    case 'suggest': {
      const alsoOn = task.others.map((other) => unpack(other, budget));
      const candidates = suggest(document, { ...task.request, alsoOn }, { budget });
      return packContent(JSON.stringify({ success: true, candidates }));
    }
    case 'fit': {
      const { request, others } = task;
      const openAt = (other: PackedPage) => ({ document: unpack(other, budget), baseUrl: other.baseUrl });
      return packContent(JSON.stringify(solve({ document, baseUrl }, others.map(openAt), request, budget)));
    }
    case 'repair': {
      const { selectors, locale, paths, now, others } = task;
      const pairOf = (good: PackedPage, bad: PackedPage) => ({
        good: { document: unpack(good, budget), baseUrl: good.baseUrl },
        bad: { document: unpack(bad, budget), baseUrl: bad.baseUrl },
      });
      const pairs = [pairOf(page, now), ...others.map((other) => pairOf(other.page, other.now))];
      return packContent(
        JSON.stringify(paths.map((path) => repair(pairs, { selectors, path, locale }, budget))),
      );
    }
  }
}

/** Reads a caller's own page like a fetched one, and renders the response. */
function readSent(page: PackedPage, { requestId, url, request }: ReadTask, budget: Budget): string {
  const startedAt = performance.now();
  const read = readAsFetched(page, { options: request, engine: 'http' }, budget);
  requireContent(read.verdict, { missing: read.missing });
  const warnings = [...suspectWarnings(read.verdict), ...read.warnings];
  const rest: Omit<ExtractResponse, 'success' | 'data' | 'formats'> = {
    metadata: {
      ...defined({ url }),
      timestamp: new Date().toISOString(),
      duration: Math.round(performance.now() - startedAt),
      credits: 0,
      verdict: read.verdict,
    },
    ...(warnings.length > 0 && { warnings }),
    requestId,
  };
  return renderExtracted(read, { success: true }, rest);
}

/** Reads a page like one that an engine has fetched. */
function readAsFetched(
  page: PackedPage,
  { options, engine }: { readonly options: ReadTask['request']; readonly engine: Engine },
  budget: Budget,
): PageValues {
  const { kind, baseUrl, encoding } = page;
  const wanted = { ...wantedOf(options), ...defined({ documentEncoding: encoding }) };
  return readSource(sourceOf(page), { kind, baseUrl, askedUrl: baseUrl, engine, ...wanted }, budget);
}

function extractFrom(
  document: ParsedDocument,
  { selectors, formats = [], locale }: Extract<SnapshotCommand['task'], { type: 'extract' }>['request'],
  { baseUrl, budget }: { readonly baseUrl: string; readonly budget: Budget },
): string {
  const options = { baseUrl, budget };
  const result = selectors
    ? extractWithMatches(document, planSelectors(selectors), {
        ...options,
        ...defined({ locale }),
      })
    : undefined;
  const read = formats.length > 0 ? extractFormats(document, planFormats(formats), options) : undefined;
  const warnings = [...(result?.warnings ?? []), ...(read?.warnings ?? [])];
  const data = result?.data ?? (read ? undefined : extractDefaults(document, options));
  const parts = [
    '"success":true',
    ...(data ? [`"data":${JSON.stringify(data)}`] : []),
    ...(read ? [`"formats":${read.json}`] : []),
    `"matches":${JSON.stringify(result?.matches ?? {})}`,
    ...(warnings.length > 0 ? [`"warnings":${JSON.stringify(warnings)}`] : []),
  ];
  return `{${parts.join(',')}}`;
}

function unpack(page: PackedPage, budget: Budget): ParsedDocument {
  const { kind, encoding } = page;
  return parseDocument(sourceOf(page), { kind, budget, ...defined({ encoding }) });
}

function sourceOf({ source }: PackedPage): string {
  const bytes = brotliDecompressSync(Buffer.from(source, 'base64'), { maxOutputLength: MAX_SOURCE_BYTES });
  return bytes.toString();
}

/** Compresses the content of a reply. Throws UNSUPPORTED_CONTENT for too much of it. */
export function packContent(content: string): string {
  if (content.length > MAX_CONTENT_CHARACTERS) {
    throw new AppError('UNSUPPORTED_CONTENT', {
      message: `The result has ${content.length} characters; at most ${MAX_CONTENT_CHARACTERS} are returned.`,
      suggestion: 'Use fewer or narrower selectors, or fewer formats.',
    });
  }
  const params = { [constants.BROTLI_PARAM_QUALITY]: 1 };
  return brotliCompressSync(content, { params }).toString('base64');
}
