import { worstCreditsOf } from '@gleaner/contracts';
import { describe, expect, it } from '@jest/globals';
import { findModelErrors, requireModel, withModelPrice } from './model-rules.ts';

const schema = { type: 'object', properties: { title: { type: 'string' } } };
const model = { creditsPer1kTokens: 0.5 };

describe('the price of a model', () => {
  it.each([
    ['is that of its most tokens', {}, model, 56],
    ['is bounded by the caller', { maxCredits: 7 }, model, 8],
    ['is never above that of its most tokens', { maxCredits: 1000 }, model, 56],
    ['is nothing where it is free', { maxCredits: 7 }, { creditsPer1kTokens: 0 }, 1],
  ])('%s', (_case, given, rules, credits) => {
    expect(worstCreditsOf(withModelPrice({ extract: { schema, ...given } }, { model: rules }))).toBe(credits);
  });

  it('changes no request without a schema', () => {
    expect(withModelPrice({}, { model })).toEqual({});
  });
});

describe('a schema', () => {
  it('needs a model', () => {
    expect(() => requireModel({ extract: { schema } }, {})).toThrow('LLM_URL');
    expect(() => requireModel({ extract: { schema } }, { model })).not.toThrow();
    expect(() => requireModel({}, {})).not.toThrow();
  });

  it('is refused by the path of what it may not have', () => {
    const errorsOf = (evidence: 'required' | 'report') =>
      findModelErrors({
        extract: { schema: { type: 'object', properties: { a: { type: 'boolean' } } }, evidence },
      });
    expect(errorsOf('required')).toEqual([
      expect.objectContaining({ path: 'extract.schema.properties.a.type' }),
    ]);
    expect(errorsOf('report')).toEqual([]);
  });
});
