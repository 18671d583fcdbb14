import { isUtf8 } from 'node:buffer'
import { MAX_ITEM_BYTES } from '@isotherm/semantics'
import { serializationException, validationException } from '../errors/service-error.js'
import { BYTE_ORDER_MARK, MAX_JSON_DEPTH } from './json-body.js'
import {
  CLOSE_LIST,
  CLOSE_STRUCTURE,
  COLON,
  COMMA,
  endOfText,
  endOfTextPiece,
  endOfValue,
  OPEN_LIST,
  OPEN_STRUCTURE,
  QUOTE,
  skipSpace,
} from './json-extent.js'

/** Parsing a piece takes about a millisecond. */
const PIECE_BYTES = 64 * 1024

/** A text is one value, however long it is, so its pieces may be longer. White space, too, is skipped in such pieces. */
const TEXT_PIECES = 8

/**
 * No item has more members in one structure: so many different names have three bytes on average, and each value at least
 * one. Listing the names of a larger structure takes longer than anything else that a request may need.
 */
const MAX_MEMBERS = Math.ceil(MAX_ITEM_BYTES / 4) + 20_000

type Structure = { [name: string]: unknown }
type Steps<Result> = Generator<undefined, Result, undefined>

/**
 * Parses a request's body as `parseJsonBody` does, in steps. Each one parses a piece natively: a value, as many
 * members of a larger list or structure as fit, or a part of a long text. Between steps the caller can do something else.
 *
 * Rejected: a parser in a thread of its own. Copying a million values from there takes longer than parsing them.
 *
 * @param pieceBytes smaller in tests.
 * @throws ServiceError SerializationException, as `parseJsonBody` does, or ValidationException for a structure with more
 * members than any item has.
 */
export function* parseInPieces(body: Buffer, pieceBytes = PIECE_BYTES): Steps<unknown> {
  try {
    if (!isUtf8(body)) throw new SyntaxError('not UTF-8')
    const hasMark = BYTE_ORDER_MARK.every((byte, index) => body[index] === byte)
    return yield* new PieceParser(body, hasMark ? BYTE_ORDER_MARK.length : 0, pieceBytes).parse()
  } catch (error) {
    if (error instanceof SyntaxError) throw serializationException('')
    throw error
  }
}

/** Every method begins at the current place, and leaves it behind what it has read. @throws SyntaxError */
class PieceParser {
  readonly #body: Buffer
  readonly #pieceBytes: number
  #at: number

  constructor(body: Buffer, from: number, pieceBytes: number) {
    this.#body = body
    this.#pieceBytes = pieceBytes
    this.#at = from
  }

  *parse(): Steps<unknown> {
    yield* this.#skipSpace()
    const value = yield* this.#value(MAX_JSON_DEPTH)
    yield* this.#skipSpace()
    if (this.#at < this.#body.length) throw new SyntaxError('something follows the value')
    return value
  }

  *#value(maxDepth: number): Steps<unknown> {
    const end = this.#endOfValue(this.#at, this.#at + this.#pieceBytes, maxDepth)
    if (end !== undefined) return this.#parsed(end)
    const first = this.#body[this.#at]
    // Each list and structure around a piece has been looked through for a piece's length.
    yield
    if (first === OPEN_LIST) return yield* this.#list(maxDepth - 1)
    if (first === OPEN_STRUCTURE) return yield* this.#structure(maxDepth - 1)
    return yield* this.#text()
  }

