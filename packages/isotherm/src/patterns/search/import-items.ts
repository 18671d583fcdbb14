import { RecentlyUsedMap } from '../../bounded/recently-used-map.js'
import { invalidOption, refuseUnknown, requireInteger, requireObject } from '../../options/check.js'
import { missingTarget } from './missing-target.js'
import type { StoredLinks } from './model/base-item.js'
import type { FieldMap, FieldValues, LinkMap } from './model/directory-item.js'
import type { DirectoryTarget } from './model/directory-target.js'
import { requireName } from './model/keys.js'
import type { LinkTarget } from './model/target-item.js'
import { parseCreatedAt, parseFields } from './parse-item.js'
import { readTarget } from './writing/change-target.js'
import { type ImportCounts, importBatch, type WantedItem } from './writing/import-batch.js'
import { spreadTarget } from './writing/spread-target.js'

/** An item to import. */
export interface ImportRow<Fields extends FieldMap, Links extends LinkMap> {
  /** The same each time it is imported: that makes an import repeatable. Of two rows with one id, the later one counts. */
  readonly id: string
  /** The default for a new item is the time of the import. */
  readonly createdAt?: Date | number | undefined
  readonly fields: FieldValues<Fields>
  /** Ids of targets, which must be there. Left out: the links stay as they are. */
  readonly links?: { readonly [Kind in keyof Links]?: readonly string[] } | undefined
}

/** How far an import has come. */
export interface ImportProgress {
  /** Rows of the source that are done, skipped ones included. An import with this `skip` resumes here. */
  readonly rows: number
  readonly created: number
  readonly changed: number
  /** They were there as they are in the source, and nothing was written. */
  readonly unchanged: number
}

/** Options of `import`. */
export interface ImportOptions {
  /** Batches of 25 rows at a time, 1 to 100. The default is 8. */
  readonly concurrency?: number | undefined
  /** Rows at the beginning of the source that are left out, such as `rows` of an import that was stopped. The default is 0. */
  readonly skip?: number | undefined
  /** Stops the import behind the batches that are under way. */
  readonly signal?: AbortSignal | undefined
  /** Called after each batch. */
  readonly onProgress?: ((progress: ImportProgress) => void) | undefined
}

const ROWS_AT_A_TIME = 25
const MAX_TARGETS = 10_000
/** The index is usually a second behind its table at most. */
const INDEX_MILLISECONDS = 5_000

/** Imports rows in their order, several batches at a time. */
export async function importItems<Fields extends FieldMap, Links extends LinkMap>(
  target: DirectoryTarget,
  tenant: string,
  source: Iterable<ImportRow<Fields, Links>> | AsyncIterable<ImportRow<Fields, Links>>,
  options: ImportOptions,
): Promise<ImportProgress> {
  requireRows(source)
  const { concurrency, skip, signal, onProgress } = parse(options)
  const counts: ImportCounts = { created: 0, changed: 0, unchanged: 0 }
  const targets = new KnownTargets(target, tenant)
  /** Ends of batches that are done, behind one that is not. */
  const done = new Map<number, number>()
  const running = new Set<Promise<void>>()
  /** Ids of rows under way. */
  const busy = new Set<unknown>()
  let rows = skip
  let failure: { readonly error: unknown } | undefined
  const fail = (error: unknown) => {
    failure ??= { error }
  }
  const start = (first: number, batch: readonly ImportRow<Fields, Links>[]) => {
    const work = async () => {
      const wanted = await Promise.all(batch.map((row) => wantedItem(target, targets, row)))
      await importBatch(target, tenant, wanted, counts)
      done.set(first, first + batch.length)
      for (let end = done.get(rows); end !== undefined; end = done.get(rows)) {
        done.delete(rows)
        rows = end
      }
      onProgress({ rows, ...counts })
    }
    const ids = batch.map((row) => row?.id)
    for (const id of ids) busy.add(id)
    const one = work()
      .catch(fail)
      .finally(() => {
        running.delete(one)
        for (const id of ids) busy.delete(id)
      })
    running.add(one)
  }
  try {
    for await (const { first, batch } of batches(source, skip)) {
      // Of two rows with one id, the later one is what the source has in the end.
      while (batch.some((row) => busy.has(row?.id))) await Promise.race(running)
      if (failure !== undefined || signal?.aborted) break
      start(first, batch)
      while (running.size >= concurrency) await Promise.race(running)
    }
  } catch (error) {
    fail(error)
  }
  // Nothing is written any more when the caller gets the error.
  await Promise.all(running)
  if (failure !== undefined) {
    // An import that goes on behind the rows that are done does not read their targets again.
    await targets.follow().catch(() => {})
    throw failure.error
  }
  await targets.follow()
  return { rows, ...counts }
}

