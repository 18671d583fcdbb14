import { type CreateTableCommandInput, UpdateTableCommand } from '@aws-sdk/client-dynamodb'
import { invalidOption } from '../../options/check.js'
import { beginTable, describeTable, ensureTable, keyText, MAX_WAIT_SECONDS } from '../sending/table-status.js'
import { type Catalog, type CatalogView, type PeriodEntry, tableOf } from './catalog.js'
import { type Capacity, loweringOf } from './lowering.js'
import { isNameable, type Period, periodsBetween } from './periods.js'
import { noTable, outOfRange, periodClosed } from './rotation-errors.js'
import type { ParsedRotationOptions } from './rotation-options.js'

/** Finds, creates and lowers the tables of periods. */
export class PeriodTables {
  readonly #catalog: Catalog
  readonly #options: ParsedRotationOptions

  constructor(catalog: Catalog, options: ParsedRotationOptions) {
    this.#catalog = catalog
    this.#options = options
  }

  /** @param milliseconds since the Unix epoch */
  periodAt(milliseconds: number): Period {
    return this.#options.calendar.periodAt(milliseconds)
  }

  nameOf(period: Period): string {
    return tableOf(this.#options, period)
  }

  /**
   * The table for writes of a period, which is created if there is none.
   *
   * @throws IsothermError `rotation.closed`, `rotation.out-of-range` or `rotation.no-table`
   */
  async forWrite(period: Period): Promise<string> {
    const view = await this.#catalog.view()
    this.#refuseClosed(view, period)
    if (!isUsable(view.entries.get(period.from))) await this.create(period)
    await this.#createAhead(await this.#catalog.view(), period)
    // What took its time may have outlived the view; this one is valid when the write is sent.
    this.#refuseClosed(await this.#catalog.view(), period)
    return this.nameOf(period)
  }

  /**
   * The table for a read of a period.
   *
   * @returns `undefined` if nobody has written to it
   * @throws IsothermError `rotation.closed` if the table was dropped
   */
  async forRead(period: Period, isConsistent: boolean): Promise<string | undefined> {
    const { entries } = await (isConsistent ? this.#catalog.load() : this.#catalog.view())
    const state = entries.get(period.from)?.state
    if (state === 'dropping' || state === 'dropped') throw periodClosed(this.#options.table, period, state)
    return state === undefined || state === 'creating' ? undefined : this.nameOf(period)
  }

  /**
   * Creates the table of a period, and waits until it can be used. Several processes may do so at once.
   *
   * @throws IsothermError `rotation.out-of-range` or `rotation.no-table`
   */
  async create(period: Period): Promise<void> {
    const { table, clock, onTable, create } = this.#options
    if (!create)
      throw noTable(
        table,
        period,
        'is missing, and rotation.create is false. Create and list it, or let writers do so.',
      )
    this.#requireNear(period)
    const name = this.nameOf(period)
    await this.#catalog.add(period, name)
    // A period that was dropped meanwhile must not get a new table.
    this.#refuseClosed(await this.#catalog.load(), period)
    const wanted = this.#definitionOf(name)
    const status = await ensureTable(this.#options.clientOf(name), wanted, clock, (found) => {
      if (keyText(found) !== keyText(wanted))
        throw noTable(table, period, `has the key ${keyText(found)}, and not ${keyText(wanted)}. Rename it.`)
    })
    if (status !== 'ACTIVE')
      throw noTable(
        table,
        period,
        `is still ${status} after ${MAX_WAIT_SECONDS} seconds. Look at it, and try again.`,
      )
    await onTable?.(name)
    await this.#catalog.change(period, 'creating', 'active')
  }

  /**
   * Lists the tables of periods that exist, of which the catalog knows nothing.
   *
   * @param from milliseconds since the Unix epoch
   * @returns their names
   * @throws IsothermError `rotation.no-table` or `options.invalid`
   */
  async adopt(from: number): Promise<readonly string[]> {
    const { calendar, clock, clientOf, table } = this.#options
    const periods = periodsBetween(calendar, from, clock.now() + 1, MAX_ADOPTED)
    if (periods.length > MAX_ADOPTED)
      throw invalidOption('rotation.adopt', new Date(from), `a moment of the last ${MAX_ADOPTED} periods`)
    const { entries } = await this.#catalog.load()
    const adopted: string[] = []
    for (const period of periods) {
      const name = this.nameOf(period)
      const state = entries.get(period.from)?.state
      if (state !== undefined && state !== 'creating') continue
      const found = await describeTable(clientOf(name), name)
      if (found === undefined) continue
      const wanted = keyText(this.#definitionOf(name))
      if (keyText(found) !== wanted)
        throw noTable(table, period, `has the key ${keyText(found)}, and not ${wanted}. Rename it.`)
      await this.#catalog.add(period, name)
      await this.#catalog.change(period, 'creating', 'active')
      adopted.push(name)
    }
    return adopted
  }

  /** @returns the tables whose provisioned capacity was lowered */
  async lowerOld(): Promise<readonly string[]> {
    const { oldCapacity, clock } = this.#options
    const lowered: string[] = []
    if (oldCapacity === undefined) return lowered
    const { entries } = await this.#catalog.load()
    for (const { from, table, state } of entries.values()) {
      if (this.periodAt(from).to > clock.now() || !HAS_TABLE.includes(state)) continue
      if (await this.#lower(table, oldCapacity)) lowered.push(table)
    }
    return lowered
  }

  /** @returns whether this process has lowered it */
  async #lower(TableName: string, old: Capacity): Promise<boolean> {
    const db = this.#options.clientOf(TableName)
    const update = loweringOf(await describeTable(db, TableName), old)
    if (update === undefined) return false
    try {
      await db.send(new UpdateTableCommand({ TableName, ...update }))
      return true
    } catch (error) {
      // Another process is changing the table, has lowered it, or has dropped it.
      const isBusy = error instanceof Error && error.name === 'ResourceInUseException'
      if (isBusy || loweringOf(await describeTable(db, TableName), old) === undefined) return false
      throw error
    }
  }

  /** The next table, when its period is near. A failure is that of the first write to it. */
  async #createAhead({ entries }: CatalogView, period: Period): Promise<void> {
    const { clock, aheadMilliseconds, create } = this.#options
    const now = clock.now()
    const isNear = period.from <= now && now < period.to && period.to - now <= aheadMilliseconds
    if (!create || !isNear || entries.has(period.to)) return
    const next = this.periodAt(period.to)
    const name = this.nameOf(next)
    try {
      await this.#catalog.add(next, name)
      await beginTable(this.#options.clientOf(name), this.#definitionOf(name))
    } catch {
      // This write has its table.
    }
  }

  /** What was read may be out of date in one way only: it may show a closed period as open for as long as it lives. */
  #refuseClosed({ entries }: CatalogView, period: Period): void {
    const state = entries.get(period.from)?.state
    // mark: closed-period-takes-no-writes
    if (state === undefined || OPEN.includes(state)) return
    throw periodClosed(this.#options.table, period, state)
  }

  #requireNear(period: Period): void {
    const { table, clock, maxPast, maxFuture } = this.#options
    const now = clock.now()
    let [first, last] = [this.periodAt(now), this.periodAt(now)]
    for (let past = 0; past < maxPast && first.from > 0; past++) first = this.periodAt(first.from - 1)
    for (let future = 0; future < maxFuture; future++) last = this.periodAt(last.to)
    if (period.from >= first.from && period.from <= last.from && isNameable(period.from)) return
    throw outOfRange(table, period, first.label, last.label)
  }

  #definitionOf(TableName: string): CreateTableCommandInput & { readonly TableName: string } {
    const { partitionKey, sortKey, time, definition } = this.#options
    const AttributeDefinitions = definition.AttributeDefinitions ?? [
      { AttributeName: partitionKey, AttributeType: 'S' },
      { AttributeName: sortKey, AttributeType: time.type },
    ]
    const isProvisioned = definition.ProvisionedThroughput !== undefined
    return {
      ...(isProvisioned ? {} : { BillingMode: 'PAY_PER_REQUEST' }),
      ...definition,
      TableName,
      KeySchema: [
        { AttributeName: partitionKey, KeyType: 'HASH' },
        { AttributeName: sortKey, KeyType: 'RANGE' },
      ],
      AttributeDefinitions,
    }
  }
}

/** Of days, 27 years. */
const MAX_ADOPTED = 10_000

const OPEN: readonly string[] = ['creating', 'active']
const HAS_TABLE: readonly string[] = ['active', 'closed', 'archived']

function isUsable(entry: PeriodEntry | undefined): boolean {
  return entry !== undefined && entry.state !== 'creating'
}
