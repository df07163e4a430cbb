import { glob, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, it } from '@jest/globals';

const DECISION = join(import.meta.dirname, '../../../docs/decisions/mongoose.md');

it('lets only the stores that the decision about mongoose lists use the driver', async () => {
  const users = new Set<string>();
  for await (const file of glob('*/*.ts', { cwd: import.meta.dirname }))
    if (/\bdriverCollection\(/.test(await readFile(join(import.meta.dirname, file), 'utf8')))
      users.add(dirname(file));
  const rows = (await readFile(DECISION, 'utf8')).matchAll(/^\| `([\w-]+)` \|/gm);
  expect([...users].toSorted()).toEqual(Array.from(rows, ([, store]) => store).toSorted());
});
