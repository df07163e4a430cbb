import type { Rule, RuleLeaf } from '@gleaner/contracts';
import { createRandom, fuzzSeeds } from '@gleaner/test-kit';
import { describe, expect, it } from '@jest/globals';
import { RunJudge } from './judge-rules.ts';
import { rulesOf } from './rules-of-run.ts';
import { NEW_STATE, type RulesState } from './rules-state.ts';

type Row = Readonly<Record<string, number | string | null>>;
/** A run: the books by their name, or `away` for a wall or an outage. */
type Run = Readonly<Record<string, Row>> | 'away';

interface Series {
  readonly rule: Partial<Rule> & Pick<Rule, 'when'>;
  /** Lists of a page; another one begins with the run of its index. */
  readonly fallen?: (run: number) => readonly string[];
  /** Time between two runs; default a minute. */
  readonly everyMs?: number;
  /** A run before which the clock is set back by a year. */
  readonly setBackBefore?: number;
}

const YEAR_MS = 365 * 86_400_000;

/** Runs a series, with the state through JSON as it is stored, and returns what each run tells of. */
function follow(
  runs: readonly Run[],
  { rule, fallen = () => [], everyMs = 60_000, setBackBefore = Number.POSITIVE_INFINITY }: Series,
): string[][] {
  const whole: Rule = { name: 'A rule', to: ['chn_1'], ...rule };
  let state: RulesState = NEW_STATE;
  return runs.map((run, index) => {
    const rules = rulesOf([whole], new Set(['books']));
    const nowMs = index * everyMs + (index < setBackBefore ? YEAR_MS : 0);
    const judge = new RunJudge(rules, state, { nowMs, isCrawl: false });
    const isInitial = judge.notePage('page', run !== 'away');
    if (run !== 'away') {
      for (const [key, row] of Object.entries(run)) {
        const values = Object.fromEntries(
          Object.entries(row).flatMap(([name, value]) => {
            const field = `books.${name}`;
            return fallen(index).includes(field) ? [] : [[field, value]];
          }),
        );
        judge.judge({ list: 'books', id: key, key, url: 'https://a.test/', values }, isInitial);
      }
      judge.judgeGone('books');
    }
    const after = judge.stateAfter();
    const histories = Object.fromEntries(rules.map(({ key }) => [key, { told: 0 }]));
    state = JSON.parse(JSON.stringify({ ...after, rules: histories, judged: [] })) as RulesState;
    return [...judge.told.values()].flatMap(({ records }) => records.map(({ key }) => key));
  });
}

const prices = (...values: (number | null | 'away')[]): Run[] =>
  values.map((price) => (price === 'away' ? price : { Emma: { price } }));
const when = (leaf: object) => ({ field: 'books.price', ...leaf }) as RuleLeaf;
/** Returns the runs that tell of the one book. */
const toldIn = (runs: readonly Run[], rule: Series['rule'], fallen?: Series['fallen']) =>
  follow(runs, { rule, ...(fallen && { fallen }) }).flatMap((told, index) =>
    told.length > 0 ? [index] : [],
  );

