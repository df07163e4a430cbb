import type { BodyOf, Gleaner } from '@gleaner/client';
import type { Json } from '../answer/json.ts';
import { ToolError } from '../answer/render-answer.ts';
import {
  answers,
  LIST,
  OBJECT,
  PART,
  type Schema,
  TEXT,
  type Tool,
  toPageOptions,
  UNTRUSTED,
} from './tool.ts';

const ANNOTATIONS = { readOnlyHint: true, openWorldHint: false };

/** `extract_snapshot`: other data from a snapshot, or from HTML that the agent has. */
export const EXTRACT_SNAPSHOT: Tool = {
  name: 'extract_snapshot',
  title: 'Extract from a snapshot',
  description: 'Extracts from a snapshot, or html, free. matches: elements of each selector by number',
  scope: 'scrape',
  annotations: ANNOTATIONS,
  input: {
    type: 'object',
    properties: {
      id: { type: 'string', description: 'snapshotId' },
      html: TEXT,
      selectors: { type: 'object', description: 'As in scrape' },
      formats: { type: 'array' },
      main: { type: 'boolean' },
      ...PART,
    },
  },
  output: answers({ untrusted: UNTRUSTED, data: OBJECT, formats: OBJECT, matches: OBJECT, warnings: LIST }),
  async call({ id, html, path, from, ...given }, { gleaner, signal }) {
    if ((id === undefined) === (html === undefined))
      throw new ToolError('Give id or html.', 'id names a snapshot that scrape kept.');
    const body = toPageOptions(given) as BodyOf<'extractSnapshot'>;
    const result =
      id === undefined
        ? await gleaner.call('extract', { body: { ...body, html: String(html) } }, { signal })
        : await gleaner.snapshots.extract(String(id), body, { signal });
    const { data, formats, warnings } = result;
    return {
      isUntrusted: true,
      value: {
        ...(data !== undefined && { data: data as Json }),
        ...(formats !== undefined && { formats: formats as Json }),
        ...('matches' in result && { matches: result.matches }),
        ...(warnings && { warnings }),
      },
    };
  },
};

const ELEMENTS: Schema = { type: 'array' };

/** `suggest_selectors`: the most robust selectors for elements of a snapshot. */
export const SUGGEST_SELECTORS: Tool = {
  name: 'suggest_selectors',
  title: 'Find selectors',
  description: 'Proposes selectors for elements of a snapshot, robust first. id: snapshotId.',
  scope: 'scrape',
  // A model costs credits.
  annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: true },
  input: {
    type: 'object',
    additionalProperties: false,
    required: ['id'],
    properties: {
      id: TEXT,
      kind: { type: 'string', enum: ['one', 'list', 'field'] },
      picks: { ...ELEMENTS, description: 'Elements: numbers, or CSS. Two for a list' },
      schema: { type: 'object', description: 'Or by a model' },
      not: { ...ELEMENTS, description: 'Leave out' },
      within: { ...ELEMENTS, description: 'Of a field: its records' },
      alsoOn: { ...ELEMENTS, description: 'Snapshots of others' },
      ...PART,
    },
  },
  output: answers({ untrusted: UNTRUSTED, candidates: LIST }),
  async call({ id, kind, picks, not, within, alsoOn, schema }, { gleaner, signal }) {
    const snapshot = { gleaner, id: String(id), signal };
    if (schema !== undefined) {
      const body = { schema, ...(alsoOn !== undefined && { alsoOn }) } as ProposeBody;
      const proposal = await gleaner.snapshots.propose(snapshot.id, body, { signal });
      return { isUntrusted: true, value: { proposal: proposal as unknown as Json } };
    }
    if (picks === undefined)
      throw new ToolError('Give picks with kind, or a schema.', 'picks are numbers of elements, or CSS.');
    const body = {
      kind,
      picks: await numbersOf(picks, snapshot),
      ...(not !== undefined && { not: await numbersOf(not, snapshot) }),
      ...(within !== undefined && { within: await numbersOf(within, snapshot) }),
      ...(alsoOn !== undefined && { alsoOn }),
    } as BodyOf<'suggestSelectors'>;
    const candidates = await gleaner.snapshots.suggest(snapshot.id, body, { signal });
    return { isUntrusted: true, value: { candidates: candidates as unknown as Json } };
  },
};

type ProposeBody = Parameters<Gleaner['snapshots']['propose']>[1];

interface SnapshotPlace {
  readonly gleaner: Gleaner;
  readonly id: string;
  readonly signal: AbortSignal;
}

async function numbersOf(
  given: unknown,
  { gleaner, id, signal }: SnapshotPlace,
): Promise<readonly unknown[]> {
  const elements = given as readonly unknown[];
  const css = [...new Set(elements.filter((each) => typeof each === 'string' && !/^\d+$/.test(each)))];
  if (css.length === 0) return elements.map((each) => (typeof each === 'string' ? Number(each) : each));
  const selectors = Object.fromEntries(css.map((text, index) => [`e${index}`, text as string]));
  const { matches } = await gleaner.snapshots.extract(id, { selectors }, { signal });
  return elements.map((each) => {
    const index = css.indexOf(each);
    if (index === -1) return typeof each === 'string' ? Number(each) : each;
    const [first] = matches[`e${index}`] ?? [];
    if (first !== undefined) return first;
    throw new ToolError(`No element matches ${each}.`, 'Look at the page with extract_snapshot first.');
  });
}
