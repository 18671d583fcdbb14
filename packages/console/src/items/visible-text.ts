/**
 * Characters that are not seen, or that change the direction of the text after them: controls, and the marks of Unicode's
 * bidirectional algorithm. Joiners are left alone, because emoji and scripts need them.
 */
const UNSEEN = /[\p{Control}\u061c\u200b\u200e\u200f\u2028-\u202e\u2060\u2066-\u2069\ufeff]/gu

const ESCAPES: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/** A value in one line whose every character can be seen. Spaces at its ends are seen between quotes. */
export function visibleText(value: string): string {
  const text = value.replace(UNSEEN, escapeOf)
  return text === '' || text !== text.trim() ? `"${text}"` : text
}

function escapeOf(character: string): string {
  return ESCAPES[character] ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
