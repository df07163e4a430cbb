import { CrawlRules, type Rule } from './crawl-rules.tsx';
import styles from './forms.module.css';
import { JsonOption, OptionFields } from './option-fields.tsx';
import { useOpenApi } from './use-openapi.ts';

/** Options of most crawls, in a natural order. */
const COMMON = ['limit', 'maxDepth', 'scope', 'include', 'exclude', 'sitemap'];
const PACE = ['concurrency', 'delay', 'maxCredits'];

type Options = Readonly<Record<string, unknown>>;

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
      <CrawlRules
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
