import { setImmediate as nextTurn } from 'node:timers/promises';
import { cachedDataVersionTag } from 'node:v8';
import { expect, it } from '@jest/globals';
import { collectGarbage } from './collect-garbage.ts';

/** Of V8's flags, before any of this. */
const TAG = cachedDataVersionTag();

it('collects what nobody holds any more, and keeps the rest', async () => {
  const held = { name: 'held' };
  const references = [new WeakRef(held), new WeakRef({ name: 'dropped' })];
  // What was made or looked at in a turn lives to its end.
  await nextTurn();
  collectGarbage();
  expect(references.map((reference) => reference.deref()?.name)).toEqual([held.name, undefined]);
});

it('leaves the flags as they were, for which cached modules are good', () => {
  collectGarbage();
  expect(cachedDataVersionTag()).toBe(TAG);
});