/** Batches of different ids, each with the number of its first row. */
async function* batches<Row extends { readonly id: string }>(
  source: Iterable<Row> | AsyncIterable<Row>,
  skip: number,
): AsyncGenerator<{ readonly first: number; readonly batch: readonly Row[] }> {
  let at = 0
  let batch: Row[] = []
  for await (const row of source) {
    at += 1
    if (at <= skip) continue
    if (batch.length === ROWS_AT_A_TIME || batch.some((other) => other?.id === row?.id)) {
      yield { first: at - 1 - batch.length, batch }
      batch = []
    }
    batch.push(row)
  }
  if (batch.length > 0) yield { first: at - batch.length, batch }
}

async function wantedItem<Fields extends FieldMap, Links extends LinkMap>(
  { definition }: DirectoryTarget,
  targets: KnownTargets,
  row: ImportRow<Fields, Links>,
): Promise<WantedItem> {
  requireObject('directory.import: a row', row, 'an object, such as { id, fields }')
  refuseUnknown('directory.import: a row', row, ['id', 'createdAt', 'fields', 'links'])
  const id = requireName('directory.import: the id', row.id)
  const place = `directory.import: ${id}`
  const fields = parseFields(definition, place, row.fields)
  const createdAt =
    row.createdAt === undefined ? undefined : parseCreatedAt(`${place}.createdAt`, row.createdAt)
  if (row.links === undefined) return { id, createdAt, fields, links: undefined }
  refuseUnknown(
    `${place}.links`,
    row.links,
    definition.links.map(({ name }) => name),
  )
  const links: Record<string, Record<string, { name: string; version: number }>> = {}
  for (const [kind, ids] of Object.entries<unknown>(row.links)) {
    if (ids === undefined) continue
    if (!Array.isArray(ids)) throw invalidOption(`${place}.links.${kind}`, ids, 'a list of ids of targets')
    for (const to of ids) {
      const { name, version } = await targets.read(kind, requireName(`${place}.links.${kind}`, to))
      links[kind] = { ...links[kind], [to]: { name, version } }
    }
  }
  return { id, createdAt, fields, links: links satisfies StoredLinks }
}

/** Targets of links, each read once. A rename during the import is followed at its end. */
class KnownTargets {
  readonly #target: DirectoryTarget
  readonly #tenant: string
  readonly #known = new RecentlyUsedMap<string, Promise<LinkTarget | undefined>>(MAX_TARGETS)
  readonly #used = new Map<string, LinkTarget>()

  constructor(target: DirectoryTarget, tenant: string) {
    this.#target = target
    this.#tenant = tenant
  }

  /** @throws IsothermError `search.missing` */
  async read(kind: string, id: string): Promise<LinkTarget> {
    const key = `${kind}#${id}`
    const reading = this.#known.get(key) ?? readTarget(this.#target, { tenant: this.#tenant, kind, id })
    this.#known.set(key, reading)
    const found = await reading
    if (found === undefined || found.isGone)
      throw missingTarget(this.#target.definition.table, { tenant: this.#tenant, kind, id })
    this.#used.set(key, found)
    return found
  }

  async follow(): Promise<void> {
    const { clock, signal } = this.#target.patience
    let isIndexCurrent = false
    for (const used of this.#used.values()) {
      if ((await readTarget(this.#target, used))?.version === used.version) continue
      // The last rows may not be in the index yet.
      if (!isIndexCurrent) await clock.sleep(INDEX_MILLISECONDS, signal)
      isIndexCurrent = true
      let before: string | undefined
      do {
        const page = await spreadTarget(this.#target, used, before)
        before = page.next
      } while (before !== undefined)
    }
  }
}

function requireRows(source: unknown): void {
  const isIterable =
    typeof source === 'object' &&
    source !== null &&
    (Symbol.asyncIterator in source || Symbol.iterator in source)
  if (!isIterable)
    throw invalidOption('directory.import: the rows', source, 'an array, or another iterable of rows')
}

function parse(options: ImportOptions) {
  requireObject('directory.import', options, 'an object of options, such as { onProgress }')
  refuseUnknown('directory.import', options, ['concurrency', 'skip', 'signal', 'onProgress'])
  const { concurrency = 8, skip = 0, signal, onProgress = () => {} } = options
  if (typeof onProgress !== 'function')
    throw invalidOption('directory.import.onProgress', onProgress, 'a function')
  if (signal !== undefined && !(signal instanceof AbortSignal))
    throw invalidOption('directory.import.signal', signal, 'an AbortSignal')
  return {
    concurrency: requireInteger('directory.import.concurrency', concurrency, 1, 100),
    skip: requireInteger('directory.import.skip', skip, 0, Number.MAX_SAFE_INTEGER),
    signal,
    onProgress,
  }
}
