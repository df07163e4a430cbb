import { describe, expect, it } from '@jest/globals';
import { sinkKeyOf } from './sink.ts';

const JOB = { id: 'job_1', createdAt: new Date('2026-11-28T23:59:59.999Z') };

describe('the key of a sink', () => {
  it('names the job, its schedule and its day', () => {
    expect(sinkKeyOf({}, { ...JOB, scheduleId: 'sch_1' })).toBe('sch_1/2026-11-28/job_1');
    expect(sinkKeyOf({}, JOB)).toBe('jobs/2026-11-28/job_1');
    expect(sinkKeyOf({ key: 'a/date={date}/x-{job}' }, JOB)).toBe('a/date=2026-11-28/x-job_1');
  });
});
