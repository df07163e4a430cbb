const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const JOB_ID = /^job_([0-7][0-9a-hjkmnp-tv-z]{25})$/;
const UUID = /^([0-9a-f]{8})-([0-9a-f]{4})-([0-9a-f]{4})-([0-9a-f]{4})-([0-9a-f]{12})$/i;

/** Returns the id of a job as Firecrawl's clients expect it: the 128 bits of its ULID, written as a UUID. */
export function firecrawlIdOf(jobId: string): string {
  const [, ulid] = JOB_ID.exec(jobId) ?? [];
  if (ulid === undefined) return jobId;
  let bits = 0n;
  for (const character of ulid) bits = bits * 32n + BigInt(ALPHABET.indexOf(character));
  const hex = bits.toString(16).padStart(32, '0');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** Returns the id of the job that a UUID stands for; another text is returned as it is, and names no job unless it is an id. */
export function jobIdOfFirecrawl(id: string): string {
  const [, ...parts] = UUID.exec(id) ?? [];
  if (parts.length === 0) return id;
  let bits = BigInt(`0x${parts.join('')}`);
  let ulid = '';
  for (let index = 0; index < 26; index++) {
    ulid = ALPHABET.charAt(Number(bits % 32n)) + ulid;
    bits /= 32n;
  }
  return `job_${ulid}`;
}
