import { JOB_STATES, TERMINAL_JOB_STATES } from '@gleaner/contracts';
import { describe, expect, it } from '@jest/globals';
import { changeOf, JOB_TRIGGERS, nextState } from './job-machine.ts';

describe('the states of a job', () => {
  it('change as the table lists, and in no other way', () => {
    const table = JOB_STATES.flatMap((state) =>
      JOB_TRIGGERS.map((trigger) => [state, trigger, nextState(state, trigger)] as const),
    ).filter(([, , to]) => to !== undefined);
    expect(table).toEqual([
      ['pending', 'page-dispatched', 'running'],
      ['pending', 'all-failed', 'failed'],
      ['pending', 'cancelled', 'cancelled'],
      ['running', 'all-succeeded', 'completed'],
      ['running', 'some-failed', 'partial'],
      ['running', 'all-failed', 'failed'],
      ['running', 'cancelled', 'cancelled'],
      ['cancelled', 'cancelled', 'cancelled'],
    ]);
  });

  it.each(TERMINAL_JOB_STATES)('never leave %s', (state) => {
    for (const trigger of JOB_TRIGGERS) expect([state, undefined]).toContain(nextState(state, trigger));
  });

  it('only move forward', () => {
    const rank = { pending: 0, running: 1, completed: 2, partial: 2, failed: 2, cancelled: 2 };
    for (const trigger of JOB_TRIGGERS) {
      const { from, to } = changeOf(trigger);
      for (const state of from) expect(rank[to] > rank[state] || to === state).toBe(true);
    }
  });

  it('are each announced by an event of their own', () => {
    expect(JOB_TRIGGERS.map((trigger) => changeOf(trigger).eventType)).toEqual([
      'job.started',
      'job.completed',
      'job.partial',
      'job.failed',
      'job.cancelled',
    ]);
  });
});
