import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestStack } from '../stack/test/test-stack.ts';
import { joinStack } from './join-stack.ts';
import { runPython } from './run-python.ts';

const ROOT = resolve(import.meta.dirname, '../..');

let test: TestStack;
let folder: string;

beforeAll(async () => {
  test = await joinStack();
  folder = await mkdtemp(join(tmpdir(), 'gleaner-python-'));
});
afterAll(async () => {
  await test[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

const START = `
import asyncio, json, os
from gleaner_client import AsyncGleaner, Gleaner, GleanerError, verify_webhook
service, shop, origin = (os.environ["GLEANER_URL"], os.environ["GLEANER_API_KEY"]), os.environ["SHOP_URL"], os.environ["ORIGIN_URL"]
gleaner = Gleaner(*service)
`;

describe('the Python client with a running stack', () => {
  it('crawls the demo shop into a CSV with the program of its page', async () => {
    const page = await readFile(join(ROOT, 'docs/python.md'), 'utf8');
    const [, program = ''] = /^```python\n([\s\S]*?)^```$/m.exec(page) ?? [];
    expect(program.split('\n').filter((line) => line !== '').length).toBeLessThanOrEqual(10);
    expect(await runPython(test, folder, program)).toBe('completed');
    const [header, ...rows] = (await readFile(join(folder, 'books.csv'), 'utf8')).trim().split('\r\n');
    expect(header).toBe('title,price.amount,price.currency,stock,url');
    expect(rows.length).toBeGreaterThan(5);
    expect(rows).toContainEqual(
      expect.stringMatching(/^Moby-Dick,10.99,GBP,In stock \(12\),http.*moby-dick$/),
    );
  });

  it('creates a job once, follows it, and reads its results, URLs and pages of lists', async () => {
    const seen = await runPython(
      test,
      folder,
      `${START}
request = {"urls": [shop, shop + "gone"], "selectors": {"heading": "h1"}, "name": "Books"}
job = gleaner.jobs.create(request, idempotency_key="python-1")
assert gleaner.jobs.create(request, idempotency_key="python-1")["id"] == job["id"]
states = [state["status"] for state in gleaner.jobs.watch(job["id"])]
again = gleaner.jobs.rerun(job["id"], {"only": "failed"})
print(json.dumps({
  "last": states[-1],
  "results": [r["error"]["code"] if "error" in r else r["data"]["heading"] for r in gleaner.jobs.results(job["id"])],
  "urls": [u["index"] for u in gleaner.jobs.urls(job["id"], {"state": "failed"})],
  "again": gleaner.jobs.wait(again["id"])["status"],
  "listed": [each["id"] for each in gleaner.jobs.list({"limit": 1})][:2] == [again["id"], job["id"]],
  "estimate": gleaner.estimate(request)["of"],
}))`,
    );
    expect(JSON.parse(seen)).toEqual({
      last: 'partial',
      results: ['All books', 'NOT_FOUND'],
      urls: [1],
      again: 'failed',
      listed: true,
      estimate: 'job',
    });
  });

  it('reports errors of the service and of the page as what they are', async () => {
    const seen = await runPython(
      test,
      folder,
      `${START}
for request in ({"url": shop, "selectors": {"a": "h1::nothing"}}, {"url": shop + "gone"}):
  try: gleaner.scrape(request)
  except GleanerError as error: print(error.code, error.source, error.status, error.target_status_code, error.request_id[:4])
try: Gleaner(service[0], "gl_unknown").usage()
except GleanerError as error: print(error.code, error.status)`,
    );
    expect(seen.split('\n')).toEqual([
      'INVALID_SELECTOR api 400 None req_',
      'NOT_FOUND target 404 404 req_',
      'UNAUTHORIZED 401',
    ]);
  });

  it('manages schedules and keys, keeps snapshots, and asks for the health', async () => {
    const seen = await runPython(
      test,
      folder,
      `${START}
schedule = gleaner.schedules.create({"url": shop, "cron": "0 9 * * *", "selectors": {"heading": "h1"}})
job = gleaner.schedules.run(schedule["id"])
run = [gleaner.jobs.wait(job["id"])["status"], gleaner.schedules.pause(schedule["id"])["status"]]
gleaner.schedules.delete(schedule["id"])
key = gleaner.keys.create({"name": "Python", "scopes": ["usage"]})
reporting = Gleaner(service[0], key["key"])
snapshot = gleaner.scrape({"url": shop, "snapshot": True})["snapshotId"]
gleaner.live(), gleaner.ready()
print(json.dumps({
  "run": run,
  "remaining": reporting.usage()["remaining"],
  "current": reporting.keys.current()["name"],
  "revoked": gleaner.keys.revoke(key["id"])["revokedAt"] is not None,
  "extracted": gleaner.snapshots.extract(snapshot, {"selectors": {"heading": "h1"}})["data"],
  "secret": gleaner.webhooks.secret()["secret"][:6],
}))`,
    );
    expect(JSON.parse(seen)).toEqual({
      run: ['completed', 'paused'],
      remaining: null,
      current: 'Python',
      revoked: true,
      extracted: { heading: 'All books' },
      secret: 'whsec_',
    });
  });

  it('does the same with asyncio, many calls at once', async () => {
    const seen = await runPython(
      test,
      folder,
      `${START}
async def main():
  async with AsyncGleaner(*service) as gleaner:
    pages = await asyncio.gather(*(gleaner.scrape({"url": shop, "selectors": {"heading": "h1"}}) for _ in range(10)))
    job = await gleaner.jobs.create({"urls": [shop, shop + "books/emma"], "selectors": {"heading": "h1"}})
    states = [state["status"] async for state in gleaner.jobs.watch(job["id"])]
    results = [result["data"]["heading"] async for result in gleaner.jobs.results(job["id"])]
    slow = await gleaner.jobs.create({"urls": [f"{origin}/slow/60000"]})
    try: await asyncio.wait_for(gleaner.jobs.wait(slow["id"]), 0.5)
    except asyncio.TimeoutError: results.append((await gleaner.jobs.cancel(slow["id"]))["status"])
    print(json.dumps([{page["data"]["heading"] for page in pages} == {"All books"}, states[-1], results]))
asyncio.run(main())`,
    );
    expect(JSON.parse(seen)).toEqual([true, 'completed', ['All books', 'Emma', 'cancelled']]);
  });
});
