import type { Page } from '../page.ts';
import { COMBINATOR_PENALTIES, type Combinator, kindsOf, matchPath, type Path, type Step } from '../path.ts';
import type { Token } from '../tokens/token.ts';
import type { TokenIndex } from '../tokens/token-index.ts';
import { inScope, type Scope, Vocabulary } from './vocabulary.ts';

/** A path that matches one element only, in the scope of its search. */
export interface FoundPath {
  readonly path: Path;
  readonly penalty: number;
}

/** Limits of one search. */
export interface SearchLimits {
  readonly steps: number;
  readonly tried: number;
  readonly found: number;
}

const MAX_TOKENS_OF_STEP = 3;

/** Largest difference between the penalties of the best path and of the last one that is returned. */
const MAX_PENALTY_SPREAD = 12;

/** Penalty of a tag beside other conditions, which it narrows down at little risk. */
const EXTRA_TAG_PENALTY = 1;

/** Penalty of the sibling before an element around the target: blocks are moved more often than their content. */
const MOVED_PENALTY = 4;

/** A path under construction, from the inside to the outside. */
interface State {
  /** State before the last addition; null for the first. */
  readonly parent: State | null;
  /** Element of the outermost step, and the last condition added to it. */
  readonly order: number;
  readonly token: Token;
  /** Place of the condition among those of the element; they are added in order, so that each set is tried once. */
  readonly place: number;
  /** Relation of a new step to the one inside it; null if the condition was added to the step. */
  readonly combinator: Combinator | null;
  readonly penalty: number;
  /** Number of matches without the last addition, which must lower it. */
  readonly matchesBefore: number;
}

interface Search {
  readonly vocabulary: Vocabulary;
  readonly page: Page;
  readonly target: number;
  readonly limits: SearchLimits;
}

/**
 * Finds selectors that match the target only, best first: conditions on the target, then on its ancestors and on the siblings
 * before them. Each addition must lower the number of matches. Returns paths of different kinds.
 */
export function searchPaths(
  target: number,
  { scope, limits }: { readonly scope: Scope; readonly limits: SearchLimits },
  { index, page }: { readonly index: TokenIndex; readonly page: Page },
): FoundPath[] {
  const vocabulary = new Vocabulary(target, scope, { index, page });
  const search: Search = { vocabulary, page, target, limits };
  const queue = new PenaltyQueue();
  const found = new Map<string, FoundPath>();
  let best = Number.POSITIVE_INFINITY;
  vocabulary.tokens(target, 'around').forEach((token, place) => {
    const start = { parent: null, order: target, token, place, combinator: null };
    queue.push({ ...start, penalty: token.penalty, matchesBefore: page.size + 1 });
  });
  for (let tried = 0; tried < limits.tried && !page.isTired; tried++) {
    const state = queue.pop();
    if (state === undefined || state.penalty > best + MAX_PENALTY_SPREAD) break;
    const path = pathOf(state, vocabulary);
    const matches = inScope(matchPath(path, index, page), scope).length;
    if (matches >= state.matchesBefore) continue;
    if (matches > 1) extend(state, { steps: path, matches }, search, queue);
    else {
      best = Math.min(best, state.penalty);
      const kinds = kindsOf(path);
      if (!found.has(kinds)) found.set(kinds, { path, penalty: state.penalty });
      if (found.size >= limits.found) break;
    }
  }
  return [...found.values()];
}

/** Adds to the queue what one more condition or step makes of a state. */
function extend(
  state: State,
  { steps, matches }: { readonly steps: Path; readonly matches: number },
  { vocabulary, page, target, limits }: Search,
  queue: PenaltyQueue,
): void {
  const { order, penalty, place } = state;
  const { ancestors } = vocabulary;
  const level = order === target ? -1 : ancestors.indexOf(order);
  const isPrevious = order !== target && level < 0;
  if ((steps[0]?.tokens.length ?? 0) < MAX_TOKENS_OF_STEP) {
    vocabulary.tokens(order, isPrevious ? 'previous' : 'around').forEach((token, next) => {
      if (next <= place) return;
      const added = token.kind === 'tag' ? EXTRA_TAG_PENALTY : token.penalty;
      queue.push({
        parent: state,
        order,
        token,
        place: next,
        combinator: null,
        penalty: penalty + added,
        matchesBefore: matches,
      });
    });
  }
  if (steps.length >= limits.steps || isPrevious) return;
  const prepend = (outer: number, combinator: Combinator, extra = 0): void => {
    vocabulary.tokens(outer, combinator === '+' ? 'previous' : 'around').forEach((token, next) => {
      const added = COMBINATOR_PENALTIES[combinator] + token.penalty + extra;
      queue.push({
        parent: state,
        order: outer,
        token,
        place: next,
        combinator,
        penalty: penalty + added,
        matchesBefore: matches,
      });
    });
  };
  for (const ancestor of ancestors.slice(level + 1)) prepend(ancestor, ' ');
  const parent = ancestors[level + 1];
  if (parent !== undefined) prepend(parent, '>');
  const previous = page.previous(order);
  if (previous >= 0) prepend(previous, '+', order === target ? 0 : MOVED_PENALTY);
}

/** Builds the path of a state, whose additions lead from the outside to the inside. */
function pathOf(state: State, vocabulary: Vocabulary): Path {
  const steps: Step[] = [];
  let tokens: readonly Token[] = [];
  const additions: State[] = [];
  for (let at: State | null = state; at !== null; at = at.parent) additions.push(at);
  for (let index = additions.length - 1; index >= 0; index--) {
    const { order, token, combinator } = additions[index] as State;
    if (combinator !== null) {
      steps.unshift({ tokens, combinator });
      tokens = [];
    }
    tokens = vocabulary.withTag(order, token, tokens);
  }
  return [{ tokens, combinator: null }, ...steps];
}

/** Queue that returns a state with the lowest penalty. Penalties are small numbers, so states wait in buckets of a quarter each. */
class PenaltyQueue {
  readonly #buckets: State[][] = [];
  #lowest = 0;

  push(state: State): void {
    const place = Math.round(state.penalty * 4);
    if (place > MAX_PLACE) return;
    this.#lowest = Math.min(this.#lowest, place);
    const bucket = this.#buckets[place];
    if (bucket) bucket.push(state);
    else this.#buckets[place] = [state];
  }

  pop(): State | undefined {
    for (; this.#lowest <= MAX_PLACE; this.#lowest++) {
      const state = this.#buckets[this.#lowest]?.pop();
      if (state) return state;
    }
    return undefined;
  }
}

/** Bucket of the largest penalty that is tried. */
const MAX_PLACE = 4 * 60;
