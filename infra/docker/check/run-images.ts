import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '@gleaner/test-kit';
import { processTree } from '../../bench/processes.ts';
import { buildah, type Image, type ImageOptions, storageOf } from './build-images.ts';

/** Settings and volume of one run of an image. */
export interface Run {
  readonly settings: Readonly<Record<string, string>>;
  /** The volume `/data` of the image: a folder of this machine. */
  readonly volume?: { readonly folder: string; readonly isReadOnly?: boolean };
}

/** A container of an image, on the network of this machine. */
export interface RunningImage {
  readonly service: string;
  /** Time of its start, as `performance.now` has it. */
  readonly startedAt: number;
  /** Resolves to the exit code of its program. */
  readonly ended: Promise<number>;
  /** Everything that it has printed. */
  output(): string;
  untilReady(): Promise<void>;
  /** Runs the health check of the image. Throws when it fails. */
  checkHealth(): Promise<void>;
  /** Runs another command in the container, and returns what it prints. */
  exec(command: readonly string[]): Promise<string>;
  /** Ends the program and removes the container. */
  stop(): Promise<void>;
}

/** Time for a service to start in a container whose code is not compiled yet. */
const READY_WITHIN_MS = 120_000;
const POLL_MS = 100;
const STOP_WITHIN_MS = 40_000;

/** The parts of `buildah inspect` that a run needs. */
interface Inspected {
  readonly OCIv1: { readonly config: { readonly Entrypoint: string[]; readonly Cmd: string[] } };
  readonly Docker: { readonly config: { readonly Healthcheck: { readonly Test: string[] } } };
}

/** Starts a container of an image, and does not wait for it. */
export async function startImage(
  { service, tag }: Image,
  { settings, volume }: Run,
  options: ImageOptions,
): Promise<RunningImage> {
  const { OCIv1, Docker }: Inspected = JSON.parse(
    await buildah(['inspect', '--type', 'image', tag], options),
  );
  const metricsPort = await freePort();
  const container = await buildah(['from', '--pull-never', tag], options);
  const env = { ...settings, METRICS_HOST: '127.0.0.1', METRICS_PORT: String(metricsPort) };
  const pairs = Object.entries(env).flatMap(([name, value]) => ['--env', `${name}=${value}`]);
  const volumes = volume && ['--volume', `${volume.folder}:/data${volume.isReadOnly ? ':ro' : ''}`];
  // buildah prefers a volume of its own where the image declares one.
  if (volumes) await buildah(['config', '--volume', '/data-', container], options);
  const run = ['run', '--isolation', 'chroot', ...(volumes ?? []), ...pairs, container, '--'];
  const { Entrypoint, Cmd } = OCIv1.config;
  const args = [...storageOf(options), ...run, ...Entrypoint, ...Cmd];
  const startedAt = performance.now();
  const child = spawn('buildah', args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = once(child, 'close').then(([code]) => Number(code));
  const printed = logOf(child, join(options.folder, `${service}.log`));
  const exec = (command: readonly string[]) => buildah([...run, ...command], options);
  return {
    service,
    startedAt,
    ended,
    output: () => printed.join(''),
    untilReady: () => untilReady(service, metricsPort, child, options),
    async checkHealth() {
      const [, ...check] = Docker.config.Healthcheck.Test;
      await exec(check);
    },
    exec,
    async stop() {
      await stop(child);
      await buildah(['rm', container], options);
    },
  };
}

/** Starts a container and waits until it is ready and healthy; stops it when it is not. */
export async function runImage(image: Image, run: Run, options: ImageOptions): Promise<RunningImage> {
  const running = await startImage(image, run, options);
  try {
    await running.untilReady();
    await running.checkHealth();
  } catch (error) {
    await running.stop();
    throw error;
  }
  return running;
}

/** Writes the output of a child to a file, and returns what has come so far. */
function logOf(child: ChildProcess, file: string): string[] {
  const printed: string[] = [];
  const log = createWriteStream(file);
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      printed.push(chunk.toString());
      log.write(chunk);
    });
  }
  return printed;
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
    await sleep(POLL_MS, undefined, { signal });
  }
}

/** Stops a container as an engine would: SIGTERM to its first process, and SIGKILL to all after a while. buildah passes no signal on. */
async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  await signalContainer(child, 'SIGTERM', (command) => /^\S*tini /.test(command));
  const timer = setTimeout(() => void signalContainer(child, 'SIGKILL', () => true), STOP_WITHIN_MS);
  await ended;
  clearTimeout(timer);
}

async function signalContainer(
  { pid }: ChildProcess,
  signal: NodeJS.Signals,
  isMeant: (command: string) => boolean,
): Promise<void> {
  const tree = pid === undefined ? [] : await processTree([pid]);
  for (const each of tree) if (isMeant(each.command)) process.kill(each.pid, signal);
}
