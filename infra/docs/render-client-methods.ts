import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import ts from 'typescript';

const SOURCES = resolve(import.meta.dirname, '../../packages/client/src');
/** The classes of the client, each with the expression that calls it. */
const CLASSES = [
  { file: 'gleaner.ts', receiver: 'gleaner' },
  { file: 'resources/jobs.ts', receiver: 'gleaner.jobs' },
  { file: 'resources/schedules.ts', receiver: 'gleaner.schedules' },
  { file: 'resources/profiles.ts', receiver: 'gleaner.profiles' },
  { file: 'resources/webhooks.ts', receiver: 'gleaner.webhooks' },
  { file: 'resources/keys.ts', receiver: 'gleaner.keys' },
  { file: 'resources/datasets.ts', receiver: 'gleaner.datasets' },
  { file: 'resources/recipes.ts', receiver: 'gleaner.recipes' },
  { file: 'resources/channels.ts', receiver: 'gleaner.channels' },
  { file: 'resources/secrets.ts', receiver: 'gleaner.secrets' },
  { file: 'resources/snapshots.ts', receiver: 'gleaner.snapshots' },
  { file: 'resources/files.ts', receiver: 'gleaner.files' },
] as const;

/** Renders the methods of the client as a table: their parameters and the first sentence of their comments. */
export function renderClientMethods(): string {
  const rows = CLASSES.flatMap(({ file, receiver }) =>
    methodsOf(file).map(({ call, summary }) => `| \`${receiver}.${call}\` | ${summary} |`),
  );
  return ['| call | what it does |', '|---|---|', ...rows].join('\n');
}

function methodsOf(file: string): { call: string; summary: string }[] {
  const source = ts.createSourceFile(
    file,
    readFileSync(join(SOURCES, file), 'utf8'),
    ts.ScriptTarget.Latest,
    true,
  );
  const methods: { call: string; summary: string }[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isMethodDeclaration(node) && !ts.isPrivateIdentifier(node.name)) {
      const parameters = node.parameters.map(
        ({ name, questionToken, initializer }) =>
          `${name.getText()}${questionToken || initializer ? '?' : ''}`,
      );
      methods.push({ call: `${node.name.getText()}(${parameters.join(', ')})`, summary: summaryOf(node) });
    }
    ts.forEachChild(node, visit);
  };
  for (const statement of source.statements) if (ts.isClassDeclaration(statement)) visit(statement);
  return methods;
}

function summaryOf(node: ts.MethodDeclaration): string {
  const [comment] = ts.getJSDocCommentsAndTags(node);
  const text = comment && 'comment' in comment ? String(comment.comment) : '';
  if (!text) throw new Error(`${node.name.getText()} has no comment.`);
  return text.replaceAll(/\s+/g, ' ').replaceAll('|', '\\|');
}
