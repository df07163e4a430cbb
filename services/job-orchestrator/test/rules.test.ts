import {
  AppError,
  type ChannelMessage,
  createId,
  type ExtractedData,
  type PageKind,
  type Rule,
} from '@gleaner/contracts';
import type { StoredJob } from '@gleaner/storage';
import { createRandom, untilReady } from '@gleaner/test-kit';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type RulesDeps, watchRules } from '../src/review/rules/watch-rules.ts';
import { foundAs, type ScriptedScraper } from './scripted-scraper.ts';
import { startTestBed, type TestBed, urlsOf } from './start-test-bed.ts';

let bed: TestBed;
let scraper: ScriptedScraper;

beforeAll(async () => {
  bed = await startTestBed();
  scraper = await bed.startScraper();
  await bed.startOrchestrator();
});
afterAll(async () => {
  await bed[Symbol.asyncDispose]();
});

const SELECTORS = {
  title: 'h1',
  price: { selector: '.price', type: 'price' as const },
  books: {
    selector: '.book',
    all: true,
    fields: { name: 'h2', price: { selector: 'b', type: 'number' as const } },
  },
};
const CHEAP: Rule = { name: 'Cheap', when: { field: 'price.amount', below: 20 }, to: ['chn_1', 'chn_2'] };
const CHEAP_BOOK: Rule = { name: 'Cheap books', when: { field: 'books.price', below: 20 }, to: ['chn_1'] };

const priced = (amount: number): ExtractedData => ({ title: 'Emma', price: { amount, currency: 'GBP' } });
const books = (...prices: number[]): ExtractedData => ({
  books: prices.map((price, index) => ({ name: `Book ${index}`, price })),
});

/** Runs a schedule once, with these data on its pages, and returns the job. */
async function run(
  scheduleId: string,
  data: ExtractedData,
  {
    notify = [CHEAP],
    kind = 'content' as PageKind,
    urls = urlsOf(1),
    ofUrl = {} as Record<string, PageKind>,
  } = {},
): Promise<StoredJob> {
  scraper.follow(({ body }) => ({
    ...foundAs(ofUrl[body.request.url] ?? kind, body),
    dataJson: JSON.stringify(data),
  }));
  const { id } = await bed.create({ urls, selectors: SELECTORS }, { scheduleId, notify } as never);
  await bed.untilJob(id, 'completed');
  const [job] = await bed.stores.jobs.findJobs([id]);
  if (!job) throw new Error('The job is gone.');
  return job;
}

async function messagesOf({ told }: Pick<StoredJob, 'told'>): Promise<ChannelMessage[]> {
  if (!told) return [];
  const texts = await bed.stores.tellings.find(told.key, { offset: 0, limit: 1000 });
  expect(texts).toHaveLength(told.messages);
  return texts.map((text) => JSON.parse(text) as ChannelMessage);
}

const titles = async (job: StoredJob) => (await messagesOf(job)).map(({ title }) => title);

