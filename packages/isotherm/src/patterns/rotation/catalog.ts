import { PutItemCommand, QueryCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb'
import type { AttributeValue, Item } from '@isotherm/semantics'
import type { Sender } from '../sending/pattern-client.js'
import { CATALOG_PARTITION_KEY, CATALOG_SORT_KEY } from './ensure-catalog.js'
import type { Period } from './periods.js'
import { foreignPeriod } from './rotation-errors.js'
import type { ParsedRotationOptions } from './rotation-options.js'

/**
 * - `creating`: the table may not be there yet
 * - `active`: it takes writes
 * - `closed`: it takes no writes, and is being archived
 * - `archived`: the archive has been read back and compared
 * - `dropping`: the table is being deleted
 * - `dropped`: the archive is all that is left
 */
export type PeriodState = 'creating' | 'active' | 'closed' | 'archived' | 'dropping' | 'dropped'

/** How far an archive has come. */
export interface ArchiveProgress {
  /** Objects that are written. */
  readonly parts: number
  /**
   * What the name of each object has behind its number. An object gets a name that no other process gives, so a late write of one that has
   * stopped archiving cannot replace it.
   */
  readonly tokens: readonly string[]
  readonly items: number
  /** Of the items, in any order: hexadecimal. */
  readonly digest: string
  /** Where the scan continues; `undefined` at its beginning and behind its end. */
  readonly cursor: Item | undefined
}

/** What is recorded of a period. */
export interface PeriodEntry {
  readonly from: number
  readonly table: string
  readonly state: PeriodState
  readonly archive: ArchiveProgress | undefined
}

/** What a process knows of the periods, and how long it may use it. */
export interface CatalogView {
  readonly entries: ReadonlyMap<number, PeriodEntry>
  readonly validUntil: number
}

/** Reads and writes of a process share a reading of the list. One that has no answer for so long may never have one, and the next call sends another. */
const LONGEST_MILLISECONDS = 10_000

/** The table that lists the periods and their states. All processes go by it, each by what it has read not long ago. */
export class Catalog {
  readonly #db: Sender
  readonly #options: ParsedRotationOptions
  #view: CatalogView | undefined
  #loading: Promise<CatalogView> | undefined
  /** When the next call waits for it no longer. */
  #loadingUntil = 0

  constructor(db: Sender, options: ParsedRotationOptions) {
    this.#db = db
    this.#options = options
  }

  /** What is known, read again when it is too old. */
  async view(): Promise<CatalogView> {
    const { clock } = this.#options
    // mark: view-of-periods-has-an-end
    if (this.#view !== undefined && clock.now() < this.#view.validUntil) return this.#view
    const now = clock.now()
    if (this.#loading !== undefined && now < this.#loadingUntil) return this.#loading
    const loading = this.load().finally(() => {
      if (this.#loading === loading) this.#loading = undefined
    })
    this.#loading = loading
    this.#loadingUntil = now + LONGEST_MILLISECONDS
    return loading
  }

  /** What the table has now. */
  async load(): Promise<CatalogView> {
    const { clock, cacheMilliseconds, catalog, table } = this.#options
    // From before the request: what was read is at least as new.
    const validUntil = clock.now() + cacheMilliseconds
    const entries = new Map<number, PeriodEntry>()
    let cursor: Record<string, AttributeValue> | undefined
    do {
      const page = await this.#db.send(
        new QueryCommand({
          TableName: catalog,
          KeyConditionExpression: '#name = :name',
          ExpressionAttributeNames: { '#name': CATALOG_PARTITION_KEY },
          ExpressionAttributeValues: { ':name': { S: table } },
          ConsistentRead: true,
          ...(cursor === undefined ? {} : { ExclusiveStartKey: cursor }),
        }),
      )
      for (const item of page.Items ?? []) {
        const entry = toEntry(item as Item)
        if (entry === undefined) continue
        this.#requireOwn(entry)
        entries.set(entry.from, entry)
      }
      cursor = page.LastEvaluatedKey as typeof cursor
    } while (cursor !== undefined)
    this.#view = { entries, validUntil }
    return this.#view
  }

  /** Lists a period, unless it is listed. */
  async add(period: Period, table: string): Promise<void> {
    const command = new PutItemCommand({
      TableName: this.#options.catalog,
      Item: { ...this.#key(period), table: { S: table }, state: { S: 'creating' satisfies PeriodState } },
      ConditionExpression: 'attribute_not_exists(#name)',
      ExpressionAttributeNames: { '#name': CATALOG_PARTITION_KEY },
    })
    await this.#unlessRefused(() => this.#db.send(command))
    this.#view = undefined
  }

  /**
   * Changes the state of a period.
   *
   * @param archive the archive that the period must have, if any will not do
   * @returns whether it was in the expected state
   */
  async change(
    period: Period,
    from: PeriodState,
    to: PeriodState,
    archive?: ArchiveProgress,
  ): Promise<boolean> {
    const [isSame, values] = archive === undefined ? ['', {}] : [` AND ${IS_ARCHIVE}`, archiveValues(archive)]
    const changed = await this.#update(period, 'SET #state = :to', `#state = :from${isSame}`, {
      ':from': { S: from },
      ':to': { S: to },
      ...values,
    })
    this.#view = undefined
    return changed
  }

  /**
   * Records how far the archive of a closed period has come.
   *
   * @returns whether it had come as far as expected
   */
  async recordArchive(
    period: Period,
    before: ArchiveProgress | undefined,
    now: ArchiveProgress | undefined,
  ): Promise<boolean> {
    const condition =
      before === undefined
        ? '#state = :closed AND attribute_not_exists(#archive)'
        : `#state = :closed AND ${IS_ARCHIVE}`
    const values = {
      ':closed': { S: 'closed' },
      ...(before === undefined ? {} : archiveValues(before)),
    }
    if (now === undefined) return this.#update(period, 'REMOVE #archive', condition, values)
    const archive: AttributeValue = {
      M: {
        parts: { N: String(now.parts) },
        tokens: { L: now.tokens.map((S) => ({ S })) },
        items: { N: String(now.items) },
        digest: { S: now.digest },
        ...(now.cursor === undefined ? {} : { cursor: { M: now.cursor } }),
      },
    }
    return this.#update(period, 'SET #archive = :archive', condition, { ...values, ':archive': archive })
  }

  /**
   * Periods of another length would be missing in queries, and one that begins with a period of this length would be taken for it.
   *
   * @throws IsothermError `rotation.catalog`
   */
  #requireOwn({ from, table }: PeriodEntry): void {
    const { calendar } = this.#options
    const period = calendar.periodAt(from)
    if (period.from !== from || tableOf(this.#options, period) !== table)
      throw foreignPeriod(this.#options, table)
  }

  #update(
    period: Period,
    UpdateExpression: string,
    ConditionExpression: string,
    ExpressionAttributeValues: Item,
  ): Promise<boolean> {
    const command = new UpdateItemCommand({
      TableName: this.#options.catalog,
      Key: this.#key(period),
      UpdateExpression,
      ConditionExpression,
      // Both are reserved words. Each has to be used where it is defined.
      ExpressionAttributeNames: {
        '#state': 'state',
        ...(`${UpdateExpression} ${ConditionExpression}`.includes('#archive')
          ? { '#archive': 'archive' }
          : {}),
      },
      ExpressionAttributeValues,
    })
    return this.#unlessRefused(() => this.#db.send(command))
  }

  async #unlessRefused(send: () => Promise<unknown>): Promise<boolean> {
    try {
      await send()
      return true
    } catch (error) {
      if (error instanceof Error && error.name === 'ConditionalCheckFailedException') return false
      throw error
    }
  }

  #key({ from }: Period) {
    return {
      [CATALOG_PARTITION_KEY]: { S: this.#options.table },
      [CATALOG_SORT_KEY]: { S: new Date(from).toISOString() },
    }
  }
}

/** The name of a period's table. */
export function tableOf({ table }: Pick<ParsedRotationOptions, 'table'>, { label }: Period): string {
  return `${table}_${label}`
}

/** Another archive of the same period has other contents, or has come less far. */
const IS_ARCHIVE = '#archive.parts = :parts AND #archive.digest = :digest'

function archiveValues({ parts, digest }: ArchiveProgress): Item {
  return { ':parts': { N: String(parts) }, ':digest': { S: digest } }
}

function toEntry(item: Item): PeriodEntry | undefined {
  const from = Date.parse(textOf(item[CATALOG_SORT_KEY]))
  if (Number.isNaN(from)) return undefined
  const { table, state, archive } = item
  return {
    from,
    table: textOf(table),
    state: textOf(state) as PeriodState,
    archive: archive && 'M' in archive ? toProgress(archive.M) : undefined,
  }
}

function toProgress({ parts, tokens, items, digest, cursor }: Item): ArchiveProgress {
  return {
    parts: numberOf(parts),
    tokens: tokens && 'L' in tokens ? tokens.L.map(textOf) : [],
    items: numberOf(items),
    digest: textOf(digest),
    cursor: cursor && 'M' in cursor ? cursor.M : undefined,
  }
}

function textOf(value: AttributeValue | undefined): string {
  return value !== undefined && 'S' in value ? value.S : ''
}

function numberOf(value: AttributeValue | undefined): number {
  return value !== undefined && 'N' in value ? Number(value.N) : 0
}
