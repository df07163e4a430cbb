import { createId } from '@gleaner/contracts';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { useSchedules } from './support/use-schedules.ts';

const on = useSchedules();
const { ask, create, patch } = on;

const SELECTORS = {
  title: 'h1',
  price: { selector: '.price', type: 'price' },
  stock: { selector: '.stock', type: 'integer' },
  tags: '.tag::all',
  books: { selector: '.book', all: true, fields: { name: 'h2', price: { selector: 'b', type: 'price' } } },
};
const CHEAP = { field: 'price.amount', below: 20 };
let channelId: string;

beforeEach(async () => {
  channelId = createId('chn');
  const now = new Date();
  await on.bed.stores.channels.insertChannel({
    id: channelId,
    accountId: on.owner.accountId,
    type: 'webhook',
    name: 'Own',
    address: 'https://example.com/',
    targetJson: '{}',
    status: 'active',
    createdAt: now,
    updatedAt: now,
  });
});

const rule = (when: unknown, more: object = {}) => ({ name: 'A rule', when, to: [channelId], ...more });
const body = (notify: unknown, more: object = {}) => ({
  url: 'https://example.com/',
  cron: '0 9 * * *',
  selectors: SELECTORS,
  notify,
  ...more,
});

describe('the rules of a schedule', () => {
  it('are kept as they were given, replaced as a whole, and reset', async () => {
    const rules = [
      rule(CHEAP, { cooldown: 1000, initial: true, every: true }),
      rule(
        { any: [{ all: [{ field: 'books.price.amount', by: '-10%' }] }, { added: 'books' }] },
        { name: 'B' },
      ),
      rule({ changed: ['title', 'tags'] }, { name: 'C' }),
    ];
    const id = await create({ selectors: SELECTORS, notify: rules });
    expect((await ask(`/v1/schedules/${id}`)).json.schedule.notify).toEqual(rules);
    await patch(id, { notify: rules.slice(0, 1) });
    expect((await ask(`/v1/schedules/${id}`)).json.schedule.notify).toEqual(rules.slice(0, 1));
    await patch(id, { notify: null });
    expect((await ask(`/v1/schedules/${id}`)).json.schedule).not.toHaveProperty('notify');
  });

  it('can be about formats, where there are no selectors', async () => {
    const { selectors: _, ...plain } = body([rule({ changed: ['formats.markdown'] })], {
      formats: ['markdown'],
    });
    expect((await ask('/v1/schedules', { body: plain })).status).toBe(201);
  });

  it('are shown with what they have told', async () => {
    const id = await create({ selectors: SELECTORS, notify: [rule(CHEAP), rule(CHEAP, { name: 'B' })] });
    const untold = { told: 0, lastToldAt: null, lastJobId: null, lastTitle: null };
    const rules = async () => (await ask(`/v1/schedules/${id}/rules`)).json;
    expect(await rules()).toMatchObject({
      rules: [
        { name: 'A rule', ...untold },
        { name: 'B', ...untold },
      ],
    });
    const told = {
      name: 'B',
      told: 3,
      lastToldAt: '2026-01-31T12:00:00.000Z',
      lastJobId: 'job_1',
      lastTitle: 'B: price 1',
    };
    await on.bed.stores.ruleReports.replaceRules(
      {
        scheduleId: id,
        accountId: on.owner.accountId,
        revision: 1,
        stateJson: '{}',
        reportJson: JSON.stringify({ rules: [told], records: 7, omitted: 1 }),
      },
      undefined,
      new Date(Date.now() + 60_000),
    );
    expect(await rules()).toEqual({
      success: true,
      rules: [{ name: 'A rule', ...untold }, told],
      records: 7,
      omitted: 1,
    });
  });

  it('name channels of the account', async () => {
    const stranger = await on.bed.createKey();
    const answer = await ask('/v1/schedules', { body: body([rule(CHEAP)]), key: stranger.key });
    expect(answer.status).toBe(404);
    expect(answer.json.error).toMatchObject({
      code: 'CHANNEL_NOT_FOUND',
      details: [{ path: 'notify.0.to.0' }],
    });
  });
});

