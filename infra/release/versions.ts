import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../..');
const PYTHON = 'packages/client-python';

/** Files that name the version of the project, with the text around it. */
const PLACES: readonly { readonly files: string; readonly around: RegExp }[] = [
  { files: '{.,infra,{packages,services}/*}/package.json', around: /(?<=^ {2}"version": ")[^"]+/gm },
  { files: `${PYTHON}/pyproject.toml`, around: /(?<=^version = ")[^"]+/gm },
  { files: `${PYTHON}/src/gleaner_client/_version.py`, around: /(?<=^VERSION = ")[^"]+/gm },
  { files: 'infra/kubernetes/base/*.yaml', around: /(?<=image: gleaner-[\w-]+:|newTag: )[\d.]+/g },
  { files: 'infra/kubernetes/helm/Chart.yaml', around: /(?<=^(?:version: |appVersion: "))[^"\n]+/gm },
  { files: '{docker-compose.yml,.env.example}', around: /(?<=GLEANER_VERSION(?::-|=))[\d.]+/g },
  { files: 'docs/{deployment,kubernetes}.md', around: /(?<=\/gleaner(?:-\w+)?:)[\d.]+/g },
];

/** A place that names a version. */
export interface VersionPlace {
  readonly file: string;
  readonly version: string;
}

/** Returns every place that names the version of the project. */
export function readVersions(): VersionPlace[] {
  return placedFiles().flatMap(({ file, around }) =>
    [...readFileSync(join(ROOT, file), 'utf8').matchAll(around)].map(([version]) => ({ file, version })),
  );
}

/** Writes another version to every place, and gives what is unreleased in the changelog its heading. */
export function setVersion(version: string, date: string): void {
  if (!/^\d+\.\d+\.\d+$/.test(version)) throw new Error(`"${version}" is not a version such as 1.2.3.`);
  for (const { file, around } of placedFiles()) {
    const text = readFileSync(join(ROOT, file), 'utf8');
    writeFileSync(join(ROOT, file), text.replaceAll(around, version));
  }
  const changelog = join(ROOT, 'CHANGELOG.md');
  const heading = `## ${version} – ${date}`;
  const text = readFileSync(changelog, 'utf8');
  if (!text.includes(`## ${version} `)) {
    writeFileSync(changelog, text.replace('## Unreleased\n', `## Unreleased\n\n${heading}\n`));
  }
}

function placedFiles(): { file: string; around: RegExp }[] {
  return PLACES.flatMap(({ files, around }) =>
    globSync(files, { cwd: ROOT }).map((file) => ({ file, around })),
  );
}
