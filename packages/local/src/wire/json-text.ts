import { crc32 } from 'node:zlib'

/** How deep the lists of items are in responses: `Responses`, a table, its items. Each item is printed at once. */
const MAX_DEPTH = 3

/** Elements of a list that are printed at once. A list of 400 KB can have 100,000, whose JSON has 1.3 MB. */
const ELEMENTS = 8_192

/** Printing a piece of this length takes about a millisecond. */
const PIECE_CHARACTERS = 256 * 1024

/** A body in pieces of UTF-8. */
export interface PiecesOfText {
  readonly pieces: readonly Buffer[]
  readonly bytes: number
  /** Of all pieces together. */
  readonly checksum: number
}

/**
 * Prints a response as `JSON.stringify` does, in steps of about a piece, or of one attribute if that is larger. A transaction may
 * return a hundred items of 400 KB, whose JSON has 130 MB.
 *
 * @returns the text, or pieces of it if it is long.
 */
export function* printInSteps(response: object): Generator<undefined, string | PiecesOfText, undefined> {
  const text = new LongText()
  yield* print(response, MAX_DEPTH, text)
  return text.end()
}

function* print(value: object, depth: number, text: LongText): Generator<undefined, void, undefined> {
  const isList = Array.isArray(value)
  let before = isList ? '[' : '{'
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined) continue
    text.add(isList ? before : `${before}${JSON.stringify(name)}:`)
    before = ','
    if (depth > 1 && typeof member === 'object' && member !== null) yield* print(member, depth - 1, text)
    else if (hasLongList(member)) yield* printItem(member, text)
    else text.add(JSON.stringify(member))
    if (text.cut()) yield
  }
  if (before === ',') text.add(isList ? ']' : '}')
  else text.add(isList ? '[]' : '{}')
}

/** An item. */
interface LongItem {
  readonly [name: string]: { readonly L?: unknown } | undefined
}

function hasLongList(value: unknown): value is LongItem {
  if (typeof value !== 'object' || value === null) return false
  for (const name in value) if (longListOf((value as LongItem)[name]) !== undefined) return true
  return false
}

function longListOf(value: LongItem[string]): readonly unknown[] | undefined {
  const list = value?.L
  return Array.isArray(list) && list.length > ELEMENTS ? list : undefined
}

function* printItem(item: LongItem, text: LongText): Generator<undefined, void, undefined> {
  let before = '{'
  for (const [name, value] of Object.entries(item)) {
    if (value === undefined) continue
    text.add(`${before}${JSON.stringify(name)}:`)
    before = ','
    const list = longListOf(value)
    if (list === undefined) text.add(JSON.stringify(value))
    else yield* printList(list, text)
    if (text.cut()) yield
  }
  text.add('}')
}

function* printList(list: readonly unknown[], text: LongText): Generator<undefined, void, undefined> {
  text.add('{"L":[')
  for (let from = 0; from < list.length; from += ELEMENTS) {
    const part = JSON.stringify(list.slice(from, from + ELEMENTS))
    text.add(`${from === 0 ? '' : ','}${part.slice(1, -1)}`)
    if (text.cut()) yield
  }
  text.add(']}')
}

class LongText {
  readonly #pieces: Buffer[] = []
  #bytes = 0
  #checksum = 0
  #text = ''

  add(text: string): void {
    this.#text += text
  }

  /** Makes a piece of what was added, if that is long enough. */
  cut(): boolean {
    if (this.#text.length < PIECE_CHARACTERS) return false
    const piece = Buffer.from(this.#text)
    this.#pieces.push(piece)
    this.#bytes += piece.length
    this.#checksum = crc32(piece, this.#checksum)
    this.#text = ''
    return true
  }

  end(): string | PiecesOfText {
    if (this.#pieces.length === 0) return this.#text
    const piece = Buffer.from(this.#text)
    return {
      pieces: [...this.#pieces, piece],
      bytes: this.#bytes + piece.length,
      checksum: crc32(piece, this.#checksum),
    }
  }
}
