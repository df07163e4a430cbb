import { ENTRIES, LAYERS, type Layer, LIBRARIES } from './layers.ts';
import type { Import } from './read-imports.ts';

const SETTINGS_OF_SERVICE = /^services\/[^/]+\/src\/config\.ts$/;

/** Returns one message for each import that crosses the boundaries between packages. */
export function checkLayers(imports: readonly Import[]): string[] {
  return imports.flatMap((entry) => {
    const problem = judge(entry);
    return problem ? [`${entry.file}:${entry.line}  "${entry.specifier}": ${problem}`] : [];
  });
}

function judge({ file, specifier, target, isType }: Import): string | undefined {
  if (target !== undefined) {
    if (packageOf(target) === packageOf(file)) return undefined;
    // The reference of all settings is made from the services' own tables.
    if (file.startsWith('infra/configuration/') && SETTINGS_OF_SERVICE.test(target)) return undefined;
    return 'import another package by its name, not by a path';
  }
  const ours = /^@gleaner\/([^/]+)(\/.*)?$/.exec(specifier);
  if (!ours) return judgeLibrary(file, specifier);
  const [, name = '', path] = ours;
  if (path && !ENTRIES.has(specifier)) return 'import a package by its name; other files are its own';
  const layer = LAYERS.find(({ folder }) => isIn(file, folder));
  if (layer?.entries?.includes(specifier) || allowedFor(file, isType, layer).includes(name)) return undefined;
  return `${layer?.folder ?? packageOf(file)} may not import it here, see the layers in infra/check/boundaries/layers.ts`;
}

function judgeLibrary(file: string, specifier: string): string | undefined {
  const library = LIBRARIES[specifier.split('/')[0] ?? ''];
  if (!library || library.folders.some((folder) => isIn(file, folder))) return undefined;
  return library.instead;
}

function allowedFor(file: string, isType: boolean, layer: Layer | undefined): readonly string[] {
  if (!layer) return [];
  return [
    ...layer.imports,
    ...(isType ? (layer.types ?? []) : []),
    ...(isTest(file)
      ? [...(layer.tests ?? []), file.split('/')[1]].filter((name) => name !== undefined)
      : []),
  ];
}

function isTest(file: string): boolean {
  return file.endsWith('.test.ts') || file.includes('/test/');
}

function isIn(file: string, folder: string): boolean {
  return file.startsWith(`${folder}/`);
}

/** Returns the folder of the package of a file: all of `infra` is one. */
function packageOf(file: string): string {
  const [top = '', name = ''] = file.split('/');
  return top === 'infra' ? top : `${top}/${name}`;
}
