import type { Static } from 'typebox';
import { LIMITS } from '../limits.ts';
import { Name, Nullable, Timestamp } from '../map-of.ts';
import { Type } from '../type.ts';

/** A value that a field can become. */
export type RuleValue = string | number | boolean | null;

/** One condition of a rule; exactly one of its fields but `field` is given. */
export type RuleLeaf =
  | { readonly field: string; readonly below: number }
  | { readonly field: string; readonly above: number }
  | { readonly field: string; readonly becomes: RuleValue }
  | { readonly field: string; readonly by: string }
  | { readonly changed: readonly string[] }
  | { readonly added: string }
  | { readonly removed: string };

/** Conditions of which all, or any, must hold. */
export type RuleCondition =
  | RuleLeaf
  | { readonly any: readonly RuleCondition[] }
  | { readonly all: readonly RuleCondition[] };

const field = Type.String({
  minLength: 1,
  maxLength: 300,
  description: 'Dotted name of a field of the selectors: `price.amount`, `books.price.amount`.',
  examples: ['price.amount'],
});
const list = (description: string) =>
  Type.String({ minLength: 1, maxLength: 300, description, examples: ['books'] });
const only = { additionalProperties: false };

const LEAVES = [
  Type.Object({ field, below: Type.Number({ description: 'The number falls below this bound.' }) }, only),
  Type.Object({ field, above: Type.Number({ description: 'The number rises above this bound.' }) }, only),
  Type.Object(
    {
      field,
      becomes: Type.Unsafe<RuleValue>({
        description: 'The value becomes this text, number, true, false or null.',
        'x-expected': 'a text, a number, true, false or null',
        anyOf: [
          { type: 'string', maxLength: 1000 },
          { type: 'number' },
          { type: 'boolean' },
          { type: 'null' },
        ],
      }),
    },
    only,
  ),
  Type.Object(
    {
      field,
      by: Type.String({
        pattern: '^[+-]?[0-9]{1,4}(\\.[0-9]{1,2})?%$',
        'x-expected': 'a share such as "-10%", "+10%", or "10%" for both directions',
        description:
          'The number falls (`-10%`), rises (`+10%`) or moves (`10%`) by this share of what was last told, or first seen.',
        examples: ['-10%'],
      }),
    },
    only,
  ),
  Type.Object(
    {
      changed: Type.Array(field, {
        minItems: 1,
        maxItems: 20,
        uniqueItems: true,
        description: 'One of these fields differs from the run before.',
      }),
    },
    only,
  ),
  Type.Object({ added: list('A record of this list that was not there before.') }, only),
  Type.Object({ removed: list('A record of this list that is no longer there.') }, only),
];
const TOLD_BY = ['below', 'above', 'becomes', 'by', 'changed', 'added', 'removed'];

/** Returns the schema of conditions that nest so many levels deep. */
function conditionSchema(levels: number): object {
  const groups =
    levels === 0
      ? []
      : ['any', 'all'].map((name) => ({
          type: 'object',
          required: [name],
          properties: {
            [name]: { type: 'array', items: conditionSchema(levels - 1), minItems: 1, maxItems: 20 },
          },
          additionalProperties: false,
        }));
  return {
    anyOf: [...LEAVES, ...groups],
    'x-told-by': levels === 0 ? TOLD_BY : [...TOLD_BY, 'any', 'all'],
    'x-expected': 'a condition such as {"field": "price.amount", "below": 20}',
  };
}

/** Levels of `any` and `all`. */
const MAX_LEVELS = 3;

/** A rule of a schedule: when, and by which channels, people are told. */
export const RuleSchema = Type.Object(
  {
    name: Name({ description: 'Name of the rule, the title of its messages.', examples: ['Cheap books'] }),
    when: Type.Unsafe<RuleCondition>(
      Object.assign(conditionSchema(MAX_LEVELS), {
        description:
          'A condition, or `any` and `all` of several, up to three levels deep. All conditions of a rule are about the same list, or about the page.',
        examples: [{ field: 'price.amount', below: 20 }],
      }),
    ),
    cooldown: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: LIMITS.maxCooldownMs,
        description:
          'Milliseconds after a message during which the rule does not tell of the same record again; what holds by then is told after it. Default 0.',
      }),
    ),
    confirm: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: LIMITS.maxConfirmations,
        description:
          'Runs that must find the same, at least 30 seconds after one another, before the rule tells. They are started for it, and cost what runs cost. Default 0.',
      }),
    ),
    initial: Type.Optional(
      Type.Boolean({ description: 'Tell also what holds in the first run. Default false.' }),
    ),
    every: Type.Optional(
      Type.Boolean({
        description: 'Tell at every run while it holds, instead of once when it becomes true. Default false.',
      }),
    ),
    digest: Type.Optional(
      Type.Integer({
        minimum: LIMITS.minDigestMs,
        maximum: LIMITS.maxDigestMs,
        description:
          'Milliseconds for which what the rule tells is collected, from the first record on; the first run after them tells of all. Default: every run tells at once.',
      }),
    ),
    to: Type.Array(Type.String({ maxLength: 64 }), {
      minItems: 1,
      maxItems: 10,
      uniqueItems: true,
      description: 'Ids of channels.',
      examples: [['chn_01jd8x0000000000000000000']],
    }),
  },
  only,
);
export type Rule = Static<typeof RuleSchema>;

/** The setting `notify` of schedules. */
export const NotifySchema = Type.Array(RuleSchema, {
  maxItems: LIMITS.maxRulesPerSchedule,
  description:
    'Rules that tell people by channels when a record begins to meet a condition. Only pages of the verdict `content`, and fields that have not fallen, are judged.',
});

/** A leaf of a condition with its path in the rule. */
export interface PlacedLeaf {
  readonly path: string;
  readonly leaf: RuleLeaf;
}

/** Yields the leaves of a condition, in order. */
export function* leavesOf(condition: RuleCondition, path = 'when'): Generator<PlacedLeaf> {
  if ('any' in condition || 'all' in condition) {
    const [name, inner] = 'any' in condition ? ['any', condition.any] : ['all', condition.all];
    for (const [index, each] of inner.entries()) yield* leavesOf(each, `${path}.${name}.${index}`);
  } else yield { path, leaf: condition };
}

/** Returns the fields that a leaf reads. */
export function fieldsOf(leaf: RuleLeaf): readonly string[] {
  if ('field' in leaf) return [leaf.field];
  return 'changed' in leaf ? leaf.changed : [];
}

/** A rule of a schedule with what it has told. */
export const RuleReportSchema = Type.Object(
  {
    name: Type.String(),
    told: Type.Integer({ minimum: 0, description: 'Records that it has told of.' }),
    waiting: Type.Optional(
      Type.Integer({ minimum: 1, description: 'Records that wait for the end of its `digest`.' }),
    ),
    lastToldAt: Nullable(Timestamp()),
    lastJobId: Nullable(Type.String({ description: 'The run in which it told last.' })),
    lastTitle: Nullable(Type.String({ description: 'Title of its last message.' })),
  },
  only,
);
export type RuleReport = Static<typeof RuleReportSchema>;
