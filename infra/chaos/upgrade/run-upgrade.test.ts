import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from '@jest/globals';
import { UPGRADE_ORDER } from './run-upgrade.ts';

it('replaces the services in the order that the docs give', () => {
  const docs = readFileSync(resolve(import.meta.dirname, '../../../docs/operations.md'), 'utf8');
  const [, upgrade = ''] = /^## Upgrade$([\s\S]*?)^## /m.exec(docs) ?? [];
  const [, sentence = ''] = /those that receive before those that send:([^.]*)\./.exec(upgrade) ?? [];
  const places = UPGRADE_ORDER.map((service) => sentence.indexOf(`${service}s`));
  expect(places).not.toContain(-1);
  expect(places).toEqual(places.toSorted((one, other) => one - other));
});
