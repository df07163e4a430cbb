import { createHash } from 'node:crypto';
import { fieldsOf, leavesOf, type Rule } from '@gleaner/contracts';

/** A rule of a run, with what is derived from it. */
export interface RunRule {
  readonly rule: Rule;
  /** Identifies the rule over runs: its name and its condition. One that is changed begins again. */
  readonly key: string;
  /** The list of its records; empty for the page. */
  readonly list: string;
  /** Paths of the fields that it reads. */
  readonly fields: ReadonlySet<string>;
  /** It has a condition about records that are removed. */
  readonly readsRemoved: boolean;
}

/** Returns the rules of a run. */
export function rulesOf(rules: readonly Rule[], lists: ReadonlySet<string>): RunRule[] {
  return rules.map((rule) => {
    const leaves = [...leavesOf(rule.when)].map(({ leaf }) => leaf);
    const fields = new Set(leaves.flatMap(fieldsOf));
    const named = leaves.flatMap((leaf) =>
      'added' in leaf ? leaf.added : 'removed' in leaf ? leaf.removed : [],
    );
    const around = [...fields].flatMap((field) => listAround(field, lists) ?? []);
    const [list = ''] = [...named, ...around];
    const key = createHash('sha256')
      .update(JSON.stringify([rule.name, rule.when]))
      .digest('base64url')
      .slice(0, 12);
    return { rule, key, list, fields, readsRemoved: leaves.some((leaf) => 'removed' in leaf) };
  });
}

/** Returns the list of records that a field is in; undefined of a field of the page. */
function listAround(field: string, lists: ReadonlySet<string>): string | undefined {
  return [...lists].find((list) => field.startsWith(`${list}.`));
}
