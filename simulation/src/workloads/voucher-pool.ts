import { type DynamoDBClient, QueryCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb'
import { randomInteger } from '@isotherm/runtime'
import type { Process } from '../world/process.js'
import { Violation } from '../world/violation.js'
import type { WorkloadTable } from '../world/workload-table.js'
import type { World } from '../world/world.js'
import { atRate } from './at-rate.js'
import { everyItem, everyItemOf } from './every-item.js'
import { mayHaveBeenDone } from './expected-error.js'
import { untilIndexAgrees } from './index-agreement.js'
import type { Attributes } from './item-operations.js'
import { untilAnswered } from './until-answered.js'
import { beforeReading, type Holder, newVoucher, type Voucher } from './voucher.js'
import { claimVoucher, putVouchers } from './voucher-writes.js'
import type { Client, Workload } from './workload.js'

export interface VoucherPoolOptions {
  /** With the index of unused vouchers, by campaign. */
  readonly table: WorkloadTable
  readonly operationsPerSecond: number
  readonly processes: number
  readonly campaigns: number
  /** How long after it was sent a request may still be carried out. */
  readonly latestMilliseconds: number
}

/** What a process has claimed. */
interface Held {
  readonly voucher: Voucher
  readonly holder: Holder
}

export const UNUSED_INDEX = 'unused'

/** Vouchers that each campaign of an adopted table has before anybody shards it. */
const EXISTING = 10

/** As many as a batch takes. */
const MAX_BATCH = 25

/** Vouchers of one campaign that are registered at most: of many that nobody wants there is nothing to see. */
const MAX_VOUCHERS = 300

/**
 * Vouchers that are registered by batches and claimed one by one: those that nobody has are found by a sparse index. A
 * voucher is in one hand at a time, and what is in nobody's hand is in the index.
 */
export class VoucherPool implements Workload {
  readonly name = 'pool'
  readonly tables: readonly WorkloadTable[]
  readonly #world: World
  readonly #options: VoucherPoolOptions
  readonly #vouchers = new Map<string, Voucher>()
  #claims = 0

  constructor(world: World, options: VoucherPoolOptions) {
    this.#world = world
    this.#options = options
    this.tables = [options.table]
  }

  /** Vouchers that were used. One that nobody has would have to be in the index. */
  existing(): readonly Attributes[] {
    return this.#campaigns().flatMap((campaign) =>
      Array.from({ length: EXISTING }, (_, index) => {
        const voucher = newVoucher(campaign, `code${index}`)
        voucher.isRegistered = true
        voucher.holder = { process: 'before', claim: 'claim0', became: 'used' }
        this.#vouchers.set(voucher.about.join(' '), voucher)
        return { ...voucher.key, claims: { N: '1' }, claim: { S: 'claim0' }, used_by: { S: 'claim0' } }
      }),
    )
  }

  begin(process: Process, db: Client): void {
    const { operationsPerSecond, processes } = this.#options
    const own: Held[] = []
    atRate(
      this.#world,
      process,
      () => operationsPerSecond / processes,
      () => this.#operate(process, db, own),
    )
  }

  async touch(process: Process, db: Client): Promise<void> {
    for (const campaign of this.#campaigns()) await this.#stored(process, db, campaign)
  }

  neighbours(): readonly string[] {
    return []
  }

  async conclude(process: Process, db: Client): Promise<void> {
    for (const campaign of this.#campaigns()) {
      await untilIndexAgrees(process, {
        index: UNUSED_INDEX,
        expected: async () => {
          const stored = await this.#stored(process, db, campaign)
          return stored.filter(({ unused }) => unused !== undefined).map(nameOf)
        },
        found: async () => (await this.#unused(process, db, campaign)).map(nameOf),
      })
    }
  }

  async #operate(process: Process, db: DynamoDBClient, own: Held[]): Promise<void> {
    const draw = process.random.next()
    if (draw < 0.1) return this.#register(process, db)
    if (draw < 0.12) {
      await this.#stored(process, db, this.#campaign(process))
      return
    }
    if (draw < 0.7 || own.length === 0) return this.#claimOne(process, db, own)
    const [held] = own.splice(randomInteger(process.random, 0, own.length - 1), 1)
    if (held !== undefined) await this.#giveBack(process, db, held)
  }

  async #register(process: Process, db: DynamoDBClient): Promise<void> {
    const campaign = this.#campaign(process)
    const known = [...this.#vouchers.values()].filter(({ about }) => about[0] === campaign).length
    if (known >= MAX_VOUCHERS) return
    // Of a small batch more often all is answered.
    const length = randomInteger(process.random, 1, MAX_BATCH)
    const added = Array.from({ length }, (_, index) => newVoucher(campaign, `code${known + index}`))
    for (const voucher of added) this.#vouchers.set(voucher.about.join(' '), voucher)
    const leave = () => {
      const overAt = this.#world.now + this.#options.latestMilliseconds + 1
      for (const voucher of added) voucher.overAt = overAt
    }
    process.whenCrashed(leave)
    await this.#put(process, db, added, leave)
    process.notWhenCrashed(leave)
  }

  /** @param leave called where nobody knows whether and when what is left will come */
  async #put(
    process: Process,
    db: DynamoDBClient,
    added: readonly Voucher[],
    leave: () => void,
  ): Promise<void> {
    let left = added
    while (left.length > 0) {
      const batch = left
      try {
        const refused = await putVouchers(db, this.#options.table.name, batch)
        left = batch.filter(({ code }) => refused.has(code))
        for (const voucher of batch) voucher.isRegistered = !refused.has(voucher.code)
      } catch (error) {
        if (mayHaveBeenDone(error, this.#world)) return leave()
      }
      await process.clock.sleep(500 * process.random.next())
    }
  }

  async #claimOne(process: Process, db: DynamoDBClient, own: Held[]): Promise<void> {
    const found = await this.#unused(process, db, this.#campaign(process), 5)
    const one = found[randomInteger(process.random, 0, Math.max(0, found.length - 1))]
    const voucher = this.#vouchers.get(nameOf(one ?? {}))
    if (voucher === undefined) return
    this.#claims += 1
    const holder: Holder = { process: process.name, claim: `claim${this.#claims}` }
    const ended = this.#begun(process, voucher)
    const { isClaimed, mayArrive } = await claimVoucher(this.#world, process, db, {
      table: this.#options.table.name,
      key: voucher.key,
      claim: holder.claim,
    })
    ended(mayArrive)
    if (!isClaimed) return
    const { holder: other } = voucher
    if (other !== undefined && other.became !== 'given back' && voucher.isRegistered) {
      const seen = `${voucher.about.join(' ')} was claimed by ${process.name} while ${other.process} has it`
      throw new Violation('a voucher is in one hand', seen, voucher.about)
    }
    voucher.holder = holder
    voucher.mayBeClaimed = voucher.underWay > 0
    own.push({ voucher, holder })
  }

  /** @returns to be called when it has ended, with whether it may be carried out later all the same */
  #begun(process: Process, voucher: Voucher): (mayArrive: boolean) => void {
    voucher.underWay += 1
    voucher.changes += 1
    const over = () => {
      voucher.underWay -= 1
      voucher.changes += 1
    }
    const ended = (mayArrive: boolean) => {
      process.notWhenCrashed(crashed)
      if (!mayArrive) return over()
      voucher.mayBeClaimed = true
      this.#world.scheduler.after(this.#options.latestMilliseconds + 1, over)
    }
    const crashed = () => ended(true)
    process.whenCrashed(crashed)
    return ended
  }

  /** Back into the index, or used for good. What became of it is not asked where nobody answers: the holder is done with it. */
  async #giveBack(process: Process, db: DynamoDBClient, { voucher, holder }: Held): Promise<void> {
    const { key, about } = voucher
    const isUsed = process.random.next() < 0.2
    // Its condition says whose it is, so that it may come as late as it will.
    if (!isUsed) holder.became = 'given back'
    const ended = this.#begun(process, voucher)
    try {
      await db.send(
        new UpdateItemCommand({
          TableName: this.#options.table.name,
          Key: key,
          UpdateExpression: isUsed ? 'SET used_by = :claim' : 'SET unused = :campaign REMOVE claim',
          ConditionExpression: 'claim = :claim',
          ExpressionAttributeValues: {
            ':claim': { S: holder.claim },
            ...(isUsed ? {} : { ':campaign': key.campaign ?? { NULL: true } }),
          },
        }),
      )
      ended(false)
      if (isUsed) holder.became = 'used'
      else if (voucher.holder === holder) voucher.holder = undefined
    } catch (error) {
      const mayArrive = mayHaveBeenDone(error, this.#world)
      ended(mayArrive)
      const isRefused =
        !mayArrive && error instanceof Error && error.name === 'ConditionalCheckFailedException'
      if (!isRefused || !voucher.isRegistered || voucher.holder !== holder) return
      const seen = `${process.name} gave back ${about.join(' ')}, and it was no longer its own`
      throw new Violation('a voucher is in one hand', seen, about)
    }
  }

  /** @param limit for the first page only; everything without one */
  async #unused(process: Process, db: DynamoDBClient, campaign: string, limit?: number) {
    const query = {
      TableName: this.#options.table.name,
      IndexName: UNUSED_INDEX,
      KeyConditionExpression: 'unused = :campaign',
      ExpressionAttributeValues: { ':campaign': { S: campaign } },
    }
    if (limit === undefined) return everyItem(process, db, { ...query, Limit: 20 })
    const page = await untilAnswered(process, () => db.send(new QueryCommand({ ...query, Limit: limit })))
    return page.Items ?? []
  }

  /** @throws Violation where the table does not say what the holders know */
  async #stored(process: Process, db: DynamoDBClient, campaign: string): Promise<readonly Attributes[]> {
    const { name: table, partitionKey } = this.#options.table
    const { now } = this.#world
    // As it is before the reading: who is held up registers and claims late, while others read.
    const looks = [...this.#vouchers].flatMap(([name, voucher]) =>
      voucher.about[0] === campaign ? [{ name, look: beforeReading(voucher) }] : [],
    )
    const stored = await everyItemOf(process, db, { table, partitionKey, key: campaign })
    const items = new Map(stored.map((item) => [nameOf(item), item]))
    for (const { name, look } of looks) look(items.get(name), now)
    return stored
  }

  #campaigns(): readonly string[] {
    return Array.from({ length: this.#options.campaigns }, (_, index) => `campaign${index}`)
  }

  #campaign({ random }: Process): string {
    return `campaign${randomInteger(random, 0, this.#options.campaigns - 1)}`
  }
}

function nameOf({ campaign, code }: Attributes): string {
  return `${campaign?.S} ${code?.S}`
}
