import type { mongo } from 'mongoose';
import type { PageDocument } from './page-model.ts';
import type { PageEnd } from './stored-page.ts';

type PageSuccess = Extract<PageEnd, { state: 'succeeded' }>;
type PageUpdate = mongo.AnyBulkWriteOperation<PageDocument>;

/**
 * Returns the writes that end attempts, each only while its page is still running that attempt. Pages that succeeded
 * with the same attempt number and price, as most do, share one write, which the database plans and commits once.
 */
export function updatesOf(ends: readonly PageEnd[], at: Date): PageUpdate[] {
  const successes = ends.filter((end) => end.state === 'succeeded');
  const alike = Map.groupBy(successes, ({ attempt, price }) => JSON.stringify([attempt, price]));
  return [
    ...alike.values().flatMap((group) => successesUpdate(group, at)),
    ...ends.flatMap((end) => (end.state === 'succeeded' ? [] : [updateOne(end, at)])),
  ];
}

/** Returns the write for pages with the same attempt and price. */
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
    // A page that a worker has answered for does not crash workers.
    $set: { state, notBefore, ...(failure && { failure }), ...(because === 'failures' && { losses: 0 }) },
    ...(because !== 'unsent' && { $inc: { [because]: 1 } }),
    $unset: { deadlineAt: 1 },
  };
}
