import { describeCondition, type Schedule } from '@gleaner/client';
import { ActionIcon, Button, Checkbox, Modal, NativeSelect, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useId, useState } from 'react';
import { CHANNELS } from '../api/channels.ts';
import { gleaner } from '../api/gleaner.ts';
import { useChange } from '../api/use-change.ts';
import { CreateForm } from '../forms/create-form.tsx';
import styles from '../forms/forms.module.css';
import { bindTo, problemAt } from '../forms/problems.ts';
import { Icon } from '../parts/marks/icons.tsx';
import {
  type Clause,
  draftOf,
  fieldNamesOf,
  isComplete,
  NEW_CLAUSE,
  NEW_RULE,
  type Rule,
  type RuleDraft,
  ruleOf,
  VERBS,
  type Verb,
} from './rule-draft.ts';

/** A form for one rule, which reads as a sentence: tell these channels when these fields do that. */
export function RuleDialog(props: {
  readonly schedule: Schedule;
  /** The rule to change; a new one without it. */
  readonly rule?: Rule | undefined;
  onClose(): void;
}) {
  const { schedule, rule, onClose } = props;
  const { id, notify = [], selectors } = schedule;
  const [draft, setDraft] = useState<RuleDraft>((rule && draftOf(rule)) ?? NEW_RULE);
  const place = rule ? notify.findIndex(({ name }) => name === rule.name) : notify.length;
  const save = useChange({
    key: 'schedules',
    change: () => gleaner.schedules.update(id, { notify: notify.toSpliced(place, 1, ruleOf(draft)) }),
    onDone: onClose,
  });
  const change = (part: Partial<RuleDraft>) => setDraft({ ...draft, ...part });
  const at = `notify.${place}`;
  const bind = bindTo(save.error);
  return (
    <Modal opened onClose={onClose} title={rule ? 'Change the rule' : 'New rule'} size="lg">
      <CreateForm
        label={rule ? 'Change the rule' : 'New rule'}
        submit={rule ? 'Save the rule' : 'Add the rule'}
        look="dialog"
        create={save}
        isComplete={isComplete(draft)}
      >
        <TextInput
          label="Name"
          placeholder="Cheap books"
          {...bind(`${at}.name`, draft.name, (name) => change({ name }))}
          data-autofocus
        />
        <ChannelsField
          to={draft.to}
          error={problemAt(save.error, `${at}.to`)}
          onChange={(to) => change({ to })}
        />
        <Conditions draft={draft} selectors={selectors} change={change} />
        <OftenFields draft={draft} change={change} />
        {isComplete(draft) && (
          <p className="muted small">Tells when {describeCondition(ruleOf(draft).when)}.</p>
        )}
      </CreateForm>
    </Modal>
  );
}

/** The channels to tell. */
function ChannelsField(props: {
  readonly to: readonly string[];
  readonly error: string | undefined;
  onChange(to: readonly string[]): void;
}) {
  const { to, error, onChange } = props;
  const { data = [], isSuccess } = useQuery(CHANNELS);
  return (
    <fieldset className={styles.group}>
      <legend>Tell</legend>
      {isSuccess && data.length === 0 && (
        <p className="small">
          There is no channel yet: <Link to="/channels">add one</Link> first.
        </p>
      )}
      {data.map(({ id, name }) => (
        <Checkbox
          key={id}
          label={name}
          checked={to.includes(id)}
          onChange={({ currentTarget: { checked } }) =>
            onChange(checked ? [...to, id] : to.filter((each) => each !== id))
          }
        />
      ))}
      {error && <p className="small">{error}</p>}
    </fieldset>
  );
}

