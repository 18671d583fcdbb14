import { DeleteTableCommand, ScanCommand } from '@aws-sdk/client-dynamodb'
import type { Item } from '@isotherm/semantics'
import { IsothermError } from '../../errors/isotherm-error.js'
import type { ObjectStore } from '../object-store/object-store.js'
import { untilGone } from '../sending/table-status.js'
import { untilAnswered } from '../sending/until-answered.js'
import { type Contents, contentsText, isSame, NO_CONTENTS, plusItems, toLine } from './archive-lines.js'
import { ArchiveObjects, type ArchiveStore } from './archive-objects.js'
import type { ArchiveProgress, Catalog, PeriodEntry, PeriodState } from './catalog.js'
import type { Period } from './periods.js'
import { archiveDiffers, archivedTwice, noTable, notReady } from './rotation-errors.js'
import type { ParsedRotationOptions } from './rotation-options.js'

/** How far an archive, or its comparison with the table, has come. */
export interface ArchiveReport {
  /** The step: `scan` writes objects, `verify` reads them again. */
  readonly step: 'scan' | 'verify'
  readonly parts: number
  readonly items: number
}

export interface Archiving extends ArchiveStore {
  readonly onProgress: ((report: ArchiveReport) => void) | undefined
}

const NOTHING: ArchiveProgress = { parts: 0, tokens: [], ...NO_CONTENTS, cursor: undefined }
/** Lines of one object, before compression: what a process has in memory. */
const PART_BYTES = 8_388_608

/** Archives the periods of a rotation and drops their tables. */
export class Archive {
  readonly #catalog: Catalog
  readonly #options: ParsedRotationOptions
  readonly #objects: ArchiveObjects

  constructor(catalog: Catalog, options: ParsedRotationOptions) {
    this.#catalog = catalog
    this.#options = options
    this.#objects = new ArchiveObjects(options)
  }

