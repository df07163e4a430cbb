import { pageIdOf } from '@gleaner/storage';
import { expect, it } from '@jest/globals';
import { screenshotUrlOf } from './render-result.ts';

it('the path of a screenshot names the index of its page, however many digits that has', () => {
  expect([0, 42, 123_456].map((index) => screenshotUrlOf(pageIdOf('job_1', index)))).toEqual([
    '/v1/jobs/job_1/results/0/screenshot',
    '/v1/jobs/job_1/results/42/screenshot',
    '/v1/jobs/job_1/results/123456/screenshot',
  ]);
});
