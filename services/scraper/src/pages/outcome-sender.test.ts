import { mock } from 'node:test';
import { AppError, type PageOutcome } from '@gleaner/contracts';
import { describe, expect, it } from '@jest/globals';
import { OutcomeSender } from './outcome-sender.ts';

const outcomeOf = (index: number): PageOutcome => ({
  jobId: 'job_1',
  pageId: `job_1:${index}`,
  attempt: 1,
  outcome: { kind: 'lost' },
});

/**
 * Returns a sender, its published groups, and the confirmations they wait for; `held` counts the pages with a place.
 */
function senderFor(places: { held: number }) {
  const groups: string[][] = [];
  const confirms: PromiseWithResolvers<(AppError | undefined)[]>[] = [];
  const publishWork = (_queue: string, bodies: readonly PageOutcome[]) => {
    groups.push(bodies.map(({ pageId }) => pageId));
    const confirm = Promise.withResolvers<(AppError | undefined)[]>();
    confirms.push(confirm);
    return confirm.promise;
  };
  const sender = new OutcomeSender({ broker: { publishWork: publishWork as never }, places });
  return { sender, groups, confirms };
}

describe('an outcome sender', () => {
  it('publishes the outcome of a lone page at once', () => {
    const { sender, groups } = senderFor({ held: 1 });
    void sender.publish(outcomeOf(0));
    expect(groups).toEqual([['job_1:0']]);
  });

  it('publishes together once as many pages have finished as are at work', () => {
    const { sender, groups } = senderFor({ held: 4 });
    void sender.publish(outcomeOf(0));
    expect(groups).toEqual([]);
    void sender.publish(outcomeOf(1));
    expect(groups).toEqual([['job_1:0', 'job_1:1']]);
  });

  it('does not count outcomes that are on their way as pages at work', () => {
    const { sender, groups } = senderFor({ held: 4 });
    for (const index of [0, 1, 2]) void sender.publish(outcomeOf(index));
    expect(groups).toEqual([['job_1:0', 'job_1:1'], ['job_1:2']]);
  });

  it('does not let outcomes wait for slow pages', () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    try {
      const { sender, groups } = senderFor({ held: 30 });
      void sender.publish(outcomeOf(0));
      mock.timers.tick(50);
      expect(groups).toEqual([['job_1:0']]);
    } finally {
      mock.timers.reset();
    }
  });

  it('returns the error of each outcome by itself', async () => {
    const { sender, confirms } = senderFor({ held: 4 });
    const results = Promise.all([sender.publish(outcomeOf(0)), sender.publish(outcomeOf(1))]);
    const error = new AppError('SERVICE_UNAVAILABLE', { message: 'The queue is full.' });
    confirms[0]?.resolve([undefined, error]);
    expect(await results).toEqual([undefined, error]);
  });

  it('rejects each outcome when publishing throws', async () => {
    const { sender, confirms } = senderFor({ held: 2 });
    const result = sender.publish(outcomeOf(0));
    confirms[0]?.reject(new Error('stopped'));
    await expect(result).rejects.toThrow('stopped');
  });
});
