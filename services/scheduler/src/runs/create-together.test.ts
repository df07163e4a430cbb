import { AppError, type CreateJobCommand, type CreateRunOutcome } from '@gleaner/contracts';
import { describe, expect, it } from '@jest/globals';
import { createTogether } from './create-together.ts';

const { signal } = new AbortController();

function commandOf(jobId: string, name = 'A run'): CreateJobCommand {
  const request = { name, urls: ['https://example.com/'] };
  return { type: 'create', jobId, accountId: 'acc_1', keyId: null, request };
}

function jobOf({ jobId: id }: CreateJobCommand): CreateRunOutcome {
  const counters = { totalUrls: 1, completedUrls: 0, failedUrls: 0, creditsUsed: 0 };
  return {
    job: { id, name: 'A run', status: 'pending', ...counters, createdAt: '2026-01-01T00:00:00.000Z' },
  };
}

/** Creates jobs, and records the ids in each message; `check` may throw. */
function recordingCreator(check: (ids: readonly string[]) => void = () => {}) {
  const messages: string[][] = [];
  const create = async (commands: readonly CreateJobCommand[]) => {
    const ids = commands.map(({ jobId }) => jobId);
    messages.push(ids);
    check(ids);
    return commands.map(jobOf);
  };
  return { messages, create };
}

describe('createTogether', () => {
  it('creates all jobs with one message', async () => {
    const { messages, create } = recordingCreator();
    const commands = ['job_1', 'job_2', 'job_3'].map((id) => commandOf(id));
    expect(await createTogether(commands, create, signal)).toEqual(commands.map(jobOf));
    expect(messages).toEqual([['job_1', 'job_2', 'job_3']]);
  });

  it('splits the jobs when one message would be too large', async () => {
    const { messages, create } = recordingCreator();
    const commands = [1, 2, 3, 4, 5].map((number) => commandOf(`job_${number}`, 'x'.repeat(1_500_000)));
    expect(await createTogether(commands, create, signal)).toEqual(commands.map(jobOf));
    expect(messages).toEqual([['job_1', 'job_2'], ['job_3', 'job_4'], ['job_5']]);
  });

  it('splits the jobs when one message would have too many URLs', async () => {
    const { messages, create } = recordingCreator();
    const urls = Array<string>(2000).fill('https://example.com/');
    const commands = [1, 2, 3, 4, 5].map((number) => ({
      ...commandOf(`job_${number}`),
      request: { urls },
    }));
    expect(await createTogether(commands, create, signal)).toEqual(commands.map(jobOf));
    expect(messages).toEqual([['job_1', 'job_2'], ['job_3', 'job_4'], ['job_5']]);
  });

  it('creates each job alone when their message fails, so that one does not stop the others', async () => {
    const { messages, create } = recordingCreator((ids) => {
      if (ids.includes('job_2')) throw new AppError('INTERNAL_ERROR');
    });
    const commands = ['job_1', 'job_2', 'job_3'].map((id) => commandOf(id));
    expect(await createTogether(commands, create, signal)).toMatchObject([
      { job: { id: 'job_1' } },
      { failure: { code: 'INTERNAL_ERROR' } },
      { job: { id: 'job_3' } },
    ]);
    expect(messages).toEqual([['job_1', 'job_2', 'job_3'], ['job_1'], ['job_2'], ['job_3']]);
  });

  it('does not retry at once when no orchestrator is available', async () => {
    const { messages, create } = recordingCreator(() => {
      throw new AppError('SERVICE_UNAVAILABLE');
    });
    const outcomes = await createTogether([commandOf('job_1'), commandOf('job_2')], create, signal);
    expect(outcomes).toMatchObject([
      { failure: { code: 'SERVICE_UNAVAILABLE' } },
      { failure: { code: 'SERVICE_UNAVAILABLE' } },
    ]);
    expect(messages).toHaveLength(1);
  });

  it('sends no message without jobs', async () => {
    const { messages, create } = recordingCreator();
    expect(await createTogether([], create, signal)).toEqual([]);
    expect(messages).toEqual([]);
  });
});
