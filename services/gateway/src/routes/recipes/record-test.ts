import {
  AppError,
  LIMITS,
  membersOf,
  type RecipeTest,
  type RecordTestRequest,
  type ScrapeMetadata,
} from '@gleaner/contracts';
import { type ResultReader, readResults, type Stores } from '@gleaner/storage';
import type { Caller } from '../../authentication.ts';
import { findJob } from '../jobs/find-job.ts';
import { invalid } from './check-recipe.ts';
import { findSnapshot, type ReadTest, type TestPageDeps, withSnapshot } from './test-pages.ts';

/** Collaborators of making tests of results. */
export interface RecordDeps extends TestPageDeps, ResultReader {
  readonly jobs: Pick<Stores['jobs'], 'findJob'>;
}

/** Largest result whose data may be expected, with its formats and the rest. */
const MAX_RESULT_CHARACTERS = 1024 * 1024;

/** Makes a test of a result of a job. Throws JOB_NOT_FOUND, SNAPSHOT_NOT_FOUND, and INVALID_REQUEST for one that cannot be expected. */
export async function testOfResult(
  { jobId, index, name }: RecordTestRequest,
  caller: Caller,
  deps: RecordDeps,
): Promise<ReadTest> {
  const job = await findJob(caller, jobId, deps);
  let text: string | undefined;
  for await (const [first] of readResults(job, { limit: 1, offset: index }, deps)) text ??= first;
  if (text === undefined) throw wrong('index', 'is not that of a result of the job');
  if (text.length > MAX_RESULT_CHARACTERS) throw wrong('index', TOO_LARGE);
  const members = membersOf(text);
  const read = <Value>(member: string) => {
    const json = members.get(member);
    return json === undefined ? undefined : (JSON.parse(json) as Value);
  };
  if (members.has('error')) throw wrong('index', 'is that of a URL that failed');
  const data = members.get('data') ?? '{}';
  if (data.length > LIMITS.maxExpectedLength) throw wrong('index', TOO_LARGE);
  const expect: RecipeTest['expect'] = JSON.parse(data);
  const url = read<string>('url') ?? '';
  const snapshotId = read<string>('snapshotId');
  if (snapshotId === undefined) throw notKept();
  const { id: accountId } = caller.account;
  const page = await findSnapshot(snapshotId, accountId, deps);
  const kind = read<ScrapeMetadata>('metadata')?.verdict?.page;
  const test = { name: name ?? nameOf(url), expect, ...(kind && { verdict: kind }) };
  return await withSnapshot(test, page, { accountId, path: 'index' });
}

const TOO_LARGE = `has more data than a test can expect: at most ${LIMITS.maxExpectedLength} characters`;
const MAX_NAME = 200;

function nameOf(url: string): string {
  const { pathname = '/', search = '' } = URL.parse(url) ?? {};
  return (pathname + search).slice(0, MAX_NAME);
}

function wrong(path: string, message: string): AppError {
  return invalid([{ path, message }]);
}

function notKept(): AppError {
  return new AppError('SNAPSHOT_NOT_FOUND', {
    message: 'The job kept no page with this result: it was created without "snapshot": true.',
    suggestion: 'Create the job again with "snapshot": true; its pages are kept for a day.',
  });
}
