import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import type { TestStack } from '../stack/test/test-stack.ts';

const CLIENT = resolve(import.meta.dirname, '../../packages/client-python/src');
const run = promisify(execFile);

/** Runs a program with the sources of the Python client, in a folder, and returns what it prints. */
export async function runPython(
  { stack, origin }: Pick<TestStack, 'stack' | 'origin'>,
  folder: string,
  program: string,
): Promise<string> {
  const { stdout } = await run('python3', ['-W', 'error', '-c', program], {
    cwd: folder,
    env: {
      ...process.env,
      PYTHONPATH: CLIENT,
      PYTHONDONTWRITEBYTECODE: '1',
      GLEANER_URL: stack.url,
      GLEANER_API_KEY: stack.apiKey,
      SHOP_URL: stack.demoUrl,
      ORIGIN_URL: origin.url,
    },
  });
  return stdout.trim();
}
