import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '@gleaner/test-kit';
import { processTree } from '../../bench/processes.ts';
import { buildah, type Image, type ImageOptions, storageOf } from './build-images.ts';

/** A service that runs from its image. */
export interface RunningImage {
  readonly service: string;
  readonly metricsPort: number;
  /** Ends the service and removes its container. */
  stop(): Promise<void>;
}

/** Time for a service to start in a container whose code is not compiled yet. */
const READY_WITHIN_MS = 120_000;
const STOP_WITHIN_MS = 40_000;

/** Starts a service from its image with these settings, on the network of this machine, and waits until it is ready. */
export async function runImage(
  { service, tag }: Image,
  settings: Readonly<Record<string, string>>,
  options: ImageOptions,
): Promise<RunningImage> {
  const metricsPort = await freePort();
  const container = await buildah(['from', '--pull-never', tag], options);
  const env = { ...settings, METRICS_HOST: '127.0.0.1', METRICS_PORT: String(metricsPort) };
  const pairs = Object.entries(env).flatMap(([name, value]) => ['--env', `${name}=${value}`]);
  const command = [
    'tini',
    '--',
    'sh',
    '-c',
    `exec node --disable-warning=ExperimentalWarning services/${service}/src/main.ts`,
  ];
  const args = ['run', '--isolation', 'chroot', '--user', 'node', ...pairs, container, '--', ...command];
  const child = spawn('buildah', [...storageOf(options), ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  const log = createWriteStream(join(options.folder, `${service}.log`));
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => log.write(chunk));
  const running = {
    service,
    metricsPort,
    stop: () => stop(child, container, options),
  };
  await untilReady(service, metricsPort, child, options).catch(async (error: unknown) => {
    await running.stop();
    throw error;
  });
  return running;
}

async function untilReady(
  service: string,
  port: number,
  child: ChildProcess,
  { folder, signal }: ImageOptions,
): Promise<void> {
  const giveUpAt = performance.now() + READY_WITHIN_MS;
  for (;;) {
    const isReady = await fetch(`http://127.0.0.1:${port}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isReady) return;
    if (child.exitCode !== null || performance.now() > giveUpAt) {
      throw new Error(`The ${service} is not ready. See ${join(folder, `${service}.log`)}.`);
    }
    await sleep(250, undefined, { signal });
  }
}

/** Stops a service as an engine would: SIGTERM, and SIGKILL after a while. buildah passes no signal on, so its child gets it. */
async function stop(child: ChildProcess, container: string, options: ImageOptions): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) {
    const ended = once(child, 'exit');
    await signalService(child, 'SIGTERM');
    const timer = setTimeout(() => void signalService(child, 'SIGKILL'), STOP_WITHIN_MS);
    await ended;
    clearTimeout(timer);
  }
  await buildah(['rm', container], options);
}

async function signalService({ pid }: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  const tree = pid === undefined ? [] : await processTree([pid]);
  for (const each of tree) if (each.command.startsWith('node ')) process.kill(each.pid, signal);
}