describe('a rule', () => {
  const below = when({ below: 20 });

  it.each<[string, Run[], Series['rule'], number[]]>([
    ['tells once of what becomes true', prices(30, 18, 17, 25, 19), { when: below }, [1, 4]],
    ['tells nothing of what holds in the first run', prices(18, 17, 30, 15), { when: below }, [3]],
    ['tells of it with initial', prices(18, 17), { when: below, initial: true }, [0]],
    ['tells at every run with every', prices(30, 18, 17, 25), { when: below, every: true }, [1, 2]],
    [
      'waits for the end of a cooldown, and tells what holds by then',
      prices(30, 18, 30, 18, 18, 18),
      { when: below, cooldown: 240_000 },
      [1, 5],
    ],
    [
      'tells nothing of what passed in a cooldown',
      prices(30, 18, 30, 18, 30, 30),
      { when: below, cooldown: 240_000 },
      [1],
    ],
    ['is not moved by walls', prices(30, 'away', 18, 'away', 17), { when: below }, [2]],
    ['is not moved by a value that is missing', prices(18, null, 18, 30, null, 18), { when: below }, [5]],
    ['tells of a rise', prices(10, 20, 21), { when: when({ above: 20 }) }, [2]],
    ['tells of a value', prices(3, 0, 0, 2, 0), { when: when({ becomes: 0 }) }, [1, 4]],
    [
      'compares a share with what was last told',
      prices(100, 95, 90, 89, 81, 80),
      { when: when({ by: '-10%' }) },
      [2, 4],
    ],
    ['knows the direction of a share', prices(100, 120, 100, 111), { when: when({ by: '+10%' }) }, [1]],
    ['knows both directions', prices(100, 120, 100, 95), { when: when({ by: '10%' }) }, [1, 2]],
    ['waits for its confirmation', prices(30, 18, 18, 17), { when: below, confirm: 1 }, [2]],
    ['waits for several', prices(30, 18, 'away', 18, null, 18, 17), { when: below, confirm: 2 }, [5]],
    ['forgets what is not confirmed', prices(30, 18, 30, 18, 30), { when: below, confirm: 1 }, []],
    ['confirms what holds at first', prices(18, 18, 18), { when: below, confirm: 1, initial: true }, [1]],
    [
      'confirms what it tells at every run only once',
      prices(30, 18, 18, 17, 30, 18, 18),
      { when: below, confirm: 1, every: true },
      [2, 3, 6],
    ],
    [
      'compares with what was before the first of the runs',
      prices(100, 89, 89, 85, 79, 79),
      { when: when({ by: '-10%' }), confirm: 1 },
      [2, 5],
    ],
    ['confirms a change', prices(1, 2, 1, 3, 3), { when: { changed: ['books.price'] }, confirm: 1 }, [4]],
    ['tells of each change', prices(1, 1, 2, 'away', 2, 3), { when: { changed: ['books.price'] } }, [2, 5]],
    [
      'tells of a change that outlives a cooldown',
      prices(1, 2, 3, 3, 3),
      { when: { changed: ['books.price'] }, cooldown: 180_000 },
      [1, 4],
    ],
  ])('%s', (_case, runs, rule, told) => {
    expect(toldIn(runs, rule)).toEqual(told);
  });

  it('does not judge fields that have fallen', () => {
    const runs = prices(30, 1, 1, 18);
    expect(toldIn(runs, { when: below }, (run) => (run === 1 || run === 2 ? ['books.price'] : []))).toEqual([
      3,
    ]);
  });

  it('joins conditions', () => {
    const runs: Run[] = [30, 18, 18, 17].map((price, index) => ({
      Emma: { price, stock: index === 1 ? 0 : 5 },
    }));
    const stocked = { field: 'books.stock', above: 0 };
    expect(toldIn(runs, { when: { all: [below, stocked] } })).toEqual([2]);
    expect(toldIn(runs, { when: { any: [below, { all: [stocked, below] }] } })).toEqual([1]);
  });

  it('tells of records that come and go, also after runs that had no page', () => {
    const runs: Run[] = [{ A: {} }, { A: {}, B: {} }, 'away', { B: {} }, { A: {}, B: {} }];
    const of = (leaf: RuleLeaf) => follow(runs, { rule: { when: leaf } });
    expect(of({ added: 'books' })).toEqual([[], ['B'], [], [], ['A']]);
    expect(of({ removed: 'books' })).toEqual([[], [], [], ['A'], []]);
  });

  it('confirms that records come and go', () => {
    const runs: Run[] = [
      { A: {} },
      { A: {}, B: {} },
      { A: {} },
      { A: {}, B: {} },
      { B: {} },
      { B: {} },
      { B: {} },
    ];
    const of = (leaf: RuleLeaf) => follow(runs, { rule: { when: leaf, confirm: 1 } });
    expect(of({ added: 'books' })).toEqual([[], [], [], [], ['B'], [], []]);
    expect(of({ removed: 'books' })).toEqual([[], [], [], [], [], ['A'], []]);
  });

  it('does not count a run that comes too soon', () => {
    const runs = prices(30, 18, 18, 18, 18);
    const confirmed = { rule: { when: below, confirm: 1 }, everyMs: 20_000 };
    expect(follow(runs, confirmed).map((told) => told.length)).toEqual([0, 0, 0, 1, 0]);
  });

  it.each<[string, Run[], Series['rule'], number[]]>([
    ['confirms', prices(30, 18, 18, 18), { when: below, confirm: 1 }, [3]],
    [
      'ends its cooldown',
      prices(18, 30, 18, 30, 18, 18),
      { when: below, initial: true, cooldown: 120_000 },
      [0, 4],
    ],
    ['tells of what begins to hold', prices(30, 30, 18, 18), { when: below }, [2]],
    ['does not tell again of what holds', prices(30, 18, 18, 18), { when: below }, [1]],
  ])('%s although the clock was set back by a year', (_name, runs, rule, expected) => {
    const told = follow(runs, { rule, setBackBefore: 2 });
    expect(told.flatMap((each, index) => (each.length > 0 ? [index] : []))).toEqual(expected);
  });

  it('takes what a page has first, after a wall in the first run, for nothing new', () => {
    const runs: Run[] = ['away', { A: { price: 1 } }, { A: { price: 1 }, B: { price: 1 } }];
    expect(follow(runs, { rule: { when: { added: 'books' } } })).toEqual([[], [], ['B']]);
    expect(follow(runs, { rule: { when: below } })).toEqual([[], [], ['B']]);
  });

  it('tells of at most a thousand records in a run, and counts the others', () => {
    const many = (price: number) =>
      Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`Book ${index}`, { price }]));
    const told = follow([many(30), many(18), many(18)], { rule: { when: below } });
    expect(told.map((keys) => keys.length)).toEqual([0, 1000, 0]);
  });
});

