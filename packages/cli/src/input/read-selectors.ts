import type { Selectors } from '@gleaner/client';
import type { Cli } from '../cli.ts';
import { UsageError } from '../exit-codes.ts';
import { readJsonObject } from './read-json-object.ts';

/** Reads the selectors of `-s name=selector` and of a JSON file; undefined when there are none. */
export async function readSelectors(
  given: readonly string[] | undefined,
  file: string | undefined,
  cli: Pick<Cli, 'terminal'>,
): Promise<Selectors | undefined> {
  const fromFile = file === undefined ? {} : await readJsonObject(file, EXAMPLE, cli);
  const pairs = (given ?? []).map(parsePair);
  const doubled = pairs.find(([name], index) => pairs.findIndex(([other]) => other === name) !== index);
  if (doubled) throw new UsageError(`-s names the field ${doubled[0]} twice.`, 'Give each field once.');
  const selectors = { ...fromFile, ...Object.fromEntries(pairs) } as Selectors;
  return Object.keys(selectors).length > 0 ? selectors : undefined;
}

/** The first `=` divides: a CSS selector may hold more of them. */
function parsePair(text: string): [string, string] {
  const [, name = '', selector = ''] = /^([^=]*)=(.*)$/s.exec(text) ?? [];
  const isField = /^[\p{L}_$][\p{L}\p{N}_$.-]*$/u.test(name);
  if (name.trim() && selector.trim() && isField) return [name.trim(), selector.trim()];
  const example = text.includes('=') ? 'title=h1' : `title=${text || 'h1'}`;
  throw new UsageError(
    `-s ${text || '""'} is not name=selector.`,
    `Write the name of the field first: -s '${example}'. Objects with options go into a file: --selectors`,
  );
}

const EXAMPLE = 'Write field names and selectors: {"title": "h1", "tags": ".tag::all"}';
