import { normalizePath, type Robots, type RobotsRule } from './parse-robots.ts';

/** Returns true if the crawler may fetch the URL. */
export type RobotsMatcher = (url: URL) => boolean;

/** Number of rules with `*` or `$` to compare: the longest ones, which decide first. */
const MAX_WILDCARDS = 5000;

/**
 * Compiles rules into a matcher. The longest matching pattern decides, and of two equally long ones the `allow`
 * (RFC 9309, section 2.2.2). Literal patterns are found by bisection; each pattern with wildcards costs time linear in
 * the path.
 */
export function compileRobots({ rules }: Pick<Robots, 'rules'>): RobotsMatcher {
  const literals = indexLiterals(rules.filter(({ pattern }) => !hasWildcard(pattern)));
  const wildcards = rules
    .filter(({ pattern }) => hasWildcard(pattern))
    .toSorted(byPriority)
    .slice(0, MAX_WILDCARDS)
    .map(compileWildcard);
  return ({ pathname, search }) => {
    const path = normalizePath(pathname + search);
    // The file itself can always be fetched.
    if (path === '/robots.txt') return true;
    const literal = findLiteral(path, literals);
    const wildcard = wildcards.find(
      (candidate) => (!literal || byPriority(candidate.rule, literal) < 0) && candidate.matches(path),
    );
    return (wildcard?.rule ?? literal)?.isAllowed ?? true;
  };
}

function hasWildcard(pattern: string): boolean {
  return pattern.includes('*') || pattern.endsWith('$');
}

/** Orders rules by precedence: the first match decides. */
function byPriority(one: RobotsRule, other: RobotsRule): number {
  return other.pattern.length - one.pattern.length || Number(other.isAllowed) - Number(one.isAllowed);
}

/** A literal rule, and the longest other rule whose pattern begins its own. */
interface Literal {
  readonly rule: RobotsRule;
  readonly shorter: Literal | undefined;
}

/** Returns the rules in ascending order of their patterns, each pattern once: an `allow` wins over a `disallow`. */
function indexLiterals(rules: readonly RobotsRule[]): readonly Literal[] {
  const byPattern = new Map<string, RobotsRule>();
  for (const rule of rules) {
    if (rule.isAllowed || !byPattern.has(rule.pattern)) byPattern.set(rule.pattern, rule);
  }
  const ordered = [...byPattern.values()].toSorted((one, other) => (one.pattern < other.pattern ? -1 : 1));
  let latest: Literal | undefined;
  return ordered.map((rule) => {
    let shorter = latest;
    while (shorter && !rule.pattern.startsWith(shorter.rule.pattern)) shorter = shorter.shorter;
    latest = { rule, shorter };
    return latest;
  });
}

/** Returns the rule with the longest pattern that begins the path. */
function findLiteral(path: string, literals: readonly Literal[]): RobotsRule | undefined {
  let [low, high] = [0, literals.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((literals[middle] as Literal).rule.pattern <= path) low = middle + 1;
    else high = middle;
  }
  // Each pattern that begins the path also begins the last pattern that is not greater than the path.
  let candidate = literals[low - 1];
  while (candidate && !path.startsWith(candidate.rule.pattern)) candidate = candidate.shorter;
  return candidate?.rule;
}

interface Wildcard {
  readonly rule: RobotsRule;
  readonly matches: (path: string) => boolean;
}

/** Compiles a pattern: `*` matches any characters, `$` at its end the end of the path. */
function compileWildcard(rule: RobotsRule): Wildcard {
  const isAnchored = rule.pattern.endsWith('$');
  const [head = '', ...parts] = rule.pattern.slice(0, isAnchored ? -1 : undefined).split('*');
  const tail = isAnchored ? parts.pop() : undefined;
  return {
    rule,
    matches: (path) => {
      if (isAnchored && tail === undefined) return path === head;
      if (!path.startsWith(head)) return false;
      let from = head.length;
      for (const part of parts) {
        // The earliest match leaves the most for the later parts.
        const at = path.indexOf(part, from);
        if (at < 0) return false;
        from = at + part.length;
      }
      return tail === undefined || (path.length - tail.length >= from && path.endsWith(tail));
    },
  };
}
