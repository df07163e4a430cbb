import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { parse, parseAllDocuments } from 'yaml';
import { CHART_TEMPLATES } from './render-chart.ts';
import { renderTemplate } from './render-template.ts';

const FOLDER = import.meta.dirname;
const read = (file: string) => readFile(join(FOLDER, file), 'utf8');
const chart = parse(await read('helm/Chart.yaml'));
const values = parse(await read('helm/values.yaml'));
const ALL = { ingress: { enabled: true }, keda: { enabled: true }, monitoring: { enabled: true } };

/** Returns the objects of the chart by their kinds and names, as Helm would render them with these values. */
async function render(own: Readonly<Record<string, object>> = {}): Promise<Map<string, object>> {
  const merged = Object.fromEntries(
    Object.entries(values).map(([name, value]) =>
      typeof value === 'object' ? [name, { ...value, ...own[name] }] : [name, own[name] ?? value],
    ),
  );
  const context = {
    Values: merged,
    Chart: { AppVersion: chart.appVersion },
    Release: { Namespace: 'gleaner' },
  };
  const files = await Promise.all(CHART_TEMPLATES.map(({ name }) => read(`helm/templates/${name}`)));
  return objectsIn(files.map((file) => renderTemplate(file, context)));
}

function objectsIn(texts: readonly string[]): Map<string, object> {
  const objects = texts.flatMap((text) =>
    parseAllDocuments(text).flatMap((document) => {
      if (document.errors[0]) throw document.errors[0];
      return document.toJS() ?? [];
    }),
  );
  return new Map(objects.map((object) => [`${object.kind} ${object.metadata.name}`, object]));
}

async function kustomized(folders: readonly string[]): Promise<Map<string, object>> {
  const files = await Promise.all(
    folders.map(async (folder) =>
      (await readdir(join(FOLDER, folder)))
        .filter((file) => !/^(kustomization|namespace|secrets)\b/.test(file))
        .map((file) => read(`${folder}/${file}`)),
    ),
  );
  return objectsIn(await Promise.all(files.flat()));
}

describe('the Helm chart', () => {
  it('has the templates that are made of the kustomizations, and no others', async () => {
    const names = CHART_TEMPLATES.map(({ name }) => name).sort();
    expect((await readdir(join(FOLDER, 'helm/templates'))).sort()).toEqual(names);
  });

  it('renders the objects of the base, which the tests of the manifests check', async () => {
    expect(await render()).toEqual(await kustomized(['base']));
  });

  it('renders the objects of the overlays, and leaves the number of scrapers to KEDA', async () => {
    const expected = await kustomized(['base', 'overlays/ingress', 'overlays/keda', 'overlays/monitoring']);
    const rendered = await render(ALL);
    for (const name of ['Deployment scraper-http', 'Deployment scraper-browser']) {
      const { spec, ...rest } = expected.get(name) as { spec: { replicas?: number } };
      const { replicas: _replicas, ...others } = spec;
      expected.set(name, { ...rest, spec: others });
    }
    expect(rendered).toEqual(expected);
  });

  it('takes images, settings, numbers and addresses from its values', async () => {
    const text = JSON.stringify([
      ...(
        await render({
          ...ALL,
          image: { prefix: 'ghcr.io/o/gleaner', tag: '9.9.9' },
          settings: { LOG_LEVEL: 'debug' },
          replicas: { gateway: 5 },
          resources: { gateway: { limits: { memory: '1Ti' } } },
          ingress: { enabled: true, host: 'scrapes.test', className: 'traefik', tlsSecretName: 'cert' },
          publicUrl: 'https://scrapes.test' as never,
        })
      ).values(),
    ]);
    for (const part of [
      '"image":"ghcr.io/o/gleaner-gateway:9.9.9"',
      '"LOG_LEVEL":"debug"',
      '"replicas":5',
      '"memory":"1Ti"',
      '"host":"scrapes.test"',
      '"ingressClassName":"traefik"',
      '"secretName":"cert"',
      '"value":"https://scrapes.test"',
    ])
      expect(text).toContain(part);
  });
});
