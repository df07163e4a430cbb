/**
 * Builds `dist/`, the package for npm: the command line with all that it uses, in a few files, so that it depends on
 * nothing. The workspace runs the sources.
 */
import {
  chmodSync,
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const here = fileURLToPath(new URL('.', import.meta.url));
const dist = join(here, 'dist');
rmSync(dist, { recursive: true, force: true });
const build = await rolldown({
  input: join(here, 'src/main.ts'),
  platform: 'node',
  cwd: here,
  preserveEntrySignatures: false,
});
const { output } = await build.write({
  dir: join(dist, 'bin'),
  format: 'esm',
  entryFileNames: '[name].js',
  chunkFileNames: '[name].js',
  minify: { compress: true, mangle: false, codegen: false },
  codeSplitting: {
    // A group takes no more than what it names: a command must not load the tools for agents.
    includeDependenciesRecursively: false,
    groups: [
      { name: 'mcp', test: /packages\/mcp\/|@modelcontextprotocol|node_modules\/zod\// },
      { name: 'client', test: /packages\/client\// },
      { name: 'command-line', test: isCore },
    ],
  },
});
await build.close();
chmodSync(join(dist, 'bin/main.js'), 0o755);
const { name, version, description, license, repository, type, engines } = JSON.parse(
  readFileSync(join(here, 'package.json'), 'utf8'),
);
const manifest = {
  name,
  version,
  description,
  license,
  repository,
  type,
  engines,
  bin: { gleaner: './bin/main.js' },
};
writeFileSync(join(dist, 'package.json'), JSON.stringify(manifest, null, 2));
copyFileSync(join(here, 'README.md'), join(dist, 'README.md'));
copyFileSync(join(here, '../../LICENSE'), join(dist, 'LICENSE'));
writeFileSync(join(dist, 'licenses.txt'), licensesOf(output.flatMap(({ moduleIds = [] }) => moduleIds)));

/** Returns true for what every command needs; each command is a file of its own, which loads when it runs. */
function isCore(id) {
  if (/node_modules\/commander\/|packages\/(?:contracts\/src\/csv|xml\/)/.test(id)) return true;
  return /packages\/cli\/src\/(?!main|version|commands\/|doctor\/|completion\/|input\/prompt)/.test(id);
}

/** Returns the licenses of the packages that these modules are from. */
function licensesOf(modules) {
  const folders = new Set(modules.filter((id) => id.includes('node_modules')).map(packageFolder));
  return [...folders]
    .map((folder) => {
      const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
      const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each));
      return `${name} ${version} (${license})\n\n${file ? readFileSync(join(folder, file), 'utf8') : ''}`;
    })
    .sort()
    .join(`\n${'-'.repeat(80)}\n\n`);
}

/** Returns the folder of the package of a module: the next one above it with a name. */
function packageFolder(module) {
  for (let folder = dirname(module); ; folder = dirname(folder)) {
    const manifest = join(folder, 'package.json');
    if (existsSync(manifest) && JSON.parse(readFileSync(manifest, 'utf8')).name) return folder;
  }
}
