import { describe, expect, it } from '@jest/globals';
import { runGleaner } from './support/run-gleaner.ts';
import { jobOf, sendJson, startService } from './support/start-service.ts';

const CHANNELS = [
  { id: 'chn_mail', type: 'email', name: 'Me', address: 'me@example.com' },
  { id: 'chn_buyers', type: 'slack', name: 'Buyers', address: 'https://hooks.slack.com/…' },
  { id: 'chn_a', type: 'ntfy', name: 'Twice', address: 'a' },
  { id: 'chn_b', type: 'ntfy', name: 'Twice', address: 'b' },
];

/** A service with these channels; it echoes each thing that is created. */
const startWatched = () =>
  startService((response, { method, path, body }) => {
    if (method === 'GET') return sendJson(response, 200, { channels: CHANNELS });
    if (path === '/v1/channels') {
      return sendJson(response, 201, { channel: { id: 'chn_new', ...JSON.parse(body) } });
    }
    if (path.endsWith('/run')) return sendJson(response, 202, { job: jobOf('pending', 0) });
    sendJson(response, 201, { schedule: { id: 'sch_1', status: 'active', ...JSON.parse(body) } });
  });

const URL_AND_FIELDS = ['watch', 'shop.example/kettle', '-s', 'title=h1', '-s', 'price=.price'];
const CHEAP = ['--when', 'price.amount < 20'];

async function watch(...flags: string[]) {
  await using service = await startWatched();
  const result = await runGleaner([...URL_AND_FIELDS, ...flags], { env: service.env });
  const posted = service.received
    .filter(({ method }) => method === 'POST')
    .map(({ path, body }) => ({ path, body: body ? JSON.parse(body) : undefined }));
  return { ...result, posted };
}

describe('gleaner watch', () => {
  it('makes a schedule with the rule, starts it, and says what it will tell', async () => {
    const { code, stderr, posted } = await watch(...CHEAP, '--to', 'Buyers', '--to', 'mail:me@example.com');
    expect(code).toBe(0);
    expect(posted).toMatchObject([
      {
        path: '/v1/schedules',
        body: {
          url: 'https://shop.example/kettle',
          name: 'shop.example/kettle',
          cron: expect.stringMatching(/^[0-5]?\d \* \* \* \*$/),
          selectors: { title: 'h1', price: { selector: '.price', type: 'price' } },
          notify: [
            {
              name: 'price.amount < 20',
              when: { field: 'price.amount', below: 20 },
              to: ['chn_buyers', 'chn_mail'],
            },
          ],
        },
      },
      { path: '/v1/schedules/sch_1/run' },
    ]);
    expect(stderr).toContain(
      'Tells Buyers and mail:me@example.com once each time price.amount falls below 20.',
    );
    expect(stderr).toContain('gleaner schedule delete sch_1');
  });

  it('makes the channel of an address that has none, once', async () => {
    const { posted } = await watch(...CHEAP, '--to', 'mail:new@example.com', '--to', 'mail:new@example.com');
    expect(posted.map(({ path }) => path)).toEqual([
      '/v1/channels',
      '/v1/schedules',
      '/v1/schedules/sch_1/run',
    ]);
    expect(posted[0]?.body).toEqual({ type: 'email', name: 'new@example.com', to: ['new@example.com'] });
    expect(posted[1]?.body.notify[0].to).toEqual(['chn_new']);
  });

  it.each([
    ['price.amount > 20', { price: { selector: '.price', type: 'price' } }],
    ['price.amount changed', { price: { selector: '.price', type: 'price' } }],
    ['price by -10% and title changed', { price: { selector: '.price', type: 'number' } }],
    ['price = 0', { price: { selector: '.price', type: 'number' } }],
    ['price = sold', { price: '.price' }],
  ])('reads the fields of "%s" as it compares them', async (condition, types) => {
    const { posted } = await watch('--when', condition, '--to', 'chn_1');
    expect(posted[0]?.body.selectors).toEqual({ title: 'h1', ...types });
  });

  it.each([
    ['no condition', ['--to', 'chn_1'], '--when is missing'],
    ['no channel', CHEAP, '--to is missing'],
    ['words that it cannot read', ['--when', 'cheap', '--to', 'chn_1'], 'is not a condition'],
    [
      'an unknown name',
      [...CHEAP, '--to', 'Sellers', '--to', 'mail:new@example.com'],
      'No channel has the name "Sellers"',
    ],
    ['a name of two channels', [...CHEAP, '--to', 'Twice'], 'chn_a, chn_b'],
  ])('refuses %s, and creates nothing', async (_name, flags, message) => {
    const { code, stderr, posted } = await watch(...flags);
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
    expect(posted).toEqual([]);
  });
});
