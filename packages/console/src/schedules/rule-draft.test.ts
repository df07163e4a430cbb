import { describe, expect, it } from '@jest/globals';
import { draftOf, fieldNamesOf, isComplete, NEW_RULE, type Rule, ruleOf } from './rule-draft.ts';

const rule = (when: Rule['when'], more: Partial<Rule> = {}): Rule => ({
  name: 'Cheap',
  when,
  to: ['chn_1'],
  ...more,
});

describe('the draft of a rule', () => {
  it.each<Rule>([
    rule({ field: 'price.amount', below: 20 }),
    rule(
      { field: 'stock', above: 0 },
      { every: true, initial: true, cooldown: 90_000, digest: 3_600_000, confirm: 2 },
    ),
    rule({ field: 'price', by: '-10%' }),
    rule({ field: 'price', by: '+2.5%' }),
    rule({ field: 'price', by: '10%' }),
    ...['sold out', '', '5', 'null', '"quoted"', 5, -0.5, true, null].map((becomes) =>
      rule({ field: 'a', becomes }),
    ),
    rule({ changed: ['title'] }),
    rule({ added: 'books' }),
    rule({ removed: 'books' }),
    rule({ all: [{ field: 'a', below: 1 }, { changed: ['b'] }] }),
    rule({
      any: [
        { field: 'a', below: 1 },
        { field: 'a', above: 9 },
      ],
    }),
  ])('means the rule that it was made of: %j', (one) => {
    const draft = draftOf(one);
    expect(draft && ruleOf(draft)).toEqual(one);
  });

  it('is not made of groups inside of groups', () => {
    expect(draftOf(rule({ any: [{ all: [{ changed: ['a'] }] }, { changed: ['b'] }] }))).toBeUndefined();
    expect(draftOf(rule({ changed: ['a', 'b'] }))).toBeUndefined();
  });

  it('takes shares as people write them', () => {
    const clauses = [{ field: ' price ', verb: 'falls', value: ' 10 %' }] as const;
    expect(ruleOf({ ...NEW_RULE, clauses }).when).toEqual({ field: 'price', by: '-10%' });
  });

  it('is complete with a name, a channel and all values', () => {
    const named = { ...NEW_RULE, name: 'Cheap', to: ['chn_1'] };
    expect(isComplete(named)).toBe(false);
    expect(isComplete({ ...named, clauses: [{ field: 'a', verb: 'below', value: '1' }] })).toBe(true);
    expect(isComplete({ ...named, clauses: [{ field: 'a', verb: 'below', value: ' ' }] })).toBe(false);
    expect(isComplete({ ...named, clauses: [{ field: 'a', verb: 'changed', value: '' }] })).toBe(true);
  });
});

describe('fieldNamesOf', () => {
  const selectors = {
    title: 'h1',
    price: { selector: '.price', type: 'price' },
    books: { selector: 'li', all: true, fields: { name: 'b', price: { selector: 'i', type: 'price' } } },
  } as const;

  it('returns the fields with a value, and the amounts of prices', () => {
    expect(fieldNamesOf(selectors, 'below')).toEqual([
      'title',
      'price.amount',
      'books.name',
      'books.price.amount',
    ]);
  });

  it('returns the lists for verbs about records', () => {
    expect(fieldNamesOf(selectors, 'added')).toEqual(['books']);
  });

  it('returns none for a schedule without selectors', () => {
    expect(fieldNamesOf(undefined, 'below')).toEqual([]);
  });
});
