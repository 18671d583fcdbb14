/** The largest request that can put an item has this size, so a longer line has no item that a table could hold. */
const MAX_LINE_BYTES = 16 * 1024 * 1024

const NEWLINE = 0x0a

/** A line without its end. `undefined` when it is too long. */
export type ObjectLine = Buffer | undefined

/** The lines of an object: in one list those that end within one piece of it. Bounded, whatever the object contains. */
export async function* objectLines(
  pieces: AsyncIterable<Buffer>,
  maxBytes = MAX_LINE_BYTES,
): AsyncGenerator<readonly ObjectLine[]> {
  let begun: Buffer[] = []
  let bytes = 0
  const add = (part: Buffer) => {
    bytes += part.length
    if (bytes > maxBytes) begun = []
    else if (part.length > 0) begun.push(part)
  }
  const end = (): ObjectLine => {
    const [only] = begun
    const line = bytes > maxBytes ? undefined : begun.length === 1 ? only : Buffer.concat(begun)
    begun = []
    bytes = 0
    return line
  }
  for await (const piece of pieces) {
    const lines: ObjectLine[] = []
    let from = 0
    for (let at = piece.indexOf(NEWLINE); at >= 0; at = piece.indexOf(NEWLINE, from)) {
      add(piece.subarray(from, at))
      lines.push(end())
      from = at + 1
    }
    add(piece.subarray(from))
    yield lines
  }
  if (bytes > 0) yield [end()]
}
