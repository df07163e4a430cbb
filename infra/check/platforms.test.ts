import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { expect, it } from '@jest/globals';
import { parse } from 'yaml';

/** A package of the lockfile, with the systems that its native code is for. */
interface LockedPackage {
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly libc?: readonly string[];
}

interface Lockfile {
  readonly packages: Readonly<Record<string, LockedPackage>>;
  readonly snapshots: Readonly<
    Record<string, { readonly optionalDependencies?: Readonly<Record<string, string>> }>
  >;
}

interface Platform {
  readonly os: string;
  readonly cpu: string;
  readonly libc?: string;
}

const PLATFORMS: readonly Platform[] = [
  { os: 'linux', cpu: 'x64', libc: 'glibc' },
  { os: 'linux', cpu: 'arm64', libc: 'glibc' },
  { os: 'darwin', cpu: 'x64' },
  { os: 'darwin', cpu: 'arm64' },
];

const file = resolve(import.meta.dirname, '../../pnpm-lock.yaml');
const lockfile: Lockfile = parse(await readFile(file, 'utf8'));

/** Native code of packages, by the package that depends on it; fsevents is an interface of macOS alone. */
const natives = Object.entries(lockfile.snapshots).flatMap(([name, { optionalDependencies = {} }]) => {
  const locked = Object.entries(optionalDependencies)
    .filter(([dependency]) => dependency !== 'fsevents')
    .flatMap(([dependency, version]) => lockfile.packages[`${dependency}@${version}`] ?? [])
    .filter(({ os }) => os !== undefined);
  return locked.length > 0 ? [{ name, locked }] : [];
});

it('locks the native code of every package for Linux and macOS on x64 and arm64', () => {
  expect(natives.length).toBeGreaterThan(10);
  const missing = natives.flatMap(({ name, locked }) =>
    PLATFORMS.filter((platform) => !locked.some((each) => runsOn(each, platform))).map(
      ({ os, cpu }) => `${name}: ${os} ${cpu}`,
    ),
  );
  expect(missing).toEqual([]);
});

function runsOn({ os, cpu, libc }: LockedPackage, platform: Platform): boolean {
  const isFor = (list: readonly string[] | undefined, value: string | undefined) =>
    list === undefined || value === undefined || list.includes(value);
  return isFor(os, platform.os) && isFor(cpu, platform.cpu) && isFor(libc, platform.libc);
}
