import { join, resolve } from 'node:path';
import { renderConfiguration } from './render-configuration.ts';
import { renderErrors } from './render-errors.ts';

const DOCS = resolve(import.meta.dirname, '../../docs');

/** The pages of `docs/` that `npm run docs` generates from code. A test compares them with the code. */
export const REFERENCES: readonly { readonly file: string; readonly render: () => string }[] = [
  { file: join(DOCS, 'errors.md'), render: renderErrors },
  { file: join(DOCS, 'configuration.md'), render: renderConfiguration },
];
