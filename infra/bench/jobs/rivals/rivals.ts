import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Measured, Workload } from '../workload.ts';

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
      const { url, pages, fields, atOnce } = work;
      const script = join(import.meta.dirname, 'spider.py');
      const args = [script, url, String(pages), outputFile, fields, String(atOnce)];
      return await measureRival({ name: 'Scrapy', command: python, args, outputFile }, work);
    },
  },
  {
    name: 'crawlee',
    async measure(work, folder) {
      const outputFile = join(folder, 'crawlee.jsonl');
      const { url, pages, warmUpPages, fields, atOnce } = work;
      const script = join(import.meta.dirname, 'crawlee-process.ts');
      const args = [script, url, ...[pages, warmUpPages].map(String), outputFile, fields, String(atOnce)];
      return await measureRival({ name: 'Crawlee', command: process.execPath, args, outputFile }, work);
    },
  },
  {
    name: 'goquery',
    async measure(work, folder) {
      const { url, pages, fields, atOnce } = work;
      const command = join(folder, 'goquery');
      if (!buildsGo(join(import.meta.dirname, 'goquery.go'), command)) {
        return 'is NOT MEASURED: not installed (apt-get install golang-go golang-github-puerkitobio-goquery-dev)';
      }
      const outputFile = join(folder, 'goquery.jsonl');
      const args = [url, String(pages), outputFile, fields, String(atOnce)];
      return await measureRival({ name: 'goquery', command, args, outputFile }, work);
    },
  },
];

/** Compiles a Go program with the packages that Debian installs. */
function buildsGo(source: string, program: string): boolean {
  const env = { ...process.env, GO111MODULE: 'off', GOPATH: '/usr/share/gocode' };
  try {
    execFileSync('go', ['build', '-o', program, source], { env, stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

function hasScrapy(python: string): boolean {
  try {
    execFileSync(python, ['-c', 'import scrapy'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** A program that does the work and appends the data to a file as JSON lines `{page, data}`. */
interface RivalCommand {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly outputFile: string;
}

/** Runs the program on the work. Throws with its output when it fails. */
async function measureRival(rival: RivalCommand, { pages }: Workload): Promise<Measured> {
  const { name, command, args, outputFile } = rival;
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const output: Buffer[] = [];
  const complaints: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => output.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => complaints.push(chunk));
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`${name} failed: ${Buffer.concat(complaints).toString().slice(-2000)}`);
  const lastLine = Buffer.concat(output).toString().trimEnd().split('\n').at(-1) ?? '';
  const { cpuMs, seconds, peakBytes } = JSON.parse(lastLine);
  return {
    cpuMs: new Map([['one process', cpuMs / pages]]),
    peakBytes: new Map([['one process', peakBytes]]),
    pagesPerSecond: pages / seconds,
    values: await readOutput(outputFile),
  };
}

async function readOutput(file: string): Promise<unknown[]> {
  const values: unknown[] = [];
  for (const line of (await readFile(file, 'utf8')).trimEnd().split('\n')) {
    const { page, data } = JSON.parse(line);
    values[page] = data;
  }
  return values;
}