describe('bad rules', () => {
  it.each<[string, unknown, string, string]>([
    ['an unknown field', { field: 'price.amout', below: 1 }, 'when.field', 'did you mean "price.amount"?'],
    [
      'a field far from all',
      { field: 'weight', below: 1 },
      'when.field',
      'Known: title, price, price.amount',
    ],
    [
      'a bound of a text',
      { field: 'title', below: 1 },
      'when.field',
      'give the field the type price or number',
    ],
    ['a bound of a price', { field: 'price', below: 1 }, 'when.field', 'use "price.amount"'],
    ['a bound of a list', { field: 'tags', above: 1 }, 'when.field', 'is a list'],
    ['no share', { field: 'stock', by: '0%' }, 'when.by', 'must not be 0%'],
    ['no percent', { field: 'stock', by: '10' }, 'when.by', 'such as "-10%"'],
    ['a list without records', { added: 'tags' }, 'when.added', 'is not a list of records'],
    ['an unknown list', { removed: 'boks' }, 'when.removed', 'did you mean "books"?'],
    ['an unknown change', { changed: ['title', 'titel'] }, 'when.changed.1', 'did you mean "title"?'],
    [
      'two conditions in one',
      { field: 'stock', below: 1, above: 0 },
      'when.above',
      'must be left out when below',
    ],
    ['no condition', { field: 'stock' }, 'when', ''],
    ['a misspelled condition', { field: 'stock', belw: 1 }, 'when.belw', 'did you mean "below"?'],
    ['a bound that is a text', { field: 'stock', below: '1' }, 'when.below', 'must be a number'],
    ['none of some', { all: [] }, 'when.all', 'must have at least 1 entry'],
    [
      'bounds that exclude each other',
      {
        all: [
          { field: 'stock', above: 5 },
          { field: 'stock', below: 5 },
        ],
      },
      'when.all.1.below',
      'cannot hold together with above 5',
    ],
    [
      'two lists in one',
      { all: [CHEAP, { field: 'books.price.amount', below: 1 }] },
      'when.all.1',
      'is about "books", and the rule about the page',
    ],
    [
      'too many conditions',
      { any: Array(20).fill({ all: [CHEAP, CHEAP] }) },
      'when',
      'at most 20 conditions',
    ],
  ])('with %s are rejected by their path', async (_case, when, path, message) => {
    const { json } = await ask('/v1/schedules', { body: body([rule(when)]) });
    expect(json.error.code).toBe('INVALID_REQUEST');
    const details: { path: string; message: string }[] = json.error.details;
    expect(details.map((detail) => detail.path).some((each) => each.startsWith(`notify.0.${path}`))).toBe(
      true,
    );
    expect(details.map((detail) => detail.message).join('\n')).toContain(message);
  });

  it.each<[string, (one: object) => unknown, string, string]>([
    ['no channel', (one) => [{ ...one, to: [] }], 'notify.0.to', 'must have at least 1 entry'],
    ['no name', (one) => [{ ...one, name: '' }], 'notify.0.name', 'must be a text'],
    ['one name twice', (one) => [one, one], 'notify.1.name', 'is the name of notify.0 already'],
    ['an unknown setting', (one) => [{ ...one, cooldwn: 1 }], 'notify.0.cooldwn', 'did you mean "cooldown"?'],
    ['too long a cooldown', (one) => [{ ...one, cooldown: 1e12 }], 'notify.0.cooldown', 'must be at most'],
    ['too many', (one) => Array(11).fill(one), 'notify', 'must have at most 10 entries'],
  ])('with %s are rejected by their path', async (_case, rules, path, message) => {
    const { json } = await ask('/v1/schedules', { body: body(rules(rule(CHEAP))) });
    expect(json.error.details).toContainEqual({ path, message: expect.stringContaining(message) });
  });

  it('that nest deeper than three levels are rejected', async () => {
    const nested = { all: [{ all: [{ all: [{ all: [CHEAP] }] }] }] };
    expect((await ask('/v1/schedules', { body: body([rule(nested)]) })).json.error.code).toBe(
      'INVALID_REQUEST',
    );
    const deepest = { all: [{ any: [{ all: [CHEAP] }] }] };
    expect((await ask('/v1/schedules', { body: body([rule(deepest)]) })).status).toBe(201);
  });

  it('are rejected by PATCH as well, also where the selectors are what changes', async () => {
    const id = await create({ selectors: SELECTORS, notify: [rule(CHEAP)] });
    const { json } = await patch(id, { selectors: { title: 'h1' } });
    expect(json.error.details).toMatchObject([{ path: 'notify.0.when.field' }]);
  });
});
