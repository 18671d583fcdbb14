/** One slip of the finger: more would suggest another word than the one that was meant. */
const MAX_EDITS = 2

/**
 * The word that was probably meant: the one that the fewest edits turn it into. Commander has the same for flags, but does
 * not export it.
 */
export function nearestWord(given: string, words: readonly string[]): string | undefined {
  const near = words
    .map((word) => ({ word, edits: editsBetween(given.toLowerCase(), word) }))
    .filter(({ word, edits }) => edits <= MAX_EDITS && edits < word.length / 2)
  return near.sort((one, other) => one.edits - other.edits)[0]?.word
}

/** Insertions, deletions, replacements, and swaps of neighbours (the optimal string alignment). */
function editsBetween(from: string, to: string): number {
  let before: number[] = []
  let row = Array.from({ length: to.length + 1 }, (_, column) => column)
  for (let line = 1; line <= from.length; line++) {
    const next = [line]
    for (let column = 1; column <= to.length; column++) {
      const isSame = from[line - 1] === to[column - 1]
      const isSwap = from[line - 1] === to[column - 2] && from[line - 2] === to[column - 1]
      next.push(
        Math.min(
          (next[column - 1] ?? 0) + 1,
          (row[column] ?? 0) + 1,
          (row[column - 1] ?? 0) + (isSame ? 0 : 1),
          isSwap ? (before[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
        ),
      )
    }
    before = row
    row = next
  }
  return row[to.length] ?? 0
}
