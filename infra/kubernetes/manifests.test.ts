import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { QUEUES } from '@gleaner/contracts';
import { COMMON_SETTINGS } from '@gleaner/service-kit';
import { describe, expect, it } from '@jest/globals';
import * as keda from '@kubernetes-models/keda/keda.sh/v1alpha1';
import * as apps from 'kubernetes-models/apps/v1';
import * as networking from 'kubernetes-models/networking.k8s.io/v1';
import * as policy from 'kubernetes-models/policy/v1';
import * as core from 'kubernetes-models/v1';
import { parse, parseAllDocuments } from 'yaml';
import { CONFIGURATION_SECTIONS } from '../configuration/configuration-sections.ts';

/** An object of Kubernetes, as a file declares it. */
interface Manifest {
  readonly file: string;
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  // biome-ignore lint/suspicious/noExplicitAny: checked by the models of its kind.
  readonly spec: any;
}

/** A kustomization, as its file declares it. */
interface Kustomization {
  readonly namespace: string;
  readonly resources: readonly string[];
  readonly replicas?: readonly { readonly name: string; readonly count: number }[];
  readonly patches?: readonly {
    readonly target: { readonly kind: string; readonly name?: string };
    readonly patch: string;
  }[];
}

/** Folders of the kustomizations, the base first. */
const FOLDERS = ['base', 'overlays/keda', 'overlays/monitoring', 'overlays/ingress', 'overlays/small'];
/** The models by the version of their API; objects of other operators have none. */
const MODELS: Readonly<Record<string, object>> = {
  v1: core,
  'apps/v1': apps,
  'policy/v1': policy,
  'networking.k8s.io/v1': networking,
  'keda.sh/v1alpha1': keda,
};
const WITHOUT_MODEL = ['monitoring.coreos.com/v1'];
/** Set for Node itself. */
const OF_NODE = ['NODE_OPTIONS'];
const NAME = 'app.kubernetes.io/name';

const base = await readManifests('base');
const all = (await Promise.all(FOLDERS.map(readManifests))).flat();
const ofKind = (kind: string, from: readonly Manifest[] = all) =>
  from.filter((manifest) => manifest.kind === kind);
const deployments = ofKind('Deployment');
const containerOf = ({ spec }: Manifest) => spec.template.spec.containers[0];

