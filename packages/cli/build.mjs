/** Builds `dist/` for npm: the command line with all that it uses, in a few files. The workspace runs the sources. */
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const here = fileURLToPath(new URL('.', import.meta.url));
const dist = join(here, 'dist');
rmSync(dist, { recursive: true, force: true });
const build = await rolldown({ input: join(here, 'src/main.ts'), platform: 'node', cwd: here });
const { output } = await build.write({
  dir: dist,
  format: 'esm',
  entryFileNames: '[name].js',
  chunkFileNames: '[name].js',
  minify: { compress: true, mangle: false, codegen: false },
  codeSplitting: {
    groups: [
      // The tools for agents and their SDK load with one command alone.
      { name: 'mcp', test: /packages\/mcp\/|modelcontextprotocol|node_modules\/zod\//, priority: 2 },
      { name: 'command-line', test: (id) => !/src\/(main|version)\.ts$/.test(id), priority: 1 },
    ],
  },
});
await build.close();
chmodSync(join(dist, 'main.js'), 0o755);
writeFileSync(join(dist, 'licenses.txt'), licensesOf(output.flatMap(({ moduleIds = [] }) => moduleIds)));

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