  /**
   * Closes a period, and copies its items to the store.
   *
   * @throws IsothermError `rotation.not-ready`, `rotation.contended` or `rotation.archive-differs`
   */
  async archive(period: Period, archiving: Archiving): Promise<Contents> {
    const entry = await this.#closed(period, archiving.signal)
    const isDone = entry.state !== 'closed'
    if (isDone) return entry.archive ?? NO_CONTENTS
    const written = await this.#scan(period, entry, archiving)
    const { items, digest } = await this.#readBack(period, written, archiving)
    if (!(await this.#catalog.change(period, 'closed', 'archived', written)))
      await this.#requireState(period, ['archived', 'dropping', 'dropped'])
    return { items, digest }
  }

  /**
   * Compares the archive with the table once more, and deletes the table.
   *
   * @throws IsothermError `rotation.not-ready` or `rotation.archive-differs`
   */
  async drop(period: Period, archiving: Archiving): Promise<void> {
    const { table, clientOf, clock } = this.#options
    const entry = (await this.#catalog.load()).entries.get(period.from)
    const state = entry?.state
    if (state === 'dropped') return
    if (entry === undefined || (state !== 'archived' && state !== 'dropping'))
      throw notReady(
        table,
        period,
        state ?? 'unknown',
        'only an archived period is dropped. Archive it first.',
      )
    const db = clientOf(entry.table)
    if (state === 'archived') {
      await this.#compare(period, entry, archiving)
      if (!(await this.#catalog.change(period, 'archived', 'dropping', entry.archive ?? NOTHING)))
        await this.#requireState(period, ['dropping', 'dropped'])
    }
    try {
      await db.send(new DeleteTableCommand({ TableName: entry.table }))
    } catch (error) {
      // An earlier call has deleted it.
      const isGoing = error instanceof Error && /^Resource(NotFound|InUse)Exception$/.test(error.name)
      if (!isGoing) throw error
    }
    if (!(await untilGone(db, entry.table, clock)))
      throw noTable(table, period, 'is still being deleted. Call again.')
    await this.#catalog.change(period, 'dropping', 'dropped')
  }

  /**
   * Compares the archive with the table, both as they are now.
   *
   * @throws IsothermError `rotation.not-ready` or `rotation.archive-differs`
   */
  async verify(period: Period, archiving: Archiving): Promise<Contents> {
    const entry = (await this.#catalog.load()).entries.get(period.from)
    if (entry?.state !== 'archived')
      throw notReady(
        this.#options.table,
        period,
        entry?.state ?? 'unknown',
        'it has no archive and table to compare.',
      )
    await this.#compare(period, entry, archiving)
    return entry.archive ?? NO_CONTENTS
  }

  /** The items of an archive, in the order in which the table was scanned. */
  async *items(period: Period, store: ObjectStore, signal: AbortSignal | undefined): AsyncGenerator<Item> {
    const entry = (await this.#catalog.load()).entries.get(period.from)
    const { table } = this.#options
    if (entry?.archive === undefined || entry.state === 'closed')
      throw notReady(table, period, entry?.state ?? 'unknown', 'it has no archive that was read back.')
    for (let part = 1; part <= entry.archive.parts; part++)
      yield* await this.#objects.items(period, entry.archive, part, { store, signal })
  }

  /** An answer may have been lost, or another process does the same. @throws IsothermError `rotation.contended` if it began the archive again */
  async #requireState(period: Period, states: readonly PeriodState[]): Promise<void> {
    const state = (await this.#catalog.load()).entries.get(period.from)?.state
    if (state === undefined || !states.includes(state)) throw archivedTwice(this.#options.table, period)
  }

  /** Closes the period, and waits until no process takes it for open and no write to it is under way. */
  async #closed(period: Period, signal: AbortSignal | undefined): Promise<PeriodEntry> {
    const { table, clock, cacheMilliseconds, lateMilliseconds } = this.#options
    const { entries } = await this.#catalog.load()
    const entry = entries.get(period.from)
    if (entry === undefined || entry.state === 'creating')
      throw notReady(table, period, entry?.state ?? 'unknown', 'it has no table to archive.')
    if (period.to > clock.now())
      throw notReady(table, period, entry.state, 'a period is archived when it is over.')
    if (entry.state !== 'active' && (entry.state !== 'closed' || entry.archive !== undefined)) return entry
    await this.#catalog.change(period, 'active', 'closed')
    // mark: archive-waits-for-writers
    await clock.sleep(cacheMilliseconds + lateMilliseconds, signal)
    const closed = (await this.#catalog.load()).entries.get(period.from)
    if (closed === undefined) throw notReady(table, period, 'unknown', 'its entry in the catalog is gone.')
    return closed
  }

  /** An answer may have been lost: no other process gives the name of this one's last object. @throws IsothermError `rotation.contended` */
  async #requireRecorded(period: Period, { tokens }: ArchiveProgress): Promise<void> {
    const recorded = (await this.#catalog.load()).entries.get(period.from)?.archive
    if (recorded?.tokens.at(-1) !== tokens.at(-1)) throw archivedTwice(this.#options.table, period)
  }

  async #scan(period: Period, entry: PeriodEntry, archiving: Archiving): Promise<ArchiveProgress> {
    const { onProgress, signal } = archiving
    let progress = entry.archive
    // Behind the end of the scan there is no cursor, and there are parts.
    while (progress === undefined || progress.cursor !== undefined) {
      const before: ArchiveProgress = progress ?? NOTHING
      const lines: string[] = []
      let [contents, cursor, bytes]: [Contents, Item | undefined, number] = [before, before.cursor, 0]
      do {
        const page = await this.#scanPage(entry.table, cursor, signal)
        for (const item of page.items) {
          const line = toLine(item)
          bytes += line.length
          lines.push(line)
        }
        contents = plusItems(contents, page.items)
        cursor = page.last
      } while (cursor !== undefined && bytes < PART_BYTES)
      const parts: number = before.parts + 1
      const tokens = await this.#objects.write(period, before, lines, archiving)
      const { items, digest } = contents
      const now: ArchiveProgress = { parts, tokens, items, digest, cursor }
      if (!(await this.#catalog.recordArchive(period, progress, now)))
        await this.#requireRecorded(period, now)
      progress = now
      onProgress?.({ step: 'scan', parts, items })
    }
    return progress
  }

  /**
   * What the store has. If that is not what was written, the archive begins again with the next call.
   * @throws IsothermError `rotation.archive-differs`
   */
  async #readBack(period: Period, archive: ArchiveProgress, archiving: Archiving): Promise<Contents> {
    let contents = NO_CONTENTS
    try {
      for (let part = 1; part <= archive.parts; part++) {
        contents = plusItems(contents, await this.#objects.items(period, archive, part, archiving))
        archiving.onProgress?.({ step: 'verify', parts: part, items: contents.items })
      }
      if (isSame(contents, archive)) return contents
      throw archiveDiffers(this.#options.table, period, contentsText(contents), contentsText(archive))
    } catch (error) {
      if (error instanceof IsothermError && error.code === 'rotation.archive-differs')
        await this.#forget(period, archive, archiving)
      throw error
    }
  }

  /** @throws IsothermError `rotation.archive-differs` */
  async #compare(
    period: Period,
    { table: name, archive = NOTHING }: PeriodEntry,
    archiving: Archiving,
  ): Promise<void> {
    const archived = await this.#readBack(period, archive, archiving)
    let stored = NO_CONTENTS
    let cursor: Item | undefined
    do {
      const page = await this.#scanPage(name, cursor, archiving.signal)
      stored = plusItems(stored, page.items)
      cursor = page.last
    } while (cursor !== undefined)
    if (isSame(archived, stored)) return
    // Something has written past the rotation. The period is archived again.
    await this.#forget(period, archive, archiving)
    throw archiveDiffers(this.#options.table, period, contentsText(archived), contentsText(stored))
  }

  /** Begins an archive again, unless another process has done so. */
  async #forget(period: Period, archive: ArchiveProgress, archiving: Archiving): Promise<void> {
    await this.#catalog.change(period, 'archived', 'closed', archive)
    if (await this.#catalog.recordArchive(period, archive, undefined))
      await this.#objects.remove(period, archive, archiving)
  }

  async #scanPage(TableName: string, cursor: Item | undefined, signal: AbortSignal | undefined) {
    const command = new ScanCommand({
      TableName,
      ConsistentRead: true,
      ...(cursor === undefined ? {} : { ExclusiveStartKey: cursor }),
    })
    const db = this.#options.clientOf(TableName)
    const send = () => db.send(command, signal && { abortSignal: signal })
    const { Items = [], LastEvaluatedKey } = await untilAnswered(this.#options, send, signal)
    return { items: Items as Item[], last: LastEvaluatedKey as Item | undefined }
  }
}
