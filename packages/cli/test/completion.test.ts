import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { runGleaner } from './support/run-gleaner.ts';
import { jobOf, sendJson, startService } from './support/start-service.ts';

const PAGINATION = { limit: 100, offset: 0, total: 2, hasMore: false };

async function complete(words: readonly string[], env: Readonly<Record<string, string>>): Promise<string> {
  return (await runGleaner(['completion', '--words', 'fish', '--', ...words], { env })).stdout;
}

const MAX_TRIES = 20;

/** Completes an id, again where none is offered: the command waits briefly for a service that may be busy. */
async function completeId(words: readonly string[], env: Readonly<Record<string, string>>): Promise<string> {
  for (let tries = 1; ; tries += 1) {
    const offered = await complete(words, env);
    if (offered !== '' || tries === MAX_TRIES) return offered;
  }
}

describe('completions', () => {
  it('offer the ids of the service that the command is for', async () => {
    const jobs = [
      { ...jobOf('running', 1), id: 'job_1', name: 'Books\n\u001b[2J' },
      { ...jobOf('partial', 1000, 3), id: 'job_2' },
    ];
    await using service = await startService((response) =>
      sendJson(response, 200, { jobs, pagination: PAGINATION }),
    );
    const running = 'job_1\tBooks \ufffd[2J, running\n';
    const finished = 'job_2\tBooks, partial\n';
    expect(await completeId(['job', 'show', ''], service.env)).toBe(running + finished);
    expect(await completeId(['job', 'cancel', ''], service.env)).toBe(running);
    expect(await completeId(['job', 'rerun', ''], service.env)).toBe(finished);
    expect(await completeId(['webhook', 'deliveries', '--job', 'job_1'], service.env)).toBe(running);
  });

  it('offer nothing where no service answers', async () => {
    const env = { GLEANER_URL: 'http://127.0.0.1:1', GLEANER_API_KEY: 'gl_1' };
    expect(await complete(['job', 'show', ''], env)).toBe('');
  });

  it('offer profiles, and ask the service of the one that is given', async () => {
    await using service = await startService((response) =>
      sendJson(response, 200, { jobs: [jobOf('running', 1)], pagination: PAGINATION }),
    );
    const folder = await mkdtemp(join(tmpdir(), 'gleaner-cli-'));
    try {
      await mkdir(join(folder, 'gleaner'));
      const profiles = { work: { url: service.url, apiKey: 'gl_work' } };
      await writeFile(join(folder, 'gleaner/config.json'), JSON.stringify({ profiles }));
      const env = { XDG_CONFIG_HOME: folder };
      expect(await complete(['usage', '--profile', ''], env)).toBe(`work\t${service.url}\n`);
      expect(await complete(['profiles', ''], env)).toBe(`work\t${service.url}\n`);
      expect(await completeId(['job', 'show', '--profile', 'work', ''], env)).toMatch(/^job_/);
      expect(service.received[0]?.headers.authorization).toBe('Bearer gl_work');
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