describe('the manifests', () => {
  it.each(all.filter(({ apiVersion }) => !WITHOUT_MODEL.includes(apiVersion)))(
    '$kind $metadata.name fits the model of its kind',
    ({ file: _file, ...object }) => {
      const models = MODELS[object.apiVersion] as Record<string, new (data: object) => { validate(): void }>;
      const Model = models?.[object.kind];
      if (!Model) throw new Error(`${object.apiVersion} ${object.kind} is unknown.`);
      new Model(object).validate();
    },
  );

  it('would be refused with a field of another type', () => {
    const { file: _file, ...gateway } = deployments[0] ?? base[0] ?? { file: '' };
    const wrong = { ...gateway, spec: { ...('spec' in gateway && gateway.spec), replicas: 'two' } };
    expect(() => new apps.Deployment(wrong as never).validate()).toThrow('replicas');
  });

  it('are all listed, and every file that is listed exists', async () => {
    for (const folder of FOLDERS) {
      const { resources, namespace } = await readKustomization(folder);
      expect(namespace).toBe('gleaner');
      const files = (await readdir(join(import.meta.dirname, folder))).filter(
        (file) => file !== 'kustomization.yaml' && file !== 'secrets.example.yaml',
      );
      expect(resources.filter((resource) => resource !== '../../base').sort()).toEqual(files.sort());
    }
  });

  it('run every service, from an image of its own with a version', async () => {
    const services = await readdir(join(import.meta.dirname, '../../services'));
    const images = deployments.map((deployment) => containerOf(deployment).image as string);
    for (const image of images) expect(image).toMatch(/^gleaner-[\w-]+:\d+\.\d+\.\d+$/);
    expect([...new Set(images.map((image) => image.slice('gleaner-'.length).split(':')[0]))].sort()).toEqual(
      services.sort(),
    );
  });

  it.each(deployments)('$metadata.name is given only settings that it has', (deployment) => {
    const { name, env } = containerOf(deployment);
    const section = CONFIGURATION_SECTIONS.find(({ title }) => title === name);
    const shared = CONFIGURATION_SECTIONS.find(({ title }) => title === 'Every service');
    const known = Object.keys({ ...section?.table, ...shared?.table });
    const given = env.map((variable: { name: string }) => variable.name);
    expect(
      given.filter((variable: string) => !known.includes(variable) && !OF_NODE.includes(variable)),
    ).toEqual([]);
  });

  it('share only settings that every service has, and name the keys of the secret', async () => {
    const [settings] = ofKind('ConfigMap') as unknown as { data: Record<string, string> }[];
    expect(Object.keys(settings?.data ?? {}).filter((name) => !(name in COMMON_SETTINGS))).toEqual([]);
    const secrets = (await readObjects('base/secrets.example.yaml')) as unknown as {
      metadata: { name: string };
      stringData: Record<string, string>;
    }[];
    const references = deployments.flatMap((deployment) =>
      containerOf(deployment).env.flatMap(
        ({
          name,
          valueFrom,
        }: {
          name: string;
          valueFrom?: { secretKeyRef: { name: string; key: string } };
        }) => (valueFrom ? [{ variable: name, ...valueFrom.secretKeyRef }] : []),
      ),
    );
    for (const { variable, name, key } of references) {
      const secret = secrets.find(({ metadata }) => metadata.name === name);
      expect(key).toBe(variable);
      expect(Object.keys(secret?.stringData ?? {})).toContain(key);
    }
  });

  it('give scrapers the secrets of a broker user of their own, the keys of secrets and of the model, and nothing else that is secret', () => {
    const scrapers = deployments.filter(({ metadata }) => metadata.name.startsWith('scraper'));
    expect(scrapers).toHaveLength(2);
    for (const scraper of scrapers) {
      const variables: { name: string; valueFrom?: object }[] = containerOf(scraper).env;
      expect(variables.flatMap(({ valueFrom }) => valueFrom ?? [])).toEqual([
        { secretKeyRef: { name: 'gleaner-scraper-secrets', key: 'SECRETS_KEY', optional: true } },
        { secretKeyRef: { name: 'gleaner-scraper-secrets', key: 'LLM_API_KEY', optional: true } },
        { secretKeyRef: { name: 'gleaner-scraper-secrets', key: 'AMQP_URL' } },
      ]);
    }
  });

  it.each(deployments)('$metadata.name runs restricted, without what it does not need', (deployment) => {
    const { spec } = deployment.spec.template;
    expect(spec).toMatchObject({
      automountServiceAccountToken: false,
      securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
    });
    expect(containerOf(deployment)).toMatchObject({
      securityContext: {
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      },
      resources: { limits: { memory: expect.any(String) }, requests: { cpu: expect.anything() } },
    });
    // Longer than the time that a service takes to stop.
    expect(spec.terminationGracePeriodSeconds).toBe(40);
  });

  it.each(deployments)('$metadata.name is probed where it answers', (deployment) => {
    const { ports, startupProbe, livenessProbe, readinessProbe } = containerOf(deployment);
    expect(ports).toContainEqual({ name: 'metrics', containerPort: COMMON_SETTINGS.METRICS_PORT.default });
    const paths = [startupProbe, livenessProbe, readinessProbe].map(({ httpGet }) => [
      httpGet.path,
      httpGet.port,
    ]);
    expect(paths).toEqual([
      ['/livez', 'metrics'],
      ['/livez', 'metrics'],
      ['/readyz', 'metrics'],
    ]);
  });

  it('select pods that exist', () => {
    const names = deployments.map(({ metadata }) => metadata.name);
    for (const deployment of deployments) {
      const { selector, template } = deployment.spec;
      expect(template.metadata.labels).toMatchObject(selector.matchLabels);
      expect(selector.matchLabels[NAME]).toBe(deployment.metadata.name);
    }
    const selected = [
      ...ofKind('Service').map(({ spec }) => spec.selector[NAME]),
      ...ofKind('PodDisruptionBudget').map(({ spec }) => spec.selector.matchLabels[NAME]),
      ...ofKind('ScaledObject').map(({ spec }) => spec.scaleTargetRef.name),
      ...ofKind('NetworkPolicy').flatMap(({ spec: { podSelector } }) => [
        ...(podSelector.matchLabels ? [podSelector.matchLabels[NAME]] : []),
        ...(podSelector.matchExpressions?.[0].values ?? []),
      ]),
    ];
    expect(selected.filter((name) => !names.includes(name))).toEqual([]);
  });

  it('open only ports that something serves', () => {
    const served = new Set(
      deployments
        .flatMap((deployment) => containerOf(deployment).ports.map(portOf))
        .concat([53, 5672, 27_017]),
    );
    const opened = ofKind('NetworkPolicy').flatMap(({ spec }) =>
      [...(spec.ingress ?? []), ...(spec.egress ?? [])].flatMap(({ ports = [] }) =>
        ports.map(({ port }: { port: number }) => port),
      ),
    );
    expect(opened.filter((port) => !served.has(port))).toEqual([]);
    for (const service of ofKind('Service')) {
      const deployment = deployments.find(({ metadata }) => metadata.name === service.metadata.name);
      for (const { targetPort, port } of service.spec.ports) {
        expect(deployment && containerOf(deployment).ports).toContainEqual({
          name: targetPort,
          containerPort: port,
        });
      }
    }
  });

  it('deny everything first, and keep scrapers from the database and from private networks', () => {
    const policies = new Map(
      ofKind('NetworkPolicy', base).map(({ metadata, spec }) => [metadata.name, spec]),
    );
    expect(policies.get('deny-all')).toEqual({ podSelector: {}, policyTypes: ['Ingress', 'Egress'] });
    expect(JSON.stringify(policies.get('database'))).not.toContain('scraper');
    const [{ to }] = policies.get('internet').egress;
    // Nodes and pods often have public IPv6 addresses.
    expect(to).toHaveLength(1);
    for (const network of [
      '10.0.0.0/8',
      '172.16.0.0/12',
      '192.168.0.0/16',
      '169.254.0.0/16',
      '127.0.0.0/8',
    ]) {
      expect(to[0].ipBlock.except).toContain(network);
    }
  });

  it('have a budget for every deployment of several replicas', () => {
    const several = deployments.filter(({ spec }) => spec.replicas > 1).map(({ metadata }) => metadata.name);
    expect(
      ofKind('PodDisruptionBudget')
        .map(({ metadata }) => metadata.name)
        .sort(),
    ).toEqual(several.sort());
  });

  it('scale by the demand of an engine and by queues that exist', () => {
    for (const { metadata, spec } of ofKind('ScaledObject')) {
      const engine = metadata.name === 'scraper-http' ? 'http' : 'browser';
      const deployment = deployments.find((candidate) => candidate.metadata.name === metadata.name);
      expect(deployment && containerOf(deployment).env).toContainEqual({ name: 'ENGINES', value: engine });
      const [demand, queue] = spec.triggers;
      expect(demand.metadata.valueLocation).toBe(`dispatchablePages.${engine}`);
      expect(demand.metadata.url).toBe('http://job-orchestrator.gleaner.svc.cluster.local:9464/dispatchable');
      expect(Object.keys(QUEUES)).toContain(queue.metadata.queueName);
      expect(queue.metadata.queueName).toBe(`scrape.${engine}`);
      const scraper = CONFIGURATION_SECTIONS.find(({ title }) => title === 'scraper');
      const limit = engine === 'http' ? 'PAGE_CONCURRENCY' : 'BROWSER_PAGE_CONCURRENCY';
      expect(demand.metadata.targetValue).toBe(String(scraper?.table[limit]?.default));
    }
  });

  it('are patched only where the base has something to patch', async () => {
    for (const folder of FOLDERS) {
      const { patches = [], replicas = [] } = await readKustomization(folder);
      for (const { name } of replicas)
        expect(deployments.map(({ metadata }) => metadata.name)).toContain(name);
      for (const { target, patch } of patches) {
        const targets = ofKind(target.kind, base).filter(
          ({ metadata }) => target.name === undefined || metadata.name === target.name,
        );
        expect(targets.length).toBeGreaterThan(0);
        const [, place] = /env\/(\d+)/.exec(patch) ?? [];
        if (place === undefined) continue;
        for (const found of targets) expect(containerOf(found).env[Number(place)].name).toBe('PUBLIC_URL');
      }
    }
  });
});

function portOf({ containerPort }: { containerPort: number }): number {
  return containerPort;
}

/** Reads the kustomization of a folder. */
async function readKustomization(folder: string): Promise<Kustomization> {
  return parse(await readFile(join(import.meta.dirname, folder, 'kustomization.yaml'), 'utf8'));
}

/** Reads the objects listed in a folder's kustomization, with the objects of its base. */
async function readManifests(folder: string): Promise<Manifest[]> {
  const { resources } = await readKustomization(folder);
  const own = resources.filter((resource) => resource.endsWith('.yaml'));
  return (await Promise.all(own.map((file) => readObjects(join(folder, file))))).flat();
}

/** Reads the objects of a file. */
async function readObjects(file: string): Promise<Manifest[]> {
  const text = await readFile(join(import.meta.dirname, file), 'utf8');
  return parseAllDocuments(text).map((document) => {
    if (document.errors[0]) throw document.errors[0];
    return { file, ...document.toJS() };
  });
}