describe('the rules of a schedule', () => {
  it('tell once of a price that falls, and not of walls', async () => {
    const scheduleId = createId('sch');
    const told: string[][] = [];
    for (const [amount, kind] of [
      [30, 'content'],
      [1, 'wall'],
      [18, 'content'],
      [17, 'content'],
      [1, 'login'],
      [25, 'content'],
      [19, 'content'],
    ] as const) {
      told.push(await titles(await run(scheduleId, priced(amount), { kind })));
    }
    expect(told).toEqual([
      [],
      [],
      ['Cheap: price.amount 30 → 18'],
      [],
      [],
      [],
      ['Cheap: price.amount 25 → 19'],
    ]);
    const report = JSON.parse((await bed.stores.ruleReports.findReport(scheduleId)) ?? '{}');
    expect(report).toEqual({
      rules: [
        {
          name: 'Cheap',
          told: 2,
          lastToldAt: expect.any(String),
          lastJobId: expect.stringMatching(/^job_/),
          lastTitle: 'Cheap: price.amount 25 → 19',
        },
      ],
      records: 1,
      omitted: 0,
    });
  });

  it('name the records of a list, and those that come and go', async () => {
    const scheduleId = createId('sch');
    const notify: Rule[] = [
      CHEAP_BOOK,
      { name: 'New', when: { added: 'books' }, to: ['chn_1'] },
      { name: 'Gone', when: { removed: 'books' }, to: ['chn_1'] },
    ];
    await run(scheduleId, books(30, 30, 10), { notify });
    const [cheap, fresh] = await messagesOf(await run(scheduleId, books(30, 18, 9, 15), { notify }));
    expect(cheap).toEqual({
      rule: 'Cheap books',
      to: ['chn_1'],
      title: 'Cheap books: 2 records',
      text: [`Book 1: books.price 30 → 18 ${urlsOf(1)[0]}`, `Book 3: books.price 15 ${urlsOf(1)[0]}`].join(
        '\n',
      ),
      records: [
        { record: 'Book 1', url: urlsOf(1)[0], values: [{ field: 'books.price', before: 30, after: 18 }] },
        { record: 'Book 3', url: urlsOf(1)[0], values: [{ field: 'books.price', after: 15 }] },
      ],
    });
    expect(fresh).toMatchObject({ rule: 'New', title: 'New: Book 3' });
    expect(await titles(await run(scheduleId, books(30, 18, 9), { notify }))).toEqual([
      'Gone: Book 3: removed',
    ]);
  });

  it('do not call a record gone while a page of the run says nothing', async () => {
    const scheduleId = createId('sch');
    const notify: Rule[] = [{ name: 'Gone', when: { removed: 'books' }, to: ['chn_1'] }];
    const urls = urlsOf(2);
    await run(scheduleId, books(1, 2, 3), { notify, urls });
    const walled = { [urls[1] ?? '']: 'wall' as const };
    expect(await titles(await run(scheduleId, books(1, 2), { notify, urls, ofUrl: walled }))).toEqual([]);
    expect(await titles(await run(scheduleId, books(1, 2), { notify, urls }))).toEqual([
      'Gone: Book 2: removed',
    ]);
  });

  it('that are changed between two runs begin again, and tell nothing of what held', async () => {
    const scheduleId = createId('sch');
    await run(scheduleId, priced(30));
    const notify = [{ ...CHEAP, when: { field: 'price.amount', below: 40 } }];
    expect(await titles(await run(scheduleId, priced(30), { notify }))).toEqual([]);
    expect(await titles(await run(scheduleId, priced(45), { notify }))).toEqual([]);
    expect(await titles(await run(scheduleId, priced(35), { notify }))).toEqual([
      'Cheap: price.amount 45 → 35',
    ]);
  });

  it('tell of ten thousand records in messages of 8 KB, of a thousand by name', async () => {
    const scheduleId = createId('sch');
    const many = (price: number) => books(...Array.from({ length: 10_000 }, () => price));
    await run(scheduleId, many(30), { notify: [CHEAP_BOOK] });
    const messages = await messagesOf(await run(scheduleId, many(18), { notify: [CHEAP_BOOK] }));
    expect(messages.flatMap(({ records }) => records)).toHaveLength(1000);
    expect(messages.at(-1)).toMatchObject({ more: 9000, text: expect.stringMatching(/and 9000 more$/) });
    expect(messages[0]?.title).toMatch(/^Cheap books: 10000 records \(1 of \d+\)$/);
    for (const message of messages) expect(Buffer.byteLength(JSON.stringify(message))).toBeLessThan(8 * 1024);
    expect(await titles(await run(scheduleId, many(17), { notify: [CHEAP_BOOK] }))).toEqual([]);
  });
});

describe('a rule with confirmations', () => {
  it('asks for as many further runs, and tells after them', async () => {
    const asked: unknown[] = [];
    const scheduler = bed.broker.respond(
      'schedules.commands',
      async ({ body }) => {
        asked.push(body);
        return { outcome: 'hastened' };
      },
      { concurrency: 1 },
    );
    await untilReady(bed.broker);
    const scheduleId = createId('sch');
    const startMs = Date.now();
    const rulesJson = JSON.stringify([{ ...CHEAP, confirm: 1 }]);
    const told: string[][] = [];
    for (const [index, amount] of [30, 18, 17, 40, 16, 41].entries()) {
      const job = { ...(await run(createId('sch'), priced(amount))), scheduleId, rulesJson };
      const clock = { nowMs: () => startMs + index * 60_000 } as RulesDeps['stores']['clock'];
      const deps = { ...bed, retentionMs: 3_600_000, stores: { ...bed.stores, clock } };
      const judge = () => watchRules(job, new Set(), deps, new AbortController().signal);
      const key = await judge();
      if (amount === 16) await judge();
      told.push(await titles({ ...job, ...(key && { told: key }) }));
    }
    expect(told).toEqual([[], [], ['Cheap: price.amount 30 → 17'], [], [], []]);
    const command = (minutes: number) => ({
      type: 'hasten',
      scheduleId,
      accountId: bed.accountId,
      at: new Date(startMs + minutes * 60_000 + 30_000).toISOString(),
    });
    expect(asked).toEqual([command(1), command(4), command(4)]);
    await scheduler.stop(0);
  });
});

