import { expect, it } from '@jest/globals';
import { PatternWatch } from './pattern-watch.ts';

it('forgets the pattern that was not used for the longest time', () => {
  const watch = new PatternWatch();
  const ofKind = (kind: number) => `http://a.test/kind-${'x'.repeat(kind % 40)}${'y'.repeat(kind / 40)}/1`;
  watch.count('job_1', 'http://a.test/day/1');
  for (let kind = 0; kind < 4500; kind++) {
    watch.count('job_1', ofKind(kind));
    watch.count('job_1', 'http://a.test/day/1');
  }
  expect(watch.find('job_1', 'http://a.test/day/2')).toEqual({ pattern: 'a.test/day/{number}', pages: 4501 });
  expect(watch.find('job_1', ofKind(0)).pages).toBe(0);
  expect(watch.find('job_1', ofKind(4499)).pages).toBe(1);
});
