import type { mongo } from 'mongoose';
import type { PageDocument } from './page-model.ts';
import type { PageEnd } from './page-store.ts';

type PageSuccess = Extract<PageEnd, { state: 'succeeded' }>;
type PageUpdate = mongo.AnyBulkWriteOperation<PageDocument>;

/**
 * The writes that end tries, each only while its page is still running that very try. Pages that have succeeded alike,
 * as most have, share one write: the database then has one to plan and to commit.
 */
export function updatesOf(ends: readonly PageEnd[], at: Date): PageUpdate[] {
  const successes = ends.filter((end) => end.state === 'succeeded');
  const alike = Map.groupBy(successes, ({ attempt, price }) => JSON.stringify([attempt, price]));
  return [
    ...alike.values().flatMap((group) => successesUpdate(group, at)),
    ...ends.flatMap((end) => (end.state === 'succeeded' ? [] : [updateOne(end, at)])),
  ];
}

/** Pages with the same attempt and price. */
function successesUpdate(group: readonly PageSuccess[], at: Date): PageUpdate[] {
  const [first] = group;
  if (!first) return [];
  const { attempt, price } = first;
  return [
    {
      updateMany: {
        filter: { _id: { $in: group.map(({ id }) => id) }, state: 'running', attempt },
        update: { $set: { state: 'succeeded', price, endedAt: at }, $unset: { deadlineAt: 1, failure: 1 } },
      },
    },
  ];
}

function updateOne(end: Exclude<PageEnd, PageSuccess>, at: Date): PageUpdate {
  const { id, attempt } = end;
  return { updateOne: { filter: { _id: id, state: 'running', attempt }, update: updateOf(end, at) } };
}

function updateOf(end: Exclude<PageEnd, PageSuccess>, at: Date): mongo.UpdateFilter<PageDocument> {
  if (end.state === 'failed') {
    const { state, failure } = end;
    return { $set: { state, failure, endedAt: at }, $inc: { failures: 1 }, $unset: { deadlineAt: 1 } };
  }
  const { state, notBefore, because, failure } = end;
  return {
    $set: { state, notBefore, ...(failure && { failure }) },
    ...(because !== 'unsent' && { $inc: { [because]: 1 } }),
    $unset: { deadlineAt: 1 },
  };
}
