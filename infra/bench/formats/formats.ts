import { join } from 'node:path';
import { FORMAT_NAMES } from '@gleaner/contracts';
import { type ExtractionPlan, extract, extractFormats, parseDocument } from '@gleaner/extraction';
import { readBenchDocuments } from '../extraction/bench-documents.ts';
import { planTwentyFields } from './twenty-fields.ts';

const DOCUMENTS = 300;
const ROUNDS = 3;

/** Documents that are parsed before they are read, so that only these are held in memory. */
const BATCH = 10;

/** CPU time of a format for a second of parsing that is acceptable. */
const GOALS: Readonly<Record<string, number>> = { metadata: 0.1, markdown: 1, article: 2 };

/** CPU time of twenty fields with types for a second of the same page with the same fields as strings. */
const TYPED_GOAL = 1.05;

const baseUrl = 'https://example.org/';

/** Compares the CPU of each format with that of parsing, and of fields with types with that of the same as strings. */
export async function benchFormats(): Promise<void> {
  const documents = readBenchDocuments(join(import.meta.dirname, '../../..'), DOCUMENTS);
  const { strings, typed, unavailable } = planTwentyFields();
  if (unavailable.length > 0) console.log(`formats fields not measured: ${unavailable.join(', ')}`);

  const plans = { strings, typed };
  measureRound(documents.slice(0, DOCUMENTS / 3), plans);
  const rounds = Array.from({ length: ROUNDS }, () => measureRound(documents, plans));
  const cpuMs = (task: string): number => Math.min(...rounds.map((round) => round.get(task) ?? 0));

  const parsing = cpuMs('parsing');
  console.log(
    `formats parsing ${(parsing / documents.length).toFixed(2)} ms a page, ${documents.length} pages`,
  );
  for (const name of [...FORMAT_NAMES, 'strings', 'typed']) {
    const ratio = cpuMs(name) / parsing;
    const goal = GOALS[name] === undefined ? '' : `, goal ${GOALS[name]}`;
    console.log(`formats ${name} ${ratio.toFixed(3)} of parsing${goal}`);
  }
  const ratio = (parsing + cpuMs('typed')) / (parsing + cpuMs('strings'));
  console.log(
    `formats pages with typed fields ${ratio.toFixed(3)} of those with strings, goal ${TYPED_GOAL}`,
  );
}

/** Returns the CPU milliseconds of each task on all documents. */
function measureRound(
  documents: readonly string[],
  plans: Readonly<Record<string, ExtractionPlan>>,
): Map<string, number> {
  const cpuMs = new Map<string, number>();
  const add = <Result>(task: string, work: () => Result): Result => {
    const before = process.cpuUsage();
    const result = work();
    const { user, system } = process.cpuUsage(before);
    cpuMs.set(task, (cpuMs.get(task) ?? 0) + (user + system) / 1000);
    return result;
  };
  for (let start = 0; start < documents.length; start += BATCH) {
    const batch = documents.slice(start, start + BATCH);
    const parsed = add('parsing', () => batch.map((html) => parseDocument(html)));
    for (const name of FORMAT_NAMES) {
      add(name, () => parsed.map((document) => extractFormats(document, [name], { baseUrl })));
    }
    for (const [task, plan] of Object.entries(plans)) {
      add(task, () => parsed.map((document) => extract(document, plan, { baseUrl })));
    }
  }
  return cpuMs;
}
