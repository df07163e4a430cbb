import type { Token } from '../tokens/token.ts';
import type { Path } from './path.ts';

/** Penalty at which the score is one half. */
const HALF = 20;

/** Returns a score from 0 to 1 for a penalty, and for the share of other pages on which the selector holds. */
export function scoreOf(
  penalty: number,
  { held, tried }: { readonly held: number; readonly tried: number },
): number {
  const own = HALF / (HALF + penalty);
  return Math.round((tried === 0 ? own : (own + (2 * held) / tried) / 3) * 100) / 100;
}

/** Returns sentences about what a path relies on. */
export function reasonsFor(path: Path): string[] {
  const tokens = path.flatMap((step) => step.tokens);
  const reasons = REASONS.flatMap(({ about, say }) => {
    const named = tokens.filter(({ kind }) => about.includes(kind));
    return named.length === 0 ? [] : [say(named.map(({ css }) => css).join(', '))];
  });
  if (path.some(({ combinator }) => combinator === '+')) reasons.push('Relies on the element before it.');
  return reasons;
}

interface Reason {
  readonly about: readonly Token['kind'][];
  readonly say: (names: string) => string;
}

const REASONS: readonly Reason[] = [
  { about: ['test-id'], say: (names) => `Relies on ${names}, which was made for programs.` },
  { about: ['id'], say: (names) => `Relies on the id ${names}.` },
  { about: ['property'], say: (names) => `Relies on ${names}, which says what the value means.` },
  { about: ['attribute', 'presence'], say: (names) => `Relies on the attribute ${names}.` },
  { about: ['label'], say: (names) => `Relies on ${names}, which depends on the language of the page.` },
  { about: ['class'], say: (names) => `Relies on the class ${names}.` },
  {
    about: ['class-part'],
    say: (names) => `Relies on ${names}, the part of a generated class that its author wrote.`,
  },
  { about: ['prefix'], say: (names) => `Relies on ${names}, which all examples share.` },
  { about: ['address'], say: (names) => `Relies on the content ${names}, so it fits this page only.` },
  { about: ['has'], say: (names) => `Relies on what the element contains: ${names}.` },
  {
    about: ['position'],
    say: (names) => `Relies on a position (${names}), which changes when the page gets more elements.`,
  },
];
