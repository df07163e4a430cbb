import type { BodyOf } from './operation-types.ts';

/** A condition of a rule of a schedule. */
export type RuleCondition = NonNullable<BodyOf<'createSchedule'>['notify']>[number]['when'];

/** Says in words when a condition begins to hold: `price.amount falls below 20`. */
export function describeCondition(condition: RuleCondition): string {
  if ('all' in condition) return describeEach(condition.all).join(' and ');
  if ('any' in condition) return describeEach(condition.any).join(' or ');
  if ('changed' in condition) return `${condition.changed.join(' or ')} changes`;
  if ('added' in condition) return `something is added to ${condition.added}`;
  if ('removed' in condition) return `something is removed from ${condition.removed}`;
  const { field } = condition;
  if ('below' in condition) return `${field} falls below ${condition.below}`;
  if ('above' in condition) return `${field} rises above ${condition.above}`;
  if ('becomes' in condition) return `${field} becomes ${condition.becomes ?? 'nothing'}`;
  const share = condition.by.replace(/^[+-]/, '');
  const verb = condition.by.startsWith('-') ? 'falls' : condition.by.startsWith('+') ? 'rises' : 'moves';
  return `${field} ${verb} by ${share}`;
}

function describeEach(conditions: readonly unknown[]): string[] {
  return conditions.map((each) => describeCondition(each as RuleCondition));
}