  *#list(maxDepth: number): Steps<unknown[]> {
    const list: unknown[] = []
    if (yield* this.#isEmpty(CLOSE_LIST)) return list
    do {
      yield* this.#skipSpace()
      const end = this.#endOfMembers((at, before) => this.#endOfValue(at, before, maxDepth))
      if (end === undefined) list.push(yield* this.#value(maxDepth))
      else for (const member of this.#parsed(end, '[', ']') as unknown[]) list.push(member)
      yield
    } while (yield* this.#continues(CLOSE_LIST))
    return list
  }

  *#structure(maxDepth: number): Steps<Structure> {
    const structure: Structure = {}
    let count = 0
    if (yield* this.#isEmpty(CLOSE_STRUCTURE)) return structure
    do {
      yield* this.#skipSpace()
      const end = this.#endOfMembers((at, before) => this.#endOfMember(at, before, maxDepth))
      if (end === undefined) {
        const name = yield* this.#name()
        setMember(structure, name, yield* this.#value(maxDepth))
        count++
      } else {
        const members = this.#parsed(end, '{', '}') as Structure
        const names = Object.keys(members)
        for (const name of names) setMember(structure, name, members[name])
        count += names.length
      }
      if (count > MAX_MEMBERS) {
        throw validationException('Item size has exceeded the maximum allowed size')
      }
      yield
    } while (yield* this.#continues(CLOSE_STRUCTURE))
    return structure
  }

  /** Reads the opening bracket, and the closing one if it follows. */
  *#isEmpty(close: number): Steps<boolean> {
    this.#at++
    yield* this.#skipSpace()
    if (this.#body[this.#at] !== close) return false
    this.#at++
    return true
  }

  /** The end of as many members as fit into a piece, or `undefined` when the first one does not. */
  #endOfMembers(endOfOne: (at: number, before: number) => number | undefined): number | undefined {
    const before = this.#at + this.#pieceBytes
    let end: number | undefined
    let next = this.#at
    while (next < before) {
      const behind = endOfOne(next, before)
      if (behind === undefined) break
      end = behind
      const comma = skipSpace(this.#body, behind, before)
      if (this.#body[comma] !== COMMA) break
      next = skipSpace(this.#body, comma + 1, before)
    }
    return end
  }

  #endOfMember(from: number, before: number, maxDepth: number): number | undefined {
    if (this.#body[from] !== QUOTE) throw new SyntaxError('a member has no name')
    const behindName = endOfText(this.#body, from, before)
    if (behindName === undefined) return undefined
    const colon = skipSpace(this.#body, behindName, before)
    if (colon >= before) return undefined
    if (this.#body[colon] !== COLON) throw new SyntaxError('a member has no value')
    const value = skipSpace(this.#body, colon + 1, before)
    return value >= before ? undefined : this.#endOfValue(value, before, maxDepth)
  }

  /** Reads the name of a member, and the colon. */
  *#name(): Steps<string> {
    const name = yield* this.#text()
    yield* this.#skipSpace()
    if (this.#body[this.#at++] !== COLON) throw new SyntaxError('a member has no value')
    yield* this.#skipSpace()
    return name
  }

  /** Reads a text of any length. */
  *#text(): Steps<string> {
    if (this.#body[this.#at++] !== QUOTE) throw new SyntaxError('the value has no end')
    let text = ''
    for (;;) {
      const end = endOfTextPiece(this.#body, this.#at, this.#at + TEXT_PIECES * this.#pieceBytes)
      if (end === this.#body.length) throw new SyntaxError('the value has no end')
      text += String(this.#parsed(end, '"', '"'))
      if (this.#body[end] === QUOTE) break
      yield
    }
    this.#at++
    return text
  }

  /** Whether another member follows, or the end. */
  *#continues(close: number): Steps<boolean> {
    yield* this.#skipSpace()
    const byte = this.#body[this.#at++]
    if (byte !== COMMA && byte !== close) throw new SyntaxError('members are not separated')
    return byte === COMMA
  }

  #endOfValue(from: number, before: number, maxDepth: number): number | undefined {
    const end = endOfValue(this.#body, from, before, maxDepth)
    if (end === 'deep') throw new SyntaxError('too many levels')
    if (end === from) throw new SyntaxError('a value is missing')
    return end
  }

  #parsed(end: number, open = '', close = ''): unknown {
    const text = this.#body.toString('utf8', this.#at, end)
    this.#at = end
    return JSON.parse(open + text + close)
  }

  *#skipSpace(): Steps<void> {
    for (;;) {
      const before = this.#at + TEXT_PIECES * this.#pieceBytes
      this.#at = skipSpace(this.#body, this.#at, before)
      if (this.#at < before) return
      yield
    }
  }
}

/** Like `JSON.parse`, which makes `__proto__` a member like any other. */
function setMember(structure: Structure, name: string, value: unknown): void {
  if (name !== '__proto__') structure[name] = value
  else Object.defineProperty(structure, name, { value, configurable: true, enumerable: true, writable: true })
}
