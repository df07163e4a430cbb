import { ActionIcon, Button, Checkbox, NativeSelect, TextInput } from '@mantine/core';
import { Icon } from '../parts/marks/icons.tsx';
import styles from './forms.module.css';
import { bindTo } from './problems.ts';

/** A rule of a crawl as requests hold it. */
export type Rule = Readonly<Record<string, unknown>>;

/** The rules for results and links of pages. */
export function CrawlRules(props: {
  readonly rules: readonly Rule[];
  readonly error: unknown;
  onChange(rules: readonly Rule[]): void;
}) {
  const { rules, error, onChange } = props;
  return (
    <fieldset className={styles.group}>
      <legend>Rules</legend>
      <p className="muted small">
        The first rule that matches the URL of a page decides about it. Pages that no rule matches are kept,
        and all their links are followed.
      </p>
      {rules.map((rule, index) => (
        <RuleFields
          // biome-ignore lint/suspicious/noArrayIndexKey: rules have no other identity.
          key={index}
          rule={rule}
          index={index}
          error={error}
          onChange={(next) => onChange(rules.map((each, at) => (at === index ? next : each)))}
          onRemove={() => onChange(rules.filter((_, at) => at !== index))}
        />
      ))}
      <Button
        size="compact-sm"
        variant="subtle"
        leftSection={<Icon name="plus" size={14} />}
        onClick={() => onChange([...rules, { match: '' }])}
        style={{ alignSelf: 'flex-start' }}
      >
        Add a rule
      </Button>
    </fieldset>
  );
}

/** Look of a field for a pattern or a selector. */
const MONO = { size: 'xs', classNames: { input: 'mono' } } as const;

/** Edits one rule: the URLs it is for, and what becomes of their links and results. */
function RuleFields(props: {
  readonly rule: Rule;
  readonly index: number;
  readonly error: unknown;
  onChange(rule: Rule): void;
  onRemove(): void;
}) {
  const { rule, index, error, onChange, onRemove } = props;
  const change = (part: Rule) => onChange(withoutUnset({ ...rule, ...part }));
  const match = typeof rule.match === 'string' ? rule.match : JSON.stringify(rule.match ?? '');
  return (
    <fieldset className={styles.rule} aria-label={`Rule ${index + 1}`}>
      <TextInput
        label="URLs that match"
        placeholder="/products/**"
        {...bindTo(error)(`crawl.rules.${index}`, match, (text) => change({ match: text }))}
        readOnly={typeof rule.match === 'object'}
        {...MONO}
      />
      <NativeSelect
        label="Follow"
        data={FOLLOWS}
        value={followOf(rule)}
        onChange={(event) => change({ follow: FOLLOW_VALUES[event.currentTarget.value] })}
        size="xs"
      />
      <ActionIcon aria-label={`Remove rule ${index + 1}`} onClick={onRemove}>
        <Icon name="close" size={15} />
      </ActionIcon>
      {Array.isArray(rule.follow) && (
        <TextInput
          label="Links in"
          placeholder=".card a"
          value={rule.follow.join(', ')}
          onChange={(event) => change({ follow: [event.currentTarget.value] })}
          {...MONO}
        />
      )}
      <TextInput
        label="Link to the next page"
        placeholder="a.next"
        value={String(rule.next ?? '')}
        onChange={(event) => change({ next: event.currentTarget.value || undefined })}
        {...MONO}
      />
      <Checkbox
        label="Keep a result"
        checked={rule.keep !== false}
        onChange={(event) => change({ keep: event.currentTarget.checked ? undefined : false })}
        size="xs"
      />
      {hasFields(rule) && (
        <p className="muted small">
          With fields of its own: {Object.keys(rule.selectors as object).join(', ')}.
        </p>
      )}
    </fieldset>
  );
}

const FOLLOWS = [
  { value: 'all', label: 'all links' },
  { value: 'none', label: 'no links' },
  { value: 'some', label: 'some links' },
];
const FOLLOW_VALUES: Readonly<Record<string, unknown>> = { all: undefined, none: false, some: [''] };

function followOf({ follow }: Rule): string {
  return Array.isArray(follow) ? 'some' : follow === false ? 'none' : 'all';
}

function hasFields({ selectors }: Rule): boolean {
  return typeof selectors === 'object' && selectors !== null && Object.keys(selectors).length > 0;
}

function withoutUnset(rule: Rule): Rule {
  return Object.fromEntries(Object.entries(rule).filter(([, value]) => value !== undefined));
}
