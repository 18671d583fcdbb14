import { gunzipSync, gzipSync } from 'node:zlib'
import type { Item } from '@isotherm/semantics'
import type { ObjectStore } from '../object-store/object-store.js'
import { randomDigits } from '../object-store/random-digits.js'
import { untilAnswered } from '../sending/until-answered.js'
import { fromLine } from './archive-lines.js'
import type { ArchiveProgress } from './catalog.js'
import type { Period } from './periods.js'
import { archiveDiffers } from './rotation-errors.js'
import type { ParsedRotationOptions } from './rotation-options.js'

const TOKEN_LENGTH = 12

/** Where an archive has its objects. */
export interface ArchiveStore {
  readonly store: ObjectStore
  readonly signal: AbortSignal | undefined
}

/** The objects of archives: compressed JSON Lines. */
export class ArchiveObjects {
  readonly #options: ParsedRotationOptions

  constructor(options: ParsedRotationOptions) {
    this.#options = options
  }

  /**
   * Writes the object after those of an archive, under a name that no other process gives. So a late write of one that has stopped
   * archiving replaces nothing.
   *
   * @returns the tokens of all objects, this one included
   */
  async write(
    period: Period,
    { tokens }: Pick<ArchiveProgress, 'tokens'>,
    lines: readonly string[],
    { store, signal }: ArchiveStore,
  ): Promise<readonly string[]> {
    const all = [...tokens, randomDigits(this.#options.random, TOKEN_LENGTH)]
    const body = gzipSync(lines.join(''))
    await untilAnswered(
      this.#options,
      () => store.put(this.#nameOf(period, all.length, all), body, signal),
      signal,
    )
    return all
  }

  /** @throws IsothermError `rotation.archive-differs` if the object is gone, or cannot be read */
  async items(
    period: Period,
    { tokens }: Pick<ArchiveProgress, 'tokens'>,
    part: number,
    { store, signal }: ArchiveStore,
  ): Promise<readonly Item[]> {
    const { table } = this.#options
    const name = this.#nameOf(period, part, tokens)
    const body = await untilAnswered(this.#options, () => store.get(name, signal), signal)
    if (body === undefined) throw archiveDiffers(table, period, `no object ${name}`, 'one')
    try {
      const lines = gunzipSync(body).toString('utf8').split('\n')
      return lines.flatMap((line) => (line === '' ? [] : [fromLine(line)]))
    } catch {
      throw archiveDiffers(table, period, `an object ${name} that cannot be read`, 'JSON Lines in it')
    }
  }

  /** Deletes the objects of an archive to which nothing refers any more. One that stays costs its storage. */
  async remove(
    period: Period,
    { parts, tokens }: ArchiveProgress,
    { store, signal }: ArchiveStore,
  ): Promise<void> {
    for (let part = 1; part <= parts; part++) {
      await store.delete(this.#nameOf(period, part, tokens), signal).catch(() => {})
    }
  }

  /** Archives of earlier versions have no tokens. */
  #nameOf({ label }: Period, part: number, tokens: readonly string[]): string {
    const token = tokens[part - 1]
    const number = String(part).padStart(5, '0')
    return `${this.#options.table}/${label}/part-${number}${token === undefined ? '' : `-${token}`}.jsonl.gz`
  }
}