/** One value after the other, as the reference below sees them: undefined if the run says nothing. */
type Values = readonly (number | null | undefined)[];

/** Returns the runs that tell, by thirty lines of their own. */
function reference(
  values: Values,
  leaf: RuleLeaf,
  { initial, every }: Pick<Rule, 'initial' | 'every'>,
): number[] {
  const told: number[] = [];
  let wasTrue = false;
  let isFirst = true;
  let last: number | null | undefined;
  let base: number | undefined;
  for (const [run, value] of values.entries()) {
    if (value === undefined) continue;
    const truth = ((): boolean | undefined => {
      if ('changed' in leaf) return last === undefined ? false : value !== last;
      if ('becomes' in leaf) return value === leaf.becomes;
      if (value === null) return undefined;
      if ('below' in leaf) return value < leaf.below;
      if ('above' in leaf) return value > leaf.above;
      if (!('by' in leaf)) throw new Error('No such leaf.');
      if (base === undefined) return false;
      const percent = Math.round(((value - base) / base) * 1e11) / 1e9;
      const share = Number.parseFloat(leaf.by);
      if (leaf.by.startsWith('-')) return percent <= share;
      return leaf.by.startsWith('+') ? percent >= share : Math.abs(percent) >= share;
    })();
    if (base === undefined && value !== null) base = value;
    last = value;
    const isNews = isFirst ? initial === true : !wasTrue || every === true;
    isFirst = false;
    if (truth === undefined) continue;
    if (truth && isNews) {
      told.push(run);
      if (value !== null) base = value;
    }
    // A share or a change is over once it was judged; a bound holds on.
    wasTrue = truth && !('by' in leaf || 'changed' in leaf);
  }
  return told;
}

describe('a thousand series of values, walls, drift and outages', () => {
  it.each(fuzzSeeds(1))('are told of as the reference says: seed %d', (seed) => {
    const random = createRandom(seed);
    for (let count = 0; count < 1000; count += 1) {
      const leaves: RuleLeaf[] = [
        when({ below: random.between(5, 15) }),
        when({ above: random.between(5, 15) }),
        when({ becomes: random.between(0, 20) }),
        when({ by: random.pick(['-10%', '+25%', '50%']) }),
        { changed: ['books.price'] },
      ];
      const leaf = random.pick(leaves);
      const how = { initial: random.between(0, 1) === 1, every: random.between(0, 3) === 0 };
      const values: Values = Array.from({ length: 30 }, () => {
        const chance = random.between(0, 9);
        if (chance < 3) return undefined;
        return chance === 3 ? null : random.between(1, 20);
      });
      // A run that says nothing has no page, or a field that has fallen and something else in its place.
      const drifts = values.map((value) => value === undefined && random.between(0, 1) === 1);
      const runs: Run[] = values.map((value, run) =>
        value !== undefined ? { Emma: { price: value } } : drifts[run] ? { Emma: { price: 999 } } : 'away',
      );
      const seen = toldIn(runs, { when: leaf, ...how }, (run) => (drifts[run] ? ['books.price'] : []));
      expect({ leaf, how, values, seen }).toEqual({ leaf, how, values, seen: reference(values, leaf, how) });
    }
  });
});
