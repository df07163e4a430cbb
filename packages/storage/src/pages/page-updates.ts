import type { PageChange } from '@gleaner/contracts';
import { defined } from '@gleaner/contracts';
import type { mongo } from 'mongoose';
import type { PageDocument } from './page-model.ts';
import type { PageEnd } from './stored-page.ts';

type PageSuccess = Extract<PageEnd, { state: 'succeeded' | 'visited' }>;
type PageUpdate = mongo.AnyBulkWriteOperation<PageDocument>;

/**
 * Returns the writes that end attempts, each only while its page is still running that attempt. Pages that succeeded
 * with the same attempt number, price, change and verdict, as most do, share one write, which the database plans and commits
 * once.
 */
export function updatesOf(ends: readonly PageEnd[], at: Date): PageUpdate[] {
  const alike = Map.groupBy(ends.filter(isSuccess), ({ state, attempt, price, change, verdict }) =>
    JSON.stringify([state, attempt, price, change, verdict]),
  );
  return [
    ...alike.values().flatMap((group) => successesUpdate(group, at)),
    ...ends.flatMap((end) => (isSuccess(end) ? [] : [updateOne(end, at)])),
  ];
}

function isSuccess(end: PageEnd): end is PageSuccess {
  return end.state === 'succeeded' || end.state === 'visited';
}

/** Returns the write for pages that are alike in all of this. */
function successesUpdate(group: readonly PageSuccess[], at: Date): PageUpdate[] {
  const [first] = group;
  if (!first) return [];
  const { state, attempt, price, change, verdict } = first;
  return [
    {
      updateMany: {
        filter: { _id: { $in: group.map(({ id }) => id) }, state: 'running', attempt },
        update: {
          $set: { state, price, endedAt: at, ...setChange(change), ...defined({ verdict }) },
          $unset: { deadlineAt: 1, failure: 1 },
        },
      },
    },
  ];
}

function updateOne(end: Exclude<PageEnd, PageSuccess>, at: Date): PageUpdate {
  const { id, attempt } = end;
  return { updateOne: { filter: { _id: id, state: 'running', attempt }, update: updateOf(end, at) } };
}

function setChange(change: PageChange | undefined) {
  return change !== undefined && { 'crawled.change': change };
}

/** Rounds that a page remembers. */
const MAX_ROUNDS = 10;

function addRound(round: string | undefined) {
  return round !== undefined && { $push: { rounds: { $each: [round], $slice: -MAX_ROUNDS } } };
}

function updateOf(end: Exclude<PageEnd, PageSuccess>, at: Date): mongo.UpdateFilter<PageDocument> {
  if ('failure' in end && end.state !== 'waiting') {
    const { state, failure, change, round } = end;
    return {
      $set: { state, failure, endedAt: at, ...setChange(change) },
      $inc: { failures: 1 },
      ...addRound(round),
      $unset: { deadlineAt: 1 },
    };
  }
  if (end.state === 'skipped' || end.state === 'done') {
    const skip = end.state === 'skipped' && { 'crawled.skip': end.skip };
    return { $set: { state: end.state, endedAt: at, ...skip }, $unset: { deadlineAt: 1, failure: 1 } };
  }
  const { state, notBefore, because, failure, round } = end;
  // A page that a worker has answered for does not crash workers.
  const isAnswered = because === 'failures' || because === 'sessions';
  return {
    $set: { state, notBefore, ...defined({ failure }), ...(isAnswered && { losses: 0 }) },
    ...(because !== 'unsent' && { $inc: { [because]: 1 } }),
    ...addRound(round),
    $unset: { deadlineAt: 1 },
  };
}