describe('a process that dies while it judges a run', () => {
  /** Returns the stores, of which each write fails sometimes: before it, or after it is made. */
  function dying(random: ReturnType<typeof createRandom>): RulesDeps {
    const { stores } = bed;
    const mayDie = <Arguments extends readonly unknown[], Result>(
      write: (...given: Arguments) => Promise<Result>,
    ) => {
      return async (...given: Arguments): Promise<Result> => {
        if (random.between(0, 3) === 0) throw new Error('It died before the write.');
        const result = await write(...given);
        if (random.between(0, 3) === 0) throw new Error('It died after the write.');
        return result;
      };
    };
    return {
      broker: bed.broker,
      logger: bed.logger,
      retentionMs: 3_600_000,
      stores: {
        ...stores,
        ruleReports: {
          findRules: (id) => stores.ruleReports.findRules(id),
          replaceRules: mayDie((...given: Parameters<typeof stores.ruleReports.replaceRules>) =>
            stores.ruleReports.replaceRules(...given),
          ),
        },
        tellings: {
          put: mayDie((...given: Parameters<typeof stores.tellings.put>) => stores.tellings.put(...given)),
        },
      },
    };
  }

  type RunOfSchedule = StoredJob & { scheduleId: string; rulesJson: string };

  /** Judges a run by two processes at once, again until they live, and returns it with what they tell. */
  async function judgeTwice(job: RunOfSchedule, deps: RulesDeps): Promise<StoredJob> {
    const judge = async (): Promise<StoredJob['told']> => {
      for (;;) {
        try {
          return await watchRules(job, new Set(), deps, new AbortController().signal);
        } catch (error) {
          if (error instanceof AppError) throw error;
        }
      }
    };
    const [one, other] = await Promise.all([judge(), judge()]);
    expect(one).toEqual(other);
    return { ...job, ...(one && { told: one }) };
  }

  it('loses nothing of a digest, and tells it once', async () => {
    const random = createRandom(42);
    const scheduleId = createId('sch');
    const rules: Rule[] = [{ ...CHEAP, digest: 3_600_000 }];
    const [startMs, told] = [Date.now(), [] as string[]];
    for (const [index, amount] of [30, 18, 30, 17, 30, 16, 15].entries()) {
      const job = await run(createId('sch'), priced(amount));
      const deps = dying(random);
      const clock = { nowMs: () => startMs + index * 1_200_000 } as RulesDeps['stores']['clock'];
      const judged = await judgeTwice(
        { ...job, scheduleId, rulesJson: JSON.stringify(rules) },
        { ...deps, stores: { ...deps.stores, clock } },
      );
      told.push((await messagesOf(judged)).map(({ title, text }) => `${title}: ${text}`).join('|'));
    }
    const line = (before: number, after: number) => `price.amount ${before} → ${after} ${urlsOf(1)[0]}`;
    const both = `Cheap: 2 records: ${line(30, 18)}\n${line(30, 17)}`;
    expect(told).toEqual(['', '', '', '', both, '', '']);
    const report = JSON.parse((await bed.stores.ruleReports.findReport(scheduleId)) ?? '{}');
    expect(report.rules).toMatchObject([{ told: 2, waiting: 1, lastTitle: 'Cheap: 2 records' }]);
  });

  it('leaves a run that others judge as if nothing had happened, also several at once', async () => {
    const random = createRandom(41);
    const scheduleId = createId('sch');
    const runs: RunOfSchedule[] = [];
    const values = Array.from({ length: 20 }, () => random.between(10, 30));
    for (const amount of values) {
      // Of another schedule, so that only this test judges them for theirs.
      const job = await run(createId('sch'), priced(amount));
      runs.push({ ...job, scheduleId, rulesJson: JSON.stringify([CHEAP]) });
    }
    const told: string[][] = [];
    for (const job of runs) told.push(await titles(await judgeTwice(job, dying(random))));
    const expected = values.map((amount, index) => {
      const before = values[index - 1];
      return before !== undefined && before >= 20 && amount < 20
        ? [`Cheap: price.amount ${before} → ${amount}`]
        : [];
    });
    expect(told).toEqual(expected);
    expect(expected.flat().length).toBeGreaterThan(2);
  });
});
