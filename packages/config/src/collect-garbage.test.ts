import { setImmediate as nextTurn } from 'node:timers/promises';
import { cachedDataVersionTag } from 'node:v8';
import { expect, it } from '@jest/globals';
import { collectGarbage } from './collect-garbage.ts';

/** Hash of V8's flags at the start. */
const TAG = cachedDataVersionTag();

it('collects unreachable objects and keeps the rest', async () => {
  const held = { name: 'held' };
  const references = [new WeakRef(held), new WeakRef({ name: 'dropped' })];
  // Objects that a turn created or dereferenced live until its end.
  await nextTurn();
  collectGarbage();
  expect(references.map((reference) => reference.deref()?.name)).toEqual([held.name, undefined]);
});

it('restores the flags, on which cached modules depend', () => {
  collectGarbage();
  expect(cachedDataVersionTag()).toBe(TAG);
});
