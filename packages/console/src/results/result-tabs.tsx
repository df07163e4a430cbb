import { Tabs } from '@mantine/core';
import { lazy, type ReactNode, Suspense } from 'react';
import { CodeBlock } from '../parts/data/code-block.tsx';
import { WaitingRows } from '../parts/feedback/states.tsx';
import styles from './results.module.css';

const MarkdownView = lazy(() =>
  import('./markdown-view.tsx').then(({ MarkdownView }) => ({ default: MarkdownView })),
);

/** A tab beside those of the values. */
export interface MoreTab {
  readonly name: string;
  readonly content: ReactNode;
}

/** The values of a page: the data as JSON, and each text of it as text. Markdown is rendered. */
export function ResultTabs(props: {
  readonly data: Readonly<Record<string, unknown>> | undefined;
  readonly formats: Readonly<Record<string, unknown>> | undefined;
  /** Selectors of the request, for finding the fields of type `markdown`. */
  readonly selectors: unknown;
  /** Tabs before the texts, and after them. */
  readonly before?: readonly MoreTab[];
  readonly after?: readonly MoreTab[];
}) {
  const { data, formats, before = [], after = [] } = props;
  const texts = textsIn(props);
  const { markdown: _markdown, text: _text, html: _html, ...others } = formats ?? {};
  const values = { ...data, ...(Object.keys(others).length > 0 && (data ? { formats: others } : others)) };
  const isFile = data === undefined && formats === undefined;
  const hasValues = Object.keys(values).length > 0 || (texts.length === 0 && !isFile);
  const tabs: MoreTab[] = [
    ...(hasValues
      ? [
          {
            name: 'Data',
            content: <CodeBlock label="Data" text={JSON.stringify(values, null, 2)} />,
          },
        ]
      : []),
    ...before,
    ...texts.map(({ name, text, isMarkdown }) => ({
      name,
      content: isMarkdown ? (
        <Suspense fallback={<WaitingRows label="Loading the view" />}>
          <MarkdownView label={name} text={text} />
        </Suspense>
      ) : (
        <CodeBlock label={name} text={text} />
      ),
    })),
    ...after,
  ];
  return (
    <Tabs defaultValue={tabs[0]?.name ?? null} keepMounted={false}>
      <Tabs.List>
        {tabs.map(({ name }) => (
          <Tabs.Tab key={name} value={name}>
            {name}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {tabs.map(({ name, content }) => (
        <Tabs.Panel key={name} value={name} className={styles.panel}>
          {content}
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}

interface TextOfPage {
  readonly name: string;
  readonly text: string;
  readonly isMarkdown: boolean;
}

/** Returns the texts of a page that are read as such: in JSON, each line end would be an escape. */
function textsIn({ data, formats, selectors }: Parameters<typeof ResultTabs>[0]): TextOfPage[] {
  const { markdown, text, html, article } = formats ?? {};
  const ofArticle = (article as { markdown?: unknown } | null | undefined)?.markdown;
  const fields = Object.entries((selectors ?? {}) as Readonly<Record<string, unknown>>)
    .filter(([, selector]) => (selector as { type?: unknown } | null)?.type === 'markdown')
    .map(([name]): [string, unknown, boolean] => [name, data?.[name], true]);
  const found: [name: string, text: unknown, isMarkdown: boolean][] = [
    ['Markdown', markdown, true],
    ['Article', ofArticle, true],
    ...fields,
    ['Text', text, false],
    ['HTML', html, false],
  ];
  return found.flatMap(([name, value, isMarkdown]) =>
    typeof value === 'string' ? [{ name, text: value, isMarkdown }] : [],
  );
}
