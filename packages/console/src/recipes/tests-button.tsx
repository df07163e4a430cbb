import type { TestResult } from '@gleaner/client';
import { Button, Modal } from '@mantine/core';
import { useState } from 'react';
import { gleaner } from '../api/gleaner.ts';
import { useChange } from '../api/use-change.ts';
import { ErrorPanel } from '../parts/feedback/error-panel.tsx';
import { StatusBadge } from '../parts/marks/status-badge.tsx';

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
            <TestOutcome key={result.name} result={result} />
          ))}
        </div>
      </Modal>
    </>
  );
}

/** Outcome of one test, with each difference. */
function TestOutcome({ result }: { readonly result: TestResult }) {
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
    </section>
  );
}
