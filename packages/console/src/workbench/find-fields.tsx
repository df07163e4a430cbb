import type { BodyOf, ResultOf } from '@gleaner/client';
import { Button, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { gleaner } from '../api/gleaner.ts';
import { ErrorPanel } from '../parts/feedback/error-panel.tsx';
import type { Selectors } from './draft/draft.ts';
import { NOTHING_WANTED, schemaOf } from './draft/wanted-fields.ts';
import styles from './workbench.module.css';

type Proposal = NonNullable<ResultOf<'suggestSelectors'>['proposal']>;
type Schema = NonNullable<BodyOf<'suggestSelectors'>['schema']>;

/** Fields by their names: a model finds their values once, and selectors for these come into the draft. */
export function FindFields(props: {
  readonly snapshotId: string;
  /** Snapshots of the same kind, on which the selectors are tested. */
  readonly alsoOn: readonly string[];
  readonly locale: string | undefined;
  onFound(selectors: Selectors): void;
}) {
  const { snapshotId, alsoOn, locale, onFound } = props;
  const [wanted, setWanted] = useState(NOTHING_WANTED);
  const find = useMutation({
    mutationFn: (schema: object) => {
      const on = { ...(alsoOn.length > 0 && { alsoOn: [...alsoOn] }), ...(locale && { locale }) };
      return gleaner.snapshots.propose(snapshotId, { schema: schema as Schema, ...on });
    },
    onSuccess: ({ selectors }) => onFound(selectors as Selectors),
  });
  const { data: proposal, error, isPending } = find;
  const schema = schemaOf(wanted);
  return (
    <details className={styles.options}>
      <summary>Have a model find the fields</summary>
      <form
        className="stack-tight"
        aria-label="Fields to find"
        onSubmit={(event) => {
          event.preventDefault();
          if (schema) find.mutate(schema);
        }}
      >
        <TextInput
          label="Values of the page"
          placeholder="title, author: who wrote it"
          value={wanted.page}
          onChange={({ currentTarget: { value: page } }) => setWanted((now) => ({ ...now, page }))}
          size="xs"
        />
        <TextInput
          label="Values of each item of a list"
          placeholder="name, price: number"
          value={wanted.item}
          onChange={({ currentTarget: { value: item } }) => setWanted((now) => ({ ...now, item }))}
          size="xs"
        />
        <div className="row">
          <Button type="submit" variant="default" size="xs" loading={isPending} disabled={!schema}>
            Find
          </Button>
          <span className="muted small">Costs the price of the model, once.</span>
        </div>
      </form>
      <div aria-live="polite">
        {error && !isPending ? <ErrorPanel error={error} /> : null}
        {proposal && !isPending && <Found proposal={proposal} />}
      </div>
    </details>
  );
}

/** The outcome of a search for fields. */
function Found({ proposal: { selectors, unsolved, credits } }: { readonly proposal: Proposal }) {
  const found = Object.keys(selectors);
  return (
    <>
      <p className="small">
        {found.length > 0 ? `Selectors for ${found.join(', ')}` : 'No selectors'}, for {credits}{' '}
        {credits === 1 ? 'credit' : 'credits'}.
      </p>
      <ul className="small">
        {unsolved.map(({ field, message }) => (
          <li key={field}>
            <b>{field}</b>: {message}
          </li>
        ))}
      </ul>
    </>
  );
}
