import type { TestResult } from '@gleaner/client';
import { Button, Modal } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { gleaner } from '../api/gleaner.ts';
import { useChange } from '../api/use-change.ts';
import { ErrorPanel } from '../parts/feedback/error-panel.tsx';
import { StatusBadge } from '../parts/marks/status-badge.tsx';
import styles from './recipes.module.css';

/** Runs the tests of a recipe, and shows why they are red. */
export function TestsButton({ id, name }: { readonly id: string; readonly name: string }) {
  const [isOpen, setOpen] = useState(false);
  const test = useChange({ key: 'recipes', change: () => gleaner.recipes.test(id) });
  const run = () => {
    setOpen(true);
    test.mutate();
  };
  return (
    <>
      <Button size="xs" variant="default" onClick={run} loading={test.isPending}>
        Test
      </Button>
      <Modal opened={isOpen} onClose={() => setOpen(false)} title={`Tests of ${name}`} size={720}>
        <div className="stack" aria-live="polite">
          {test.isPending && <p>Reading the pages…</p>}
          {test.error && <ErrorPanel error={test.error} />}
          {test.data?.results.map((result) => (
            <TestOutcome key={result.name} recipeId={id} result={result} />
          ))}
        </div>
      </Modal>
    </>
  );
}

/** Outcome of one test, with each difference. */
function TestOutcome({ recipeId, result }: { readonly recipeId: string; readonly result: TestResult }) {
  const { name, passed, differences, error } = result;
  return (
    <section className="stack-tight" aria-label={name}>
      <span className="row">
        <StatusBadge status={passed ? 'green' : 'red'} />
        <strong>{name}</strong>
      </span>
      {error && <p>{error.message}</p>}
      {differences.length > 0 && (
        <ul>
          {differences.map(({ path, expected, actual }) => (
            <li key={path}>
              <code>{path}</code> is <code>{actual ?? 'not there'}</code>, not <code>{expected}</code>
            </li>
          ))}
        </ul>
      )}
      {!passed && <TestPage recipeId={recipeId} name={name} />}
    </section>
  );
}

/** The source of the page of a test, once it is asked for. */
function TestPage({ recipeId, name }: { readonly recipeId: string; readonly name: string }) {
  const [isOpen, setOpen] = useState(false);
  const { data, error, isPending } = useQuery({
    queryKey: ['recipes', recipeId, 'page', name],
    queryFn: async ({ signal }) => {
      const { tests } = await gleaner.recipes.get(recipeId, { signal });
      const test = tests.find((each) => each.name === name);
      if (!test) throw new Error('The recipe has no such test any more.');
      return await gleaner.recipes.page(test.page, { signal });
    },
    enabled: isOpen,
  });
  return (
    <details onToggle={({ currentTarget: { open } }) => setOpen(open)}>
      <summary>The page</summary>
      {isOpen && isPending && <p>Reading the page…</p>}
      {error && <ErrorPanel error={error} />}
      {data !== undefined && (
        <section
          className={styles.page}
          aria-label={`Source of the page of ${name}`}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard has to reach it.
          tabIndex={0}
        >
          <pre>{data}</pre>
        </section>
      )}
    </details>
  );
}
