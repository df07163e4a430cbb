import { escapeAttribute, escapeText, replaceForbidden } from '@gleaner/xml';

/** One test in a report. */
export interface JunitCase {
  readonly name: string;
  readonly durationMs: number;
  /** Why it is red; an `error` kept it from running. */
  readonly problem?: { readonly kind: 'failure' | 'error'; readonly message: string; readonly text: string };
}

/** Tests that belong together. */
export interface JunitSuite {
  readonly name: string;
  readonly cases: readonly JunitCase[];
}

/** Renders a report in the form of JUnit, as CI systems read it: https://github.com/testmoapp/junitxml */
export function renderJunit(name: string, suites: readonly JunitSuite[]): string {
  const all = suites.flatMap(({ cases }) => cases);
  const inner = suites.map(
    (suite) => `  <testsuite${attributes({ name: suite.name, ...totals(suite.cases) })}>
${suite.cases.map((each) => renderCase(suite.name, each)).join('')}  </testsuite>
`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuites${attributes({ name, ...totals(all) })}>
${inner.join('')}</testsuites>
`;
}

function renderCase(classname: string, { name, durationMs, problem }: JunitCase): string {
  const head = `    <testcase${attributes({ name, classname, time: seconds(durationMs) })}`;
  if (!problem) return `${head}/>\n`;
  const { kind, message, text } = problem;
  return `${head}>
      <${kind}${attributes({ message })}>${escapeText(replaceForbidden(text))}</${kind}>
    </testcase>
`;
}

function totals(cases: readonly JunitCase[]): Readonly<Record<string, string | number>> {
  const count = (kind: string) => cases.filter(({ problem }) => problem?.kind === kind).length;
  const time = seconds(cases.reduce((sum, { durationMs }) => sum + durationMs, 0));
  return { tests: cases.length, failures: count('failure'), errors: count('error'), time };
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(3);
}

function attributes(values: Readonly<Record<string, string | number>>): string {
  return Object.entries(values)
    .map(([name, value]) => ` ${name}="${escapeAttribute(replaceForbidden(String(value)))}"`)
    .join('');
}
