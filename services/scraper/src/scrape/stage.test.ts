import { AppError } from '@gleaner/contracts';
import { startStageClock } from '@gleaner/egress';
import { describe, expect, it } from '@jest/globals';
import { runStages, type Stage, withStatus } from './stage.ts';

/** A subject with a log of the stages that ran. */
function subjectOf({ signal = new AbortController().signal, leavesStages = false } = {}) {
  const ran: string[] = [];
  return { clock: startStageClock(), signal, leavesStages, ran, isWanted: false };
}

type Subject = ReturnType<typeof subjectOf>;

/** Returns a stage that notes its name. */
const noting =
  (name: string) =>
  async ({ ran }: Subject) =>
    void ran.push(name);

describe('a list of stages', () => {
  it('runs in order, and leaves out the stages whose condition does not hold', async () => {
    const subject = subjectOf();
    const isWanted = (each: Subject) => each.isWanted;
    const stages: Stage<Subject>[] = [
      noting('first'),
      { when: isWanted, stage: 'screenshot', run: noting('unwanted') },
      (each) => {
        each.isWanted = true;
      },
      { when: isWanted, stage: 'calibrate', run: noting('wanted') },
    ];
    expect(await runStages(stages, subject)).toBeUndefined();
    expect(subject.ran).toEqual(['first', 'wanted']);
    expect(Object.keys(subject.clock.timings())).toEqual(['totalMs', 'calibrate']);
  });

  it('ends with the stage that says so', async () => {
    const subject = subjectOf();
    const stages: Stage<Subject>[] = [noting('first'), async () => 'done' as const, noting('never')];
    expect(await runStages(stages, subject)).toBe('done');
    expect(subject.ran).toEqual(['first']);
  });

  it('throws the error of a stage as its list explains it', async () => {
    const subject = subjectOf();
    const failing = async () => {
      throw new Error('secret');
    };
    const explain = (error: unknown, { ran }: Subject) => new Error(`${ran.length} done, ${String(error)}`);
    await expect(runStages([noting('first'), { run: failing, explain }], subject)).rejects.toThrow(
      '1 done, Error: secret',
    );
  });

  it('names the stage in which the time ran out, also one that never ends', async () => {
    const deadline = new AbortController();
    const subject = subjectOf({ signal: deadline.signal, leavesStages: true });
    const running = runStages([{ stage: 'load', run: () => new Promise<void>(() => {}) }], subject);
    deadline.abort(new AppError('TIMEOUT'));
    await expect(running).rejects.toMatchObject({
      code: 'TIMEOUT',
      message: expect.stringContaining('while loading the page'),
    });
  });
});

describe('an error of a page', () => {
  class OfPage extends AppError {
    readonly kept = 'field';
  }

  it('carries the status with its class, its cause and its fields', async () => {
    const cause = new Error('below');
    const error = new OfPage('UNSUPPORTED_CONTENT', { source: 'target', message: 'why', cause });
    const thrown = await withStatus(418, Promise.reject(error)).catch((each: unknown) => each);
    expect(thrown).toBeInstanceOf(OfPage);
    expect(thrown).toMatchObject({ kept: 'field', cause, message: 'why', targetStatusCode: 418 });
    expect(error.targetStatusCode).toBeUndefined();
  });

  it('keeps the status that it has', async () => {
    const error = new OfPage('UNSUPPORTED_CONTENT', { source: 'target', targetStatusCode: 204 });
    await expect(withStatus(418, Promise.reject(error))).rejects.toBe(error);
  });
});
