/** A metric with the samples of every process that has it. */
interface Family {
  readonly head: string[];
  readonly samples: string[];
}

/**
 * Merges texts in the exposition format of Prometheus: the samples of a metric that several processes have come under one
 * HELP and TYPE line, as the format requires. The samples differ by their label `service`.
 */
export function mergeMetrics(texts: readonly string[]): string {
  const families = new Map<string, Family>();
  for (const text of texts) addText(text, families);
  const lines = [...families.values()].flatMap(({ head, samples }) => [...head, ...samples]);
  return lines.length > 0 ? `${lines.join('\n')}\n` : '';
}

const COMMENT = /^# (HELP|TYPE) (\S+)/;

function addText(text: string, families: Map<string, Family>): void {
  let current: Family | undefined;
  let isKnown = false;
  for (const line of text.split('\n')) {
    if (line === '') continue;
    const [, keyword, name = ''] = COMMENT.exec(line) ?? [];
    if (keyword === 'HELP') {
      isKnown = families.has(name);
      current = families.get(name) ?? { head: [], samples: [] };
      families.set(name, current);
    }
    if (!current) continue;
    if (!line.startsWith('#')) current.samples.push(line);
    else if (!isKnown) current.head.push(line);
  }
}
