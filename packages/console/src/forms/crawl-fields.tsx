import { ActionIcon, Button, Checkbox, NativeSelect, TextInput } from '@mantine/core';
import { Icon } from '../parts/marks/icons.tsx';
import styles from './forms.module.css';
import { JsonOption, OptionFields } from './option-fields.tsx';
import { bindTo } from './problems.ts';
import { useOpenApi } from './use-openapi.ts';

/** Options that most crawls need, in the order in which people think of them. */
const COMMON = ['limit', 'maxDepth', 'scope', 'include', 'exclude', 'sitemap'];
const PACE = ['concurrency', 'delay', 'maxCredits'];

type Options = Readonly<Record<string, unknown>>;
type Rule = Readonly<Record<string, unknown>>;

/** Edits the options of a crawl: fields for the common ones, and the JSON of all of them. */
export function CrawlFields(props: {
  /** Schema of the request, such as `CreateJobRequest`. */
  readonly schema: string;
  readonly crawl: unknown;
  readonly error: unknown;
  onChange(crawl: Options): void;
}) {
  const { error, onChange } = props;
  const { data: openApi } = useOpenApi();
  const schema = openApi?.components.schemas[props.schema]?.properties?.crawl;
  const crawl = optionsOf(props.crawl);
  const shared = { schema, path: 'crawl', values: crawl, error, onChange };
  return (
    <fieldset className={styles.crawl}>
      <legend>Options of the crawl</legend>
      <div className={styles.pairs}>
        <OptionFields {...shared} only={COMMON} />
      </div>
      <Rules
        rules={Array.isArray(crawl.rules) ? (crawl.rules as Rule[]) : []}
        error={error}
        onChange={(rules) => onChange({ ...crawl, rules: rules.length > 0 ? rules : undefined })}
      />
      <details className={styles.details}>
        <summary>Pace and limits</summary>
        <div className={styles.pairs}>
          <OptionFields {...shared} only={PACE} />
        </div>
      </details>
      <details className={styles.details}>
        <summary>All options as JSON</summary>
        <JsonOption
          label="Crawl (JSON)"
          schema={{
            description: 'Every option of a crawl, such as ignoreQuery, maxDuration or selectors of a rule.',
          }}
          value={crawlOf(crawl)}
          problem={undefined}
          rows={8}
          onChange={(value) => onChange(optionsOf(value))}
        />
      </details>
    </fieldset>
  );
}

/** Returns the options of a crawl that are set, as a request has them. */
export function crawlOf(crawl: unknown): Options {
  const set = Object.entries(optionsOf(crawl)).flatMap(([name, value]): [string, unknown][] => {
    if (value === undefined || value === '' || value === false) return [];
    if (!Array.isArray(value)) return [[name, value]];
    const entries = value.filter((each) => typeof each !== 'string' || each.trim() !== '');
    return entries.length > 0 ? [[name, entries]] : [];
  });
  return Object.fromEntries(set);
}

function optionsOf(value: unknown): Options {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Options) : {};
}

/** The rules: which pages have results, and which of their links are followed. */
function Rules(props: {
  readonly rules: readonly Rule[];
  readonly error: unknown;
  onChange(rules: readonly Rule[]): void;
}) {
  const { rules, error, onChange } = props;
  const change = (at: number, part: Rule) =>
    onChange(rules.map((rule, index) => (index === at ? withoutUnset({ ...rule, ...part }) : rule)));
  return (
    <fieldset className={styles.group}>
      <legend>Rules</legend>
      <p className="muted small">
        The first rule that matches the URL of a page decides about it. Pages that no rule matches are kept,
        and all their links are followed.
      </p>
      {rules.map((rule, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rules have no other identity.
        <fieldset key={index} className={styles.rule} aria-label={`Rule ${index + 1}`}>
          <TextInput
            label="URLs that match"
            placeholder="/products/**"
            {...bindTo(error)(
              `crawl.rules.${index}`,
              typeof rule.match === 'string' ? rule.match : JSON.stringify(rule.match ?? ''),
              (text) => change(index, { match: text }),
            )}
            readOnly={typeof rule.match === 'object'}
            size="xs"
            classNames={{ input: 'mono' }}
          />
          <NativeSelect
            label="Follow"
            data={FOLLOWS}
            value={followOf(rule)}
            onChange={(event) => change(index, { follow: FOLLOW_VALUES[event.currentTarget.value] })}
            size="xs"
          />
          <ActionIcon
            aria-label={`Remove rule ${index + 1}`}
            onClick={() => onChange(rules.filter((_, at) => at !== index))}
          >
            <Icon name="close" size={15} />
          </ActionIcon>
          {Array.isArray(rule.follow) && (
            <TextInput
              label="Links in"
              placeholder=".card a"
              value={rule.follow.join(', ')}
              onChange={(event) => change(index, { follow: [event.currentTarget.value] })}
              size="xs"
              classNames={{ input: 'mono' }}
            />
          )}
          <TextInput
            label="Link to the next page"
            placeholder="a.next"
            value={String(rule.next ?? '')}
            onChange={(event) => change(index, { next: event.currentTarget.value || undefined })}
            size="xs"
            classNames={{ input: 'mono' }}
          />
          <Checkbox
            label="Keep a result"
            checked={rule.keep !== false}
            onChange={(event) => change(index, { keep: event.currentTarget.checked ? undefined : false })}
            size="xs"
          />
          {hasFields(rule) && (
            <p className="muted small">
              With fields of its own: {Object.keys(rule.selectors as object).join(', ')}.
            </p>
          )}
        </fieldset>
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
