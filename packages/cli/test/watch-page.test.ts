import { describe, expect, it } from '@jest/globals';
import { runGleaner } from './support/run-gleaner.ts';
import { jobOf, sendJson, startService } from './support/start-service.ts';

const CHANNELS = [
  { id: 'chn_mail', type: 'email', name: 'Me', address: 'me@example.com' },
  { id: 'chn_buyers', type: 'slack', name: 'Buyers', address: 'https://hooks.slack.com/…' },
  { id: 'chn_a', type: 'ntfy', name: 'Twice', address: 'a' },
  { id: 'chn_b', type: 'ntfy', name: 'Twice', address: 'b' },
];

const ESTIMATE = {
  of: 'schedule',
  credits: { worst: 1, basis: 'options' },
  pages: { atLeast: 1, atMost: 1 },
  problems: [{ code: 'CHANNEL_NOT_FOUND', message: 'No such channel.', suggestion: 'Check the id.' }],
};

/** A service with these channels; it echoes each thing that is created. */
const startWatched = () =>
  startService((response, { method, path, body }) => {
    if (method === 'GET') return sendJson(response, 200, { channels: CHANNELS });
    if (path === '/v1/channels') {
      return sendJson(response, 201, { channel: { id: 'chn_new', ...JSON.parse(body) } });
    }
    if (path === '/v1/estimate') return sendJson(response, 200, { estimate: ESTIMATE });
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
      '/v1/estimate',
      '/v1/channels',
      '/v1/schedules',
      '/v1/schedules/sch_1/run',
    ]);
    expect(posted[1]?.body).toEqual({ type: 'email', name: 'new@example.com', to: ['new@example.com'] });
    expect(posted[2]?.body.notify[0].to).toEqual(['chn_new']);
  });

  it('makes no channel for a schedule that is refused', async () => {
    const error = { code: 'VALIDATION_FAILED', source: 'api', message: 'cron is wrong.', requestId: 'r' };
    await using service = await startService((response, { method }) => {
      if (method === 'GET') return sendJson(response, 200, { channels: CHANNELS });
      sendJson(response, 400, { error });
    });
    const flags = [...CHEAP, '--to', 'mail:new@example.com', '--cron', 'x'];
    const { code, stderr } = await runGleaner([...URL_AND_FIELDS, ...flags], { env: service.env });
    expect([code, stderr]).toEqual([1, expect.stringContaining('cron is wrong.')]);
    expect(service.received.map(({ path }) => path)).toEqual(['/v1/channels', '/v1/estimate']);
  });

  it('tries the rule out with --dry-run, and creates nothing', async () => {
    const to = ['--to', 'Buyers', '--to', 'mail:new@example.com'];
    const { code, stdout, stderr, posted } = await watch(...CHEAP, ...to, '--dry-run', '--format', 'table');
    expect([code, stderr]).toEqual([0, 'A channel for new@example.com would be created.\n']);
    expect(stdout).not.toContain('CHANNEL_NOT_FOUND');
    expect(posted).toMatchObject([
      {
        path: '/v1/estimate',
        body: { notify: [{ when: { field: 'price.amount', below: 20 }, to: ['chn_buyers', 'chn_new1'] }] },
      },
    ]);
    const known = await watch(...CHEAP, '--to', 'Buyers', '--dry-run', '--format', 'table');
    expect([known.code, known.stdout]).toEqual([1, expect.stringContaining('CHANNEL_NOT_FOUND')]);
  });

  it('collects what it tells, after further runs have found it', async () => {
    const { stderr, posted } = await watch(...CHEAP, '--to', 'Buyers', '--digest', 'daily', '--confirm', '2');
    expect(posted[0]?.body.notify).toEqual([
      {
        name: 'price.amount < 20',
        when: { field: 'price.amount', below: 20 },
        digest: 86_400_000,
        confirm: 2,
        to: ['chn_buyers'],
      },
    ]);
    expect(stderr).toContain(
      'falls below 20 and 2 further runs find the same, in one message for 1440 minutes.',
    );
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
    ['a span without a unit', [...CHEAP, '--to', 'chn_1', '--digest', '60000'], 'such as 90m, 12h or 2d'],
    ['no span', [...CHEAP, '--to', 'chn_1', '--digest', '0h'], 'such as 90m, 12h or 2d'],
    ['half a run', [...CHEAP, '--to', 'chn_1', '--confirm', '1.5'], 'It must be a whole number'],
    ['a name of two channels', [...CHEAP, '--to', 'Twice'], 'chn_a, chn_b'],
  ])('refuses %s, and creates nothing', async (_name, flags, message) => {
    const { code, stderr, posted } = await watch(...flags);
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
    expect(posted).toEqual([]);
  });
});

describe('the rules of a schedule', () => {
  const schedule = async (...flags: string[]) => {
    await using service = await startWatched();
    const { code, stderr } = await runGleaner(['schedule', ...flags], { env: service.env });
    return {
      code,
      stderr,
      bodies: service.received.map(({ body }) => (body ? JSON.parse(body) : undefined)),
    };
  };
  const RULE = [...CHEAP, '--to', 'chn_1'];

  it('collect and confirm, in a new schedule and in a changed one', async () => {
    const flags = [...RULE, '--digest', '90m', '--confirm', '1'];
    const notify = [expect.objectContaining({ digest: 5_400_000, confirm: 1, to: ['chn_1'] })];
    const made = await schedule('create', 'a.test', '-s', 'price=.p', '--cron', '0 * * * *', ...flags);
    expect(made.bodies).toEqual([expect.objectContaining({ notify })]);
    const changed = await schedule('edit', 'sch_1', ...flags);
    expect(changed.bodies).toEqual([{ notify }]);
  });

  it.each([
    ['without a rule', ['--digest', 'daily'], '--digest is of a rule, and --when is missing'],
    ['for rules of a file', ['--notify', 'rules.json', '--confirm', '1'], '--confirm and --notify exclude'],
  ])('are refused %s', async (_name, flags, message) => {
    const { code, stderr, bodies } = await schedule('edit', 'sch_1', ...flags);
    expect([code, stderr, bodies]).toEqual([2, expect.stringContaining(message), []]);
  });
});
