import { choose, noise } from './noise.ts';

const WORDS =
  'amber basin cedar delta ember fjord grove harbor island juniper kelp lantern meadow north orchard pebble quarry river'.split(
    ' ',
  );

/** Returns a text of 30 to 90 words that depends on the keys and on nothing else. */
export function textFor(...keys: readonly number[]): string {
  const length = 30 + Math.floor(noise(...keys, 52) * 60);
  return `${Array.from({ length }, (_, index) => choose(WORDS, noise(...keys, index, 51))).join(' ')}.`;
}
