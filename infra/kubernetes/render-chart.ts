import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/** A file of the kustomizations, and the value without which the chart leaves its objects out. */
interface Source {
  readonly file: string;
  readonly onlyIf?: string;
}

const SOURCES: readonly Source[] = [
  { file: 'base/settings.yaml' },
  { file: 'base/gateway.yaml' },
  { file: 'base/scraper-http.yaml' },
  { file: 'base/scraper-browser.yaml' },
  { file: 'base/job-orchestrator.yaml' },
  { file: 'base/scheduler.yaml' },
  { file: 'base/webhook-notifier.yaml' },
  { file: 'base/network-policies.yaml' },
  { file: 'overlays/ingress/ingress.yaml', onlyIf: 'ingress.enabled' },
  { file: 'overlays/keda/scalers.yaml', onlyIf: 'keda.enabled' },
  { file: 'overlays/keda/allow-keda.yaml', onlyIf: 'keda.enabled' },
  { file: 'overlays/monitoring/pod-monitor.yaml', onlyIf: 'monitoring.enabled' },
  { file: 'overlays/monitoring/allow-prometheus.yaml', onlyIf: 'monitoring.enabled' },
];

/** Text of the kustomizations, and the template in its place. `NAME` is that of the file in camel case. */
const REPLACEMENTS: readonly (readonly [RegExp, string])[] = [
  [
    /image: gleaner-([\w-]+):\S+/g,
    'image: "{{ .Values.image.prefix }}-$1:{{ .Values.image.tag | default .Chart.AppVersion }}"',
  ],
  [/value: "http:\/\/gateway:8080"/g, 'value: {{ .Values.publicUrl | quote }}'],
  [
    / {2}LOG_LEVEL: info\n {2}LOG_FORMAT: json/g,
    '  {{- range $name, $value := .Values.settings }}\n  {{ $name }}: {{ $value | quote }}\n  {{- end }}',
  ],
  [
    /(?<= {10}resources:)\n {12}requests: .*\n {12}limits: .*/g,
    ' {{- toYaml .Values.resources.NAME | nindent 12 }}',
  ],
  [/maxReplicaCount: \d+/g, 'maxReplicaCount: {{ .Values.keda.maxReplicas }}'],
  [/job-orchestrator\.gleaner\.svc/g, 'job-orchestrator.{{ .Release.Namespace }}.svc'],
  [/ingressClassName: nginx/g, 'ingressClassName: {{ .Values.ingress.className }}'],
  [/secretName: gleaner-tls/g, 'secretName: {{ .Values.ingress.tlsSecretName }}'],
  [/gleaner\.example\.com/g, '{{ .Values.ingress.host }}'],
];

/** The templates of the Helm chart by the names of their files, made of the files of the kustomizations. */
export const CHART_TEMPLATES: readonly { readonly name: string; readonly render: () => string }[] =
  SOURCES.map((source) => ({ name: basename(source.file), render: () => renderSource(source) }));

function renderSource({ file, onlyIf }: Source): string {
  const text = readFileSync(join(import.meta.dirname, file), 'utf8').trimEnd();
  const name = camel(basename(file, '.yaml'));
  const replaced = REPLACEMENTS.reduce(
    (result, [pattern, template]) => result.replace(pattern, template),
    text,
  )
    .replaceAll('NAME', name)
    .replace(/^ {2}replicas: \d+$/m, replicas(name));
  const head = `# Written by \`npm run docs\` from ${file}; a test compares them. Do not edit.\n`;
  const whole = `${head}${replaced}\n`;
  return onlyIf === undefined ? whole : `{{- if .Values.${onlyIf} }}\n${whole}{{- end }}\n`;
}

/** Scrapers have the number that KEDA chooses, where it does. */
function replicas(name: string): string {
  const line = `  replicas: {{ .Values.replicas.${name} }}`;
  if (!name.startsWith('scraper')) return line;
  return `  {{- if not .Values.keda.enabled }}\n${line}\n  {{- end }}`;
}

function camel(name: string): string {
  return name.replaceAll(/-(\w)/g, (_match, letter: string) => letter.toUpperCase());
}
