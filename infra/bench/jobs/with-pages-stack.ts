import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Stack } from '../../stack/start-stack.ts';
import { startBenchStack } from './start-bench-stack.ts';
import { startPagesOrigin } from './workload.ts';

/** Runs the work with a stack on the embedded servers and an origin of real pages, and removes both afterwards. */
export async function withPagesStack(
  work: (stack: Stack, originUrl: string) => Promise<void>,
  settings: Readonly<Record<string, string>> = {},
): Promise<void> {
  await using cleanups = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'gleaner-bench-'));
  cleanups.defer(() => rm(folder, { recursive: true, force: true }));
  const origin = await startPagesOrigin(folder);
  cleanups.defer(() => origin.stop());
  const dataDir = join(folder, 'stack');
  const stack = await startBenchStack({ dataDir, amqpUrl: undefined, originUrl: origin.url, settings });
  cleanups.defer(() => stack.stop());
  await work(stack, origin.url);
}
