import { createRandom, fuzzSeeds } from '@gleaner/test-kit';
import { describe, expect, it } from '@jest/globals';
import type { CandidateJob } from './candidate.ts';
import { FairOrder } from './fair-order.ts';
import { Turns } from './turns.ts';

/** Returns the jobs in the order in which they send lanes, by a look at each of them: the rule as it reads. */
function orderByScan(
  jobs: readonly CandidateJob[],
  turns: Turns,
  mayGo: (lane: number) => boolean,
): string[] {
  for (const ofAccount of Map.groupBy(jobs, ({ accountId }) => accountId).values())
    turns.admit(ofAccount.map(({ id }) => id));
  const running = new Map(jobs.map(({ id, lanes }) => [id, lanes]));
  const sum = (all: readonly CandidateJob[]) =>
    all.reduce((lanes, { id }) => lanes + (running.get(id) ?? 0), 0);
  const ofAccount = (id: string) => sum(jobs.filter(({ accountId }) => accountId === id));
  let open = jobs.filter(({ waiting }) => waiting.length > 0);
  const sent: string[] = [];
  for (let lane = 0; lane < LANES && open.length > 0; lane++) {
    const [next] = open.toSorted(
      (a, b) =>
        ofAccount(a.accountId) - ofAccount(b.accountId) ||
        turns.of(a.accountId) - turns.of(b.accountId) ||
        (running.get(a.id) ?? 0) - (running.get(b.id) ?? 0) ||
        turns.of(a.id) - turns.of(b.id),
    ) as [CandidateJob];
    if (mayGo(lane)) {
      running.set(next.id, (running.get(next.id) ?? 0) + 1);
      turns.note(next.id);
      turns.note(next.accountId);
    } else open = open.filter((job) => job !== next);
    sent.push(next.id);
  }
  return sent;
}

function orderByHeap(
  jobs: readonly CandidateJob[],
  turns: Turns,
  mayGo: (lane: number) => boolean,
): string[] {
  const order = new FairOrder(jobs, turns);
  const sent: string[] = [];
  for (let lane = 0; lane < LANES && order.next; lane++) {
    sent.push(order.next.job.id);
    if (mayGo(lane)) order.take();
    else order.leaveOut();
  }
  return sent;
}

const LANES = 120;

describe('the fair order', () => {
  it.each(fuzzSeeds(20))(
    'is that of a look at every job, with random loads and earlier turns: seed %i',
    (seed) => {
      const random = createRandom(seed);
      const jobs = Array.from({ length: random.between(1, 40) }, (_, index): CandidateJob => {
        const page = { id: `${index}`, host: 'a.test', notBeforeMs: 0, losses: 0 };
        return {
          id: `job ${index}`,
          accountId: `account ${random.below(6)}`,
          waiting: random.below(5) === 0 ? [] : [page],
          hasSuspects: false,
          hasLanes: true,
          lanes: random.below(4),
        };
      });
      const [one, other] = [new Turns(), new Turns()];
      const earlier = Array.from({ length: random.below(60) }, () => random.pick(jobs));
      for (const turns of [one, other])
        for (const { id, accountId } of earlier) {
          turns.note(id);
          turns.note(accountId);
        }
      const outcomes = Array.from({ length: LANES }, () => random.below(6) > 0);
      const mayGo = (lane: number) => outcomes[lane] === true;
      expect(orderByHeap(jobs, one, mayGo)).toEqual(orderByScan(jobs, other, mayGo));
    },
  );
});
