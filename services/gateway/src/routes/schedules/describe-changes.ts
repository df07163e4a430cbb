import type { RunChanges } from '@gleaner/contracts';
import { type FittingChanges, findChanges, type StoredJob, type Stores } from '@gleaner/storage';
import { diffValue } from './diff-value.ts';

/** Stores with the results of runs. */
export interface ChangeReader {
  readonly jobs: Pick<Stores['jobs'], 'findRunBefore'>;
  readonly pages: Pick<Stores['pages'], 'findInOrder'>;
  readonly results: Pick<Stores['results'], 'findResults'>;
}

/** Bytes of changed fields that are shown of one run. */
const MAX_BYTES = 128 * 1024;

/** Compares runs with the runs before them, value by value; runs that cannot be compared have no changed pages. */
export async function describeChanges(
  runs: readonly StoredJob[],
  reader: ChangeReader,
  signal: AbortSignal,
): Promise<RunChanges[]> {
  const described: RunChanges[] = [];
  // One after the other: each run reads the results of several.
  for (const run of runs) {
    signal.throwIfAborted();
    described.push(await describeRun(run, reader));
  }
  return described;
}

async function describeRun(run: StoredJob, reader: ChangeReader): Promise<RunChanges> {
  const { pages, omittedPages } = (await findChanges(run, reader, MAX_BYTES)) ?? {
    ...{ pages: [], omittedPages: 0 },
  };
  return {
    jobId: run.id,
    at: run.createdAt.toISOString(),
    pages: pages.map(({ url, ...fitting }) => ({ url, ...describeFields(fitting) })),
    ...(omittedPages > 0 && { omittedPages }),
  };
}

function describeFields({ changes, omittedFields }: FittingChanges) {
  return {
    changes: Object.entries(changes).flatMap(([name, { previous, current }]) =>
      diffValue(name, previous ?? undefined, current ?? undefined),
    ),
    ...(omittedFields.length > 0 && { omittedFields: [...omittedFields] }),
  };
}
