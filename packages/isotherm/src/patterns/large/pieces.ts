import { concurrently } from '../../bounded/concurrently.js'
import { writeConcurrently } from '../../bounded/write-concurrently.js'
import { IsothermError } from '../../errors/isotherm-error.js'
import type { ObjectStore } from '../object-store/object-store.js'
import { isTransient } from '../sending/is-transient.js'
import type { Sender } from '../sending/pattern-client.js'
import { retryDelay } from '../sending/retry-delay.js'
import { untilAnswered } from '../sending/until-answered.js'
import { chunkStore } from './chunk-store.js'
import { fromFrame, toFrame, unknownCodecOf } from './codec.js'
import { beginningOf, type Content, type Place, pieceName } from './content.js'
import { codecMissing, corrupt } from './damaged-value.js'
import type { ParsedLargeOptions } from './large-options.js'
import type { PiecedAttribute } from './stored-attribute.js'

/** Pieces of so many bytes take the processor long enough for others to wait, compressed or not. */
const LONG_BYTES = 65_536

/** Writes, reads and deletes the pieces of contents, wherever they are. */
export class Pieces {
  readonly #options: ParsedLargeOptions
  readonly #chunks: ObjectStore

  constructor(db: Sender, options: ParsedLargeOptions) {
    this.#options = options
    this.#chunks = chunkStore(db, options.chunkTable)
  }

  /** Where the pieces of new contents go. */
  get place(): Place {
    return this.#options.store === undefined ? 'chunks' : 'objects'
  }

  countOf(bytes: Uint8Array): number {
    return Math.max(1, Math.ceil(bytes.length / this.#options.pieceBytes))
  }

  /**
   * Writes the pieces of values, one value behind the other, with as many tries as it takes.
   *
   * @throws IsothermError `large.late` if the time for the put is over
   */
  async write(content: Content, values: readonly Uint8Array[], signal?: AbortSignal): Promise<void> {
    const { pieceBytes, compression, clock, concurrency } = this.#options
    const slices = values.flatMap((bytes) =>
      Array.from({ length: this.countOf(bytes) }, (_, index) =>
        bytes.subarray(index * pieceBytes, (index + 1) * pieceBytes),
      ),
    )
    await writeConcurrently([...slices.entries()], concurrency, async ([piece, bytes]) => {
      if (bytes.length > LONG_BYTES) await clock.sleep(0, signal)
      const frame = toFrame(bytes, compression)
      await this.#untilWritten(content, pieceName(content, piece), frame, signal)
    })
  }

  /**
   * Reads the pieces of one value.
   *
   * @returns `undefined` if one of them is missing
   * @throws IsothermError `large.codec` or `large.corrupt`
   */
  async read(
    attribute: string,
    stored: PiecedAttribute,
    place: Place,
    signal?: AbortSignal,
  ): Promise<Uint8Array | undefined> {
    const store = this.#storeOf(attribute, place)
    const { clock, concurrency, table } = this.#options
    const numbers = Array.from({ length: stored.pieces }, (_, index) => index)
    const parts: Uint8Array[] = []
    let isWhole = true
    await concurrently(numbers, concurrency, async (index) => {
      if (!isWhole) return
      const name = pieceName({ name: stored.content }, stored.from + index)
      const frame = await untilAnswered(this.#options, () => store.get(name, signal), signal)
      if (frame === undefined) {
        isWhole = false
        return
      }
      if (frame.length > LONG_BYTES) await clock.sleep(0, signal)
      parts[index] = unpacked(frame, { table, attribute })
    })
    return isWhole ? Buffer.concat(parts) : undefined
  }

  /** Deletes the pieces of a content to which no item refers. */
  async delete(content: Content, signal?: AbortSignal): Promise<void> {
    const store = this.#storeOf(content.name, content.place)
    const numbers = Array.from({ length: content.pieces }, (_, index) => index)
    await writeConcurrently(numbers, this.#options.concurrency, (piece) =>
      untilAnswered(this.#options, () => store.delete(pieceName(content, piece), signal), signal),
    )
  }

  /** The time for the put bounds the tries, so that no piece is written when its content may have been collected. */
  async #untilWritten(
    content: Content,
    name: string,
    frame: Uint8Array,
    signal?: AbortSignal,
  ): Promise<void> {
    const store = this.#storeOf(name, content.place)
    const { clock, random, writeMilliseconds, table } = this.#options
    for (let tried = 1; ; tried++) {
      if (clock.now() - beginningOf(content) > writeMilliseconds) throw late(table, writeMilliseconds)
      try {
        return await store.put(name, frame, signal)
      } catch (error) {
        if (!isTransient(error)) throw error
      }
      await clock.sleep(retryDelay(random, tried), signal)
    }
  }

  #storeOf(attribute: string, place: Place): ObjectStore {
    if (place === 'chunks') return this.#chunks
    const { store, table } = this.#options
    if (store !== undefined) return store
    throw new IsothermError(
      'large.no-store',
      `${attribute} of an item in ${table} is in an object store, and the option store is missing. Give large the store that it was written with.`,
      { table, attribute },
    )
  }
}

function unpacked(
  frame: Uint8Array,
  where: { readonly table: string; readonly attribute: string },
): Uint8Array {
  const bytes = fromFrame(frame)
  if (bytes !== undefined) return bytes
  const codec = unknownCodecOf(frame)
  throw codec === undefined ? corrupt(where) : codecMissing(where, codec)
}

function late(table: string, milliseconds: number): IsothermError<'large.late'> {
  return new IsothermError(
    'large.late',
    `A put to ${table} was not finished within ${milliseconds} ms (large.writeWithin), and nothing of it is visible. Put the item again, with a longer writeWithin or more capacity.`,
    { table, milliseconds },
  )
}
