/** One slip of the finger: more would suggest another name than the one that was meant. */
const MAX_EDITS = 2
/** No option has a longer name, and the work grows with the length. */
const MAX_CHARACTERS = 64

/** The name that was probably meant: the one that the fewest edits turn it into. `undefined` when none is near. */
export function nearestName(given: string, names: readonly string[]): string | undefined {
  if (given.length > MAX_CHARACTERS) return undefined
  const near = names
    .map((name) => ({ name, edits: editsBetween(given.toLowerCase(), name.toLowerCase()) }))
    .filter(({ name, edits }) => edits <= MAX_EDITS && edits < name.length / 2)
  return near.sort((one, other) => one.edits - other.edits)[0]?.name
}

/** Insertions, deletions and replacements. A swap of neighbours is two of them, which is near enough. */
function editsBetween(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, column) => column)
  for (const [line, letter] of [...from].entries()) {
    const next = [line + 1]
    for (const [column, other] of [...to].entries()) {
      const replaced = (row[column] ?? 0) + (letter === other ? 0 : 1)
      next.push(Math.min(replaced, (next[column] ?? 0) + 1, (row[column + 1] ?? 0) + 1))
    }
    row = next
  }
  return row.at(-1) ?? 0
}