/** The conditions of a rule, and how they are joined. */
function Conditions(props: {
  readonly draft: RuleDraft;
  readonly selectors: Schedule['selectors'] | undefined;
  change(part: Partial<RuleDraft>): void;
}) {
  const { draft, selectors, change } = props;
  const { clauses, joint } = draft;
  const isOne = clauses.length === 1;
  return (
    <fieldset className={styles.group}>
      <legend>When</legend>
      {clauses.map((clause, index) => (
        <ClauseFields
          // biome-ignore lint/suspicious/noArrayIndexKey: clauses have no other identity.
          key={index}
          clause={clause}
          label={`Condition ${index + 1}`}
          names={fieldNamesOf(selectors, clause.verb)}
          onChange={(next) => change({ clauses: clauses.with(index, next) })}
          onRemove={isOne ? undefined : () => change({ clauses: clauses.toSpliced(index, 1) })}
        />
      ))}
      {!isOne && (
        <NativeSelect
          aria-label="Number of conditions that must hold"
          data={JOINTS}
          value={joint}
          onChange={({ currentTarget: { value } }) => change({ joint: value as RuleDraft['joint'] })}
          size="xs"
        />
      )}
      <Button
        size="compact-sm"
        variant="subtle"
        leftSection={<Icon name="plus" size={14} />}
        onClick={() => change({ clauses: [...clauses, NEW_CLAUSE] })}
        style={{ alignSelf: 'flex-start' }}
      >
        Add a condition
      </Button>
    </fieldset>
  );
}

const JOINTS = [
  { value: 'all', label: 'all of these hold' },
  { value: 'any', label: 'any of these holds' },
];

/** One condition: a field, what it does, and the value if there is one. */
function ClauseFields(props: {
  readonly clause: Clause;
  readonly label: string;
  readonly names: readonly string[];
  onChange(clause: Clause): void;
  readonly onRemove: (() => void) | undefined;
}) {
  const { clause, label, names, onChange, onRemove } = props;
  const verb = VERBS[clause.verb];
  const listId = useId();
  return (
    <fieldset className={styles.clause} aria-label={label}>
      <TextInput
        aria-label="Field"
        placeholder={names[0] ?? 'price.amount'}
        value={clause.field}
        onChange={({ currentTarget: { value } }) => onChange({ ...clause, field: value })}
        list={listId}
        size="xs"
      />
      <datalist id={listId}>
        {names.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <NativeSelect
        aria-label="What it does"
        data={VERB_CHOICES}
        value={clause.verb}
        onChange={({ currentTarget: { value } }) => onChange({ ...clause, verb: value as Verb })}
        size="xs"
      />
      {'example' in verb ? (
        <TextInput
          aria-label="Value"
          placeholder={verb.example}
          value={clause.value}
          onChange={({ currentTarget: { value } }) => onChange({ ...clause, value })}
          size="xs"
        />
      ) : (
        <span />
      )}
      {onRemove && (
        <ActionIcon aria-label={`Remove ${label.toLowerCase()}`} onClick={onRemove}>
          <Icon name="close" size={15} />
        </ActionIcon>
      )}
    </fieldset>
  );
}

const VERB_CHOICES = Object.entries(VERBS).map(([value, { words }]) => ({ value, label: words }));

/** Frequency of the messages of a rule. */
function OftenFields(props: { readonly draft: RuleDraft; change(part: Partial<RuleDraft>): void }) {
  const { draft, change } = props;
  return (
    <>
      <NativeSelect
        label="How often"
        data={OFTEN}
        value={draft.often}
        onChange={({ currentTarget: { value } }) => change({ often: value as RuleDraft['often'] })}
      />
      <TextInput
        label="At most every so many minutes for the same record"
        description="May be empty."
        inputMode="numeric"
        value={draft.cooldown}
        onChange={({ currentTarget: { value } }) => change({ cooldown: value.replace(/[^\d.]/g, '') })}
      />
      <TextInput
        label="Collect for so many minutes, and tell of all at once"
        description="May be empty."
        inputMode="numeric"
        value={draft.digest}
        onChange={({ currentTarget: { value } }) => change({ digest: value.replace(/[^\d.]/g, '') })}
      />
      <TextInput
        label="Further runs that must find the same"
        description="They are started for it, and cost what runs cost. May be empty."
        inputMode="numeric"
        value={draft.confirm}
        onChange={({ currentTarget: { value } }) => change({ confirm: value.replace(/\D/g, '') })}
      />
      <Checkbox
        label="Tell also what holds in the first run"
        checked={draft.initial}
        onChange={({ currentTarget: { checked } }) => change({ initial: checked })}
      />
    </>
  );
}

const OFTEN = [
  { value: 'once', label: 'once, when it becomes true' },
  { value: 'every', label: 'at every run while it is true' },
];
