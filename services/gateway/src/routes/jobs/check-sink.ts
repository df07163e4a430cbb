import type { SinkGrant, SinkTarget } from '@gleaner/config';
import {
  AppError,
  type CrawlOptions,
  type ErrorDetail,
  nearestName,
  type ScrapeOptions,
  SINK_KEY_NAMES,
  type SinkOptions,
} from '@gleaner/contracts';
import { rowFieldsOf } from '@gleaner/export';
import { summarizeDetails } from '../../responses/summarize-details.ts';

/** The sinks of the operator, and who may write to them. */
export interface SinkRules {
  readonly sinks: readonly Pick<SinkTarget, 'name'>[];
  readonly sinkAccounts: readonly SinkGrant[];
}

/** Options of a job or schedule that may write to a sink. */
interface SinkRequest extends ScrapeOptions {
  readonly sink?: SinkOptions;
  readonly crawl?: CrawlOptions;
}

/** Throws INVALID_REQUEST for a sink that the account has not, and for a key or rows that cannot be. The selectors are valid. */
export function checkSink(request: SinkRequest, accountId: string, rules: SinkRules): void {
  const { sink } = request;
  if (!sink) return;
  const details = [
    ...findNameErrors(sink, accountId, rules),
    ...findKeyErrors(sink),
    ...findRowsErrors(sink, request),
  ];
  if (details.length > 0)
    throw new AppError('INVALID_REQUEST', { message: summarizeDetails(details), details });
}

function findNameErrors({ name }: SinkOptions, accountId: string, rules: SinkRules): ErrorDetail[] {
  const known = sinksOf(accountId, rules);
  if (known.includes(name)) return [];
  if (known.length === 0) return [{ path: 'sink', message: NO_SINKS }];
  const meant = nearestName(name, known);
  const question = meant === undefined ? '' : `; did you mean "${meant}"?`;
  return [{ path: 'sink.name', message: `must be one of the sinks: ${known.join(', ')}${question}` }];
}

const NO_SINKS =
  'cannot be used: the operator has configured no sink for this account (SINKS, SINK_ACCOUNTS)';

/** Returns the names of the sinks that an account may write to. */
export function sinksOf(accountId: string, rules: SinkRules): string[] {
  return rules.sinks.map(({ name }) => name).filter((name) => mayWrite(name, accountId, rules));
}

function mayWrite(name: string, accountId: string, { sinkAccounts }: SinkRules): boolean {
  const grants = sinkAccounts.filter(({ sink }) => sink === undefined || sink === name);
  return grants.length === 0 || grants.some((grant) => grant.accountId === accountId);
}

function findKeyErrors({ key }: SinkOptions): ErrorDetail[] {
  const message = key === undefined ? undefined : findKeyProblem(key);
  return message === undefined ? [] : [{ path: 'sink.key', message }];
}

/** Explains what is wrong with the key of a sink; undefined for a usable one. */
export function findKeyProblem(key: string): string | undefined {
  const named = [...key.matchAll(/\{([^{}]*)\}/g)].map(([, name = '']) => name);
  const unknown = named.find((name) => !SINK_KEY_NAMES.some((known) => known === name));
  if (unknown !== undefined) {
    const meant = nearestName(unknown, SINK_KEY_NAMES);
    const question = meant === undefined ? '' : `; did you mean {${meant}}?`;
    const known = SINK_KEY_NAMES.map((name) => `{${name}}`).join(', ');
    return `has no {${unknown}}${question === '' ? '. There are: ' : `${question} There are: `}${known}`;
  }
  const literal = key.replace(/\{[^{}]*\}/g, 'x');
  if (!/^[A-Za-z0-9!_.=/-]+$/.test(literal))
    return 'may have letters, digits, "-", "_", ".", "=", "!" and "/" beside {schedule}, {date} and {job}';
  const parts = literal.split('/');
  if (parts.includes('')) return 'has an empty part: leave out "//" and a "/" at its beginning or end';
  if (parts.some((part) => part === '.' || part === '..')) return 'cannot have "." or ".." as a part';
  if (!named.includes('job')) return 'needs {job}: otherwise a job would overwrite the files of another';
  return undefined;
}

function findRowsErrors({ rows, format }: SinkOptions, { crawl, ...options }: SinkRequest): ErrorDetail[] {
  if (rows === undefined) return [];
  if (format === 'ndjson')
    return [{ path: 'sink.rows', message: 'is for parquet and csv: each line of ndjson is a page' }];
  const lists = rowFieldsOf({ options, crawl }).map(({ path }) => path);
  if (lists.includes(rows)) return [];
  if (lists.length === 0) return [{ path: 'sink.rows', message: 'must name a list, and no field is one' }];
  const meant = nearestName(rows, lists);
  const question = meant === undefined ? '' : `; did you mean "${meant}"?`;
  return [{ path: 'sink.rows', message: `must be one of the lists: ${lists.join(', ')}${question}` }];
}
