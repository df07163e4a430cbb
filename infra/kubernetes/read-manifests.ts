import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';

/** An object of Kubernetes, as a file declares it. */
export interface Manifest {
  readonly file: string;
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  // biome-ignore lint/suspicious/noExplicitAny: checked by the models of its kind.
  readonly spec: any;
}

/** A kustomization, as its file declares it. */
export interface Kustomization {
  readonly namespace: string;
  readonly resources: readonly string[];
  readonly replicas?: readonly { readonly name: string; readonly count: number }[];
  readonly patches?: readonly {
    readonly target: { readonly kind: string; readonly name?: string };
    readonly patch: string;
  }[];
}

/** Folders of the kustomizations, the base first. */
export const FOLDERS = ['base', 'overlays/keda', 'overlays/monitoring', 'overlays/ingress', 'overlays/small'];

/** Reads the kustomization of a folder. */
export async function readKustomization(folder: string): Promise<Kustomization> {
  return parse(await readFile(join(import.meta.dirname, folder, 'kustomization.yaml'), 'utf8'));
}

/** Reads the objects of a folder that its kustomization lists; those of the base come with it. */
export async function readManifests(folder: string): Promise<Manifest[]> {
  const { resources } = await readKustomization(folder);
  const own = resources.filter((resource) => resource.endsWith('.yaml'));
  return (await Promise.all(own.map((file) => readObjects(join(folder, file))))).flat();
}

/** Reads the objects of a file. */
export async function readObjects(file: string): Promise<Manifest[]> {
  const text = await readFile(join(import.meta.dirname, file), 'utf8');
  return parseAllDocuments(text).map((document) => {
    if (document.errors[0]) throw document.errors[0];
    return { file, ...document.toJS() };
  });
}
