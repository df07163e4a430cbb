/**
 * Characters without a shape: no width, marks of direction, and the tags and selectors in which messages are hidden. The first
 * group stays: the tags of a flag, the selector of an ideograph, and joiners in scripts and emoji with a need for them.
 */
const INVISIBLE =
  /(\u{1F3F4}[\u{E0020}-\u{E007E}]{1,8}\u{E007F}|\p{Ideographic}[\u{E0100}-\u{E01EF}]|[\p{M}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}\p{Extended_Pictographic}\p{Emoji_Modifier}][\u200C\u200D](?=[\p{L}\p{M}\p{Extended_Pictographic}]))|[\u115F\u1160\u180E\u200B-\u200F\u202A-\u202E\u2060-\u2064\u2066-\u206F\u3164\uFEFF\uFFA0\uFFF9-\uFFFB\u{E0000}-\u{E0FFF}]/gu;
/** A text without any of these has none, which is quick to see. */
const MAY_BE =
  /[\u115F\u1160\u180E\u200B-\u200F\u202A-\u202E\u2060-\u206F\u3164\uFEFF\uFFA0\uFFF9-\uFFFB\uDB40-\uDB43]/;

/** Returns the text without invisible characters. */
export function withoutInvisible(text: string): string {
  return MAY_BE.test(text) ? text.replace(INVISIBLE, '$1') : text;
}

/** Returns the number of UTF-16 units of invisible characters. */
export function countInvisible(text: string): number {
  return text.length - withoutInvisible(text).length;
}
