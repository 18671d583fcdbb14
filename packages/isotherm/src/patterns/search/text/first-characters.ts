/** The first characters of a text, by code points, so that no surrogate pair is cut. */
export function firstCharacters(text: string, count: number): string {
  // A character has one or two units.
  if (text.length <= count) return text
  return Array.from(text.slice(0, 2 * count))
    .slice(0, count)
    .join('')
}
