import { describe, expect, it } from '@jest/globals';
import { createId } from '../ids.ts';
import { firecrawlIdOf, jobIdOfFirecrawl } from './job-id.ts';

describe('the id of a job as a UUID', () => {
  it.each([
    'job_00000000000000000000000000',
    'job_7zzzzzzzzzzzzzzzzzzzzzzzzz',
    createId('job'),
    createId('job'),
  ])('%s comes back', (id) => {
    const uuid = firecrawlIdOf(id);
    expect(uuid).toMatch(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/);
    expect(jobIdOfFirecrawl(uuid)).toBe(id);
    expect(jobIdOfFirecrawl(uuid.toUpperCase())).toBe(id);
  });

  it.each(['', 'invalid-job-id', 'job_1', '../keys', `${'f'.repeat(36)}`])('%j stays as it is', (text) => {
    expect(jobIdOfFirecrawl(text)).toBe(text);
    expect(firecrawlIdOf(text)).toBe(text);
  });
});
