/** `npm run docs`: writes the generated pages of `docs/`, the generated sources of the clients, and the dashboard. */
import { writeFile } from 'node:fs/promises';
import { REFERENCES } from './references.ts';

for (const { file, render } of REFERENCES) {
  await writeFile(file, await render());
  console.log(`wrote ${file}`);
}
