import type { RuleCondition, Schedule } from '@gleaner/client';

/** A rule of a schedule. */
export type Rule = NonNullable<Schedule['notify']>[number];

/** One part of the sentence of a rule, as it is typed. */
export interface Clause {
  readonly field: string;
  readonly verb: Verb;
  readonly value: string;
}

/** A rule as its form holds it. */
export interface RuleDraft {
  readonly name: string;
  readonly to: readonly string[];
  readonly joint: 'all' | 'any';
  readonly clauses: readonly Clause[];
  readonly often: 'once' | 'every';
  readonly initial: boolean;
  /** Minutes without a further message about the same record; empty for none. */
  readonly cooldown: string;
  /** Minutes for which messages are collected; empty for none. */
  readonly digest: string;
  /** Number of further runs that must find the same; empty for none. */
  readonly confirm: string;
}

/** Verbs of a sentence, each with its words, an example of its value if it has one, and the condition that it means. */
export const VERBS = {
  below: { words: 'falls below', example: '20', write: (field, value) => ({ field, below: Number(value) }) },
  above: { words: 'rises above', example: '0', write: (field, value) => ({ field, above: Number(value) }) },
  falls: {
    words: 'falls by',
    example: '10 %',
    write: (field, value) => ({ field, by: `-${shareOf(value)}` }),
  },
  rises: {
    words: 'rises by',
    example: '10 %',
    write: (field, value) => ({ field, by: `+${shareOf(value)}` }),
  },
  moves: { words: 'moves by', example: '10 %', write: (field, value) => ({ field, by: shareOf(value) }) },
  becomes: {
    words: 'becomes',
    example: 'sold out',
    write: (field, value) => ({ field, becomes: scalarOf(value) }),
  },
  changed: { words: 'changes', write: (field) => ({ changed: [field] }) },
  added: { words: 'gains a record', write: (field) => ({ added: field }) },
  removed: { words: 'loses a record', write: (field) => ({ removed: field }) },
} as const satisfies Readonly<
  Record<
    string,
    { readonly words: string; readonly example?: string; write(field: string, value: string): RuleCondition }
  >
>;
export type Verb = keyof typeof VERBS;

export const NEW_CLAUSE: Clause = { field: '', verb: 'below', value: '' };

export const NEW_RULE: RuleDraft = {
  name: '',
  to: [],
  joint: 'all',
  clauses: [NEW_CLAUSE],
  often: 'once',
  initial: false,
  cooldown: '',
  digest: '',
  confirm: '',
};

const MINUTE_MS = 60_000;

/** Returns the rule that a draft means. */
export function ruleOf({ name, to, joint, clauses, often, initial, ...more }: RuleDraft): Rule {
  const conditions = clauses.map(({ field, verb, value }) => VERBS[verb].write(field.trim(), value.trim()));
  const [only, ...others] = conditions;
  const [cooldown, digest] = [more.cooldown, more.digest].map((minutes) =>
    Math.round(Number(minutes.trim()) * MINUTE_MS),
  );
  const confirm = Number(more.confirm.trim());
  return {
    name: name.trim(),
    when: (only && others.length === 0 ? only : { [joint]: conditions }) as Rule['when'],
    to: [...to],
    ...(often === 'every' && { every: true }),
    ...(initial && { initial }),
    ...(cooldown && { cooldown }),
    ...(digest && { digest }),
    ...(confirm > 0 && { confirm }),
  };
}

/** Returns the draft of a rule; undefined if its condition has groups inside of groups. */
export function draftOf({
  name,
  when,
  to,
  every,
  initial = false,
  cooldown = 0,
  digest = 0,
  confirm = 0,
}: Rule): RuleDraft | undefined {
  const joint = 'any' in when ? 'any' : 'all';
  const conditions = 'any' in when ? when.any : 'all' in when ? when.all : [when];
  const clauses = conditions.map((each) => clausesOf(each as RuleCondition));
  if (clauses.some((each) => each.length !== 1)) return undefined;
  return {
    name,
    to,
    joint,
    clauses: clauses.flat(),
    often: every ? 'every' : 'once',
    initial,
    cooldown: cooldown > 0 ? String(cooldown / MINUTE_MS) : '',
    digest: digest > 0 ? String(digest / MINUTE_MS) : '',
    confirm: confirm > 0 ? String(confirm) : '',
  };
}

/** Returns the clauses of a condition; none for a group. */
function clausesOf(condition: RuleCondition): Clause[] {
  if ('all' in condition || 'any' in condition) return [];
  if ('changed' in condition)
    return condition.changed.map((field) => ({ field, verb: 'changed', value: '' }));
  if ('added' in condition) return [{ field: condition.added, verb: 'added', value: '' }];
  if ('removed' in condition) return [{ field: condition.removed, verb: 'removed', value: '' }];
  const { field } = condition;
  if ('below' in condition) return [{ field, verb: 'below', value: String(condition.below) }];
  if ('above' in condition) return [{ field, verb: 'above', value: String(condition.above) }];
  if ('becomes' in condition) return [{ field, verb: 'becomes', value: textOf(condition.becomes) }];
  const verb = { '-': 'falls', '+': 'rises' }[condition.by.charAt(0)] ?? 'moves';
  return [{ field, verb: verb as Verb, value: condition.by.replace(/^[+-]/, '') }];
}

/** Returns whether every part of a draft is filled in. */
export function isComplete({ name, to, clauses }: RuleDraft): boolean {
  const isFilled = ({ field, verb, value }: Clause) =>
    field.trim() !== '' && (!('example' in VERBS[verb]) || value.trim() !== '');
  return name.trim() !== '' && to.length > 0 && clauses.every(isFilled);
}

/** Returns the dotted names of the fields of a schedule, those of its lists included, for a verb. */
export function fieldNamesOf(selectors: Schedule['selectors'] | undefined, verb: Verb): string[] {
  const ofLists = verb === 'added' || verb === 'removed';
  return Object.entries(selectors ?? {}).flatMap(([name, selector]) => {
    if (typeof selector === 'string') return ofLists ? [] : [name];
    const { fields, type } = selector as { readonly fields?: Schedule['selectors']; readonly type?: string };
    if (!fields) return ofLists ? [] : [type === 'price' ? `${name}.amount` : name];
    const inner = fieldNamesOf(fields, verb).map((each) => `${name}.${each}`);
    return ofLists ? [name, ...inner] : inner;
  });
}

function shareOf(value: string): string {
  return `${value.replace(/[\s%+-]/g, '')}%`;
}

/** Reads a number, true, false or null; anything else is a text. */
function scalarOf(value: string): string | number | boolean | null {
  if (/^(true|false|null|-?\d+(\.\d+)?)$/.test(value)) return JSON.parse(value);
  return value.replace(/^"(.*)"$/s, '$1');
}

/** Writes a value as `scalarOf` reads it: texts like numbers are quoted. */
function textOf(value: string | number | boolean | null): string {
  return typeof value === 'string' && scalarOf(value) !== value ? `"${value}"` : String(value);
}
