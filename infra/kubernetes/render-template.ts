import { stringify } from 'yaml';

/** Values by the names of a template, such as `.Values` and, in a `range`, `$name`. */
type Context = Readonly<Record<string, unknown>>;

/** An action of a template and the text after it. */
interface Part {
  readonly action: string;
  readonly text: string;
}

/**
 * Renders the part of Helm's templates that the chart uses: `if`, `if not`, `range` over a map, and values with the functions of
 * `FUNCTIONS`. Throws at everything else.
 */
export function renderTemplate(template: string, context: Context): string {
  const [first = '', ...rest] = template
    .split('{{')
    .map((part, index, all) => (all[index + 1]?.startsWith('-') ? part.trimEnd() : part));
  const parts = rest.map((part) => {
    const [action = '', ...text] = part.split('}}');
    return { action: action.replace(/^-/, '').trim(), text: text.join('}}') };
  });
  return first + renderParts(parts, context);
}

function renderParts(parts: readonly Part[], context: Context): string {
  let rendered = '';
  for (let index = 0; index < parts.length; index += 1) {
    const { action, text } = parts[index] as Part;
    const isBlock = /^(if|range) /.test(action);
    if (!isBlock) {
      rendered += evaluate(action, context) + text;
      continue;
    }
    const end = findEnd(parts, index);
    const inner = parts.slice(index + 1, end);
    rendered += contextsOf(action, context)
      .map((each) => text + renderParts(inner, each))
      .join('');
    rendered += parts[end]?.text ?? '';
    index = end;
  }
  return rendered;
}

function findEnd(parts: readonly Part[], start: number): number {
  let depth = 0;
  for (let index = start; index < parts.length; index += 1) {
    const { action } = parts[index] as Part;
    if (/^(if|range) /.test(action)) depth += 1;
    if (action === 'end') depth -= 1;
    if (depth === 0) return index;
  }
  throw new Error(`{{ ${parts[start]?.action} }} has no end.`);
}

/** Returns the contexts in which the inside of a block is rendered. */
function contextsOf(action: string, context: Context): Context[] {
  const [, names, map = ''] = /^range (\$\w+, \$\w+) := (\S+)$/.exec(action) ?? [];
  if (names !== undefined) {
    const [key = '', value = ''] = names.split(', ');
    return Object.entries(lookUp(map, context) as object).map((entry) => ({
      ...context,
      [key]: entry[0],
      [value]: entry[1],
    }));
  }
  const [, not, path = ''] = /^if (not )?(\S+)$/.exec(action) ?? [];
  return Boolean(lookUp(path, context)) === (not === undefined) ? [context] : [];
}

const FUNCTIONS: Readonly<Record<string, (value: unknown, argument: unknown) => unknown>> = {
  quote: (value) => JSON.stringify(String(value)),
  default: (value, other) => value || other,
  nindent: (value, spaces) => `\n${String(value).replaceAll(/^/gm, ' '.repeat(Number(spaces)))}`,
};

function evaluate(action: string, context: Context): string {
  const [first = '', ...pipes] = action.split(' | ');
  const [, yaml, path = ''] = /^(toYaml )?(\S+)$/.exec(first) ?? [];
  const start = lookUp(path, context);
  const value = pipes.reduce<unknown>(
    (input, pipe) => {
      const [name = '', argument = ''] = pipe.split(' ');
      const apply = FUNCTIONS[name];
      if (!apply) throw new Error(`${name} is not a function of the templates.`);
      return apply(input, argument.startsWith('.') ? lookUp(argument, context) : argument);
    },
    yaml === undefined ? start : stringify(start).trimEnd(),
  );
  return String(value);
}

/** Returns the value at a path such as `.Values.image.tag` or `$name`. Throws when there is none. */
function lookUp(path: string, context: Context): unknown {
  const [first = '', ...rest] = path.startsWith('$') ? [path] : path.slice(1).split('.');
  const value = rest.reduce<unknown>((part, name) => (part as Context | undefined)?.[name], context[first]);
  if (value === undefined) throw new Error(`${path} has no value.`);
  return value;
}
