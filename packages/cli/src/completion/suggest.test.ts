import { describe, expect, it } from '@jest/globals';
import { createCli } from '../create-cli.ts';
import { suggest } from './suggest.ts';

async function wordsAfter(...words: string[]): Promise<string[] | 'files'> {
  const found = await suggest(words, createCli(process, AbortSignal.timeout(5000), []));
  return found === 'files' ? found : found.map(({ word }) => word);
}

describe('suggest', () => {
  it('offers commands, and those of their groups', async () => {
    expect(await wordsAfter('jo')).toEqual(['job']);
    expect(await wordsAfter('job', 're')).toEqual(['results', 'rerun']);
    expect(await wordsAfter('nothing', 'here', '')).toEqual([]);
  });

  it('offers options, those that are given only if they can be repeated', async () => {
    expect(await wordsAfter('scrape', '--ant')).toEqual(['--anti-bot']);
    expect(await wordsAfter('scrape', '--anti-bot', '--ant')).toEqual([]);
    expect(await wordsAfter('scrape', '-s', 'a=b', '--sel')).toEqual(['--select', '--selectors']);
    expect(await wordsAfter('scrape', '--', '--ant')).toEqual([]);
  });

  it('offers the values of options, also behind an equals sign', async () => {
    expect(await wordsAfter('job', 'list', '--status', 'p')).toEqual(['pending', 'partial']);
    expect(await wordsAfter('job', 'list', '--status=p')).toEqual(['--status=pending', '--status=partial']);
    expect(await wordsAfter('usage', '--format', '')).toEqual(['table', 'json', 'ndjson', 'csv']);
    expect(await wordsAfter('schedule', 'edit', 'sch_1', '--reset', 'w')).toEqual(['waitFor', 'webhook']);
    const zones = await wordsAfter('schedule', 'create', 'a.test', '--timezone', 'Europe/Be');
    expect(zones).toEqual(['Europe/Belgrade', 'Europe/Berlin']);
  });

  it('offers the rest of a list', async () => {
    expect(await wordsAfter('scrape', '--formats', 'links,t')).toEqual(['links,tables', 'links,text']);
    expect(await wordsAfter('job', 'results', '--verdict', 'login,w')).toEqual(['login,wall']);
    expect(await wordsAfter('key', 'create', '--scopes=jobs,s')).toEqual([
      '--scopes=jobs,scrape',
      '--scopes=jobs,schedules',
    ]);
  });

  it('offers the choices of arguments', async () => {
    expect(await wordsAfter('open', '')).toEqual(['console', 'docs']);
    expect(await wordsAfter('open', 'docs', '')).toEqual([]);
    expect(await wordsAfter('completion', '')).toEqual(['bash', 'zsh', 'fish']);
  });

  it('leaves files to the shell, and offers nothing for what only the person knows', async () => {
    expect(await wordsAfter('scrape', '-o', '')).toBe('files');
    expect(await wordsAfter('job', 'create', '--urls-file=')).toBe('files');
    expect(await wordsAfter('scrape', '-s', '')).toEqual([]);
    expect(await wordsAfter('scrape', '')).toEqual([]);
  });
});
