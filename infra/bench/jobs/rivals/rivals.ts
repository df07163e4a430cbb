import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import type { Measured, Workload } from '../workload.ts';
import { measureRival } from './measure-rival.ts';

/** Debian's own Python, and the first on the PATH: Scrapy may be installed for either. */
const PYTHONS = ['/usr/bin/python3', 'python3'];

/** Another program that does the same work. */
export interface Rival {
  readonly name: string;
  /** The measurement, or the reason why there is none. */
  measure(work: Workload, folder: string): Promise<Measured | string>;
}

/** The rivals, with default settings except for politeness, each writing the data to one file. */
export const RIVALS: readonly Rival[] = [
  {
    name: 'scrapy',
    async measure(work, folder) {
      const python = PYTHONS.find(hasScrapy);
      if (python === undefined) return 'is NOT MEASURED: not installed (apt-get install python3-scrapy)';
      const outputFile = join(folder, 'scrapy.jsonl');
      const { url, pages, fields, urls } = work;
      const args = [join(import.meta.dirname, 'spider.py'), url, String(pages), outputFile, fields, urls];
      return await measureRival({ name: 'Scrapy', command: python, args, outputFile }, work);
    },
  },
  {
    name: 'crawlee',
    async measure(work, folder) {
      const outputFile = join(folder, 'crawlee.jsonl');
      const { url, pages, warmUpPages, fields, urls } = work;
      const script = join(import.meta.dirname, 'crawlee-process.ts');
      const args = [script, url, String(pages), String(warmUpPages), outputFile, fields, urls];
      return await measureRival({ name: 'Crawlee', command: process.execPath, args, outputFile }, work);
    },
  },
];

function hasScrapy(python: string): boolean {
  try {
    execFileSync(python, ['-c', 'import scrapy'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
