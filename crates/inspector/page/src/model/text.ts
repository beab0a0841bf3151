// Texts of the program, such as names and values: they may contain anything.

/** Control characters, line ends, invisible characters, and those that change the direction of the text around them. */
const UNSAFE = /[\p{Cc}\u061C\u200B\u200E\u200F\u2028-\u202E\u2060-\u206F\uFEFF]/gu;

/** Returns a text with visible signs in place of characters that would hide or move others: `␊`, or `\u{202E}`. */
export function visible(text: string): string {
  return text.replace(UNSAFE, (character) => {
    const code = character.codePointAt(0)!;
    if (code < 0x20) return String.fromCodePoint(0x2400 + code);
    return code === 0x7f ? "␡" : `\\u{${code.toString(16).toUpperCase()}}`;
  });
}
