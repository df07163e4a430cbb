import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { access, copyFile, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../../..');
/** The tag of the base of all images, made here of Debian's packages and npm's. */
const BASE = 'localhost/gleaner-base';
/** Packages of the official image that the recipe uses. */
const BASE_PACKAGES = ['ca-certificates', 'libatomic1'];

/** The packages of Debian with its security fixes, as the official image has them. */
const SOURCES_LIST = `deb http://deb.debian.org/debian bookworm main
deb http://deb.debian.org/debian bookworm-updates main
deb http://deb.debian.org/debian-security bookworm-security main
`;

/** Folders of a check. */
export interface ImageOptions extends CommandOptions {
  /** Keeps the file system of the base between runs, and the images of this one. */
  readonly folder: string;
}

/** Name of the image that runs the whole of `npm start`. */
export const STACK = 'gleaner';

/** An image of a service, or of all of them. */
export interface Image {
  readonly service: string;
  readonly tag: string;
  readonly megabytes: number;
  readonly seconds: number;
}

/** Runs buildah without an engine, a service or user namespaces. */
export function buildah(args: readonly string[], options: ImageOptions): Promise<string> {
  return runCommand('buildah', [...storageOf(options), ...args], options);
}

/** Returns the options for buildah to write only below the folder of the check. */
export function storageOf({ folder }: Pick<ImageOptions, 'folder'>): string[] {
  return ['--storage-driver', 'vfs', '--root', join(folder, 'storage'), '--runroot', join(folder, 'run')];
}

/**
 * Makes a base like the official slim images of Node of debootstrap and npm's own packages, since no registry of images is asked.
 * Returns its megabytes.
 */
export async function buildBase(options: ImageOptions): Promise<number> {
  const rootfs = join(options.folder, 'base');
  if (!(await exists(join(rootfs, 'usr/local/bin/npm')))) await makeRootfs(rootfs, options);
  const container = await buildah(['from', 'scratch'], options);
  await buildah(['add', '--quiet', container, rootfs, '/'], options);
  const ca = await ownAuthorities(options);
  if (ca !== undefined) {
    await buildah(['add', '--quiet', container, ca, CA_FILE], options);
    const names = ['NODE_EXTRA_CA_CERTS', 'NPM_CONFIG_CAFILE'];
    await buildah(
      ['config', ...names.flatMap((name) => ['--env', `${name}=${CA_FILE}`]), container],
      options,
    );
  }
  await buildah(['config', '--env', `PATH=${PATH}`, '--cmd', 'node', container], options);
  await buildah(['commit', '--quiet', '--rm', container, BASE], options);
  return await sizeOf(BASE, options);
}

const CA_FILE = '/usr/local/share/check-ca.pem';
const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

async function makeRootfs(rootfs: string, options: ImageOptions): Promise<void> {
  const include = `--include=${BASE_PACKAGES.join(',')}`;
  await runCommand('debootstrap', ['--variant=minbase', include, 'bookworm', rootfs], options);
  await writeFile(join(rootfs, 'etc/apt/sources.list'), SOURCES_LIST);
  const packages = join(options.folder, 'packages');
  await mkdir(packages, { recursive: true });
  await runCommand('npm', ['install', '--prefix', packages, '--no-save', 'npm@11'], options);
  // Every npm script runs on the pinned Node.
  await copyFile(process.execPath, join(rootfs, 'usr/local/bin/node'));
  const modules = join(rootfs, 'usr/local/lib/node_modules');
  await mkdir(modules, { recursive: true });
  await runCommand('cp', ['-a', join(packages, 'node_modules/npm'), modules], options);
  await runCommand(
    'chroot',
    [rootfs, 'useradd', '--create-home', '--uid', '1000', '--shell', '/bin/bash', 'node'],
    options,
  );
  // As the official slim image leaves them out.
  for (const name of [
    'var/cache/apt',
    'var/lib/apt/lists',
    'usr/share/doc',
    'usr/share/man',
    'usr/share/locale',
  ]) {
    await rm(join(rootfs, name), { recursive: true, force: true });
  }
  // The last step: its file tells that the base is complete.
  await symlink('../lib/node_modules/npm/bin/npm-cli.js', join(rootfs, 'usr/local/bin/npm'));
}

/** Returns a file of the certificate authorities that this machine trusts beyond Node's own, if it is set up with some. */
async function ownAuthorities({ folder }: ImageOptions): Promise<string | undefined> {
  const file = process.env.NODE_EXTRA_CA_CERTS;
  if (file === undefined) return undefined;
  const copy = join(folder, 'ca.pem');
  await writeFile(copy, await readFile(file));
  return copy;
}

/** Builds the image of a service, or of all, with the recipe of the project. */
export async function buildImage(service: string, options: ImageOptions): Promise<Image> {
  const startedAt = performance.now();
  const tag = `localhost/gleaner-${service}`;
  const dockerfile = join(ROOT, 'infra/docker', service === STACK ? 'gleaner.Dockerfile' : 'Dockerfile');
  await buildah(
    [
      // The format of Docker keeps the health check.
      ...['build', '--format', 'docker', '--isolation', 'chroot', '--layers=false', '--pull=never'],
      ...['--build-arg', `BASE=${BASE}`, '--build-arg', `SERVICE=${service}`],
      ...['--ignorefile', `${dockerfile}.dockerignore`, '--file', dockerfile, '--tag', tag, ROOT],
    ],
    options,
  );
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  return { service, tag, megabytes: await sizeOf(tag, options), seconds };
}

/** Returns the megabytes of the files of an image. */
async function sizeOf(tag: string, options: ImageOptions): Promise<number> {
  const container = await buildah(['from', '--pull-never', tag], options);
  const folder = await buildah(['mount', container], options);
  const [megabytes = ''] = (await runCommand('du', ['-sxm', folder], options)).split('\t');
  await buildah(['rm', container], options);
  return Number(megabytes);
}

async function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}

/** Options of a command. */
interface CommandOptions {
  /** File that gets all its output. */
  readonly logFile: string;
  readonly signal: AbortSignal;
}

/** Runs a command to its end, and returns its standard output. Throws with the last lines of its output when it fails. */
export async function runCommand(
  command: string,
  args: readonly string[],
  { logFile, signal }: CommandOptions,
): Promise<string> {
  const log = createWriteStream(logFile, { flags: 'a' });
  log.write(`$ ${command} ${args.join(' ')}\n`);
  const child = spawn(command, args, { signal, stdio: ['ignore', 'pipe', 'pipe'] });
  const [outputs, all]: string[][] = [[], []];
  child.stdout.on('data', (chunk: Buffer) => outputs?.push(chunk.toString()));
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      all?.push(chunk.toString());
      log.write(chunk);
    });
  }
  const [code] = await once(child, 'close');
  log.end();
  if (code === 0) return (outputs ?? []).join('').trim();
  const tail = (all ?? []).join('').trim().split('\n').slice(-15).join('\n');
  throw new Error(`${command} ${args[0]} failed (${code}):\n${tail}\nSee ${logFile}.`);
}
