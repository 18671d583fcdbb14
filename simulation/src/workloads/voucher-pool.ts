import { type DynamoDBClient, QueryCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb'
import { randomInteger } from '@isotherm/runtime'
import type { Process } from '../world/process.js'
import { Violation } from '../world/violation.js'
import type { World } from '../world/world.js'
import { atRate } from './at-rate.js'
import { everyItem, everyItemOf } from './every-item.js'
import { mayHaveBeenDone } from './expected-error.js'
import { untilIndexAgrees } from './index-agreement.js'
import type { Attributes } from './item-operations.js'
import { untilAnswered } from './until-answered.js'
import { claimVoucher, putVouchers } from './voucher-writes.js'
import type { Client, Workload, WorkloadTable } from './workload.js'

export interface VoucherPoolOptions {
  /** With the index of unused vouchers, by campaign. */
  readonly table: WorkloadTable
  readonly operationsPerSecond: number
  readonly processes: number
  readonly campaigns: number
}

/** What is known of one voucher from outside. */
interface Voucher {
  readonly code: string
  readonly key: Attributes
  readonly about: readonly string[]
  /** Whether its registration is over for sure: a batch that may still arrive puts it back. */
  isRegistered: boolean
  /** Who has it, from the answer to the claim until it is given back. */
  holder: Holder | undefined
}

interface Holder {
  readonly process: string
  readonly claim: string
}

export const UNUSED_INDEX = 'unused'

/** As many as a batch takes. */
const BATCH = 25

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

  existing(): readonly Attributes[] {
    return []
  }

  begin(process: Process, db: Client): void {
    const { operationsPerSecond, processes } = this.#options
    const own: Voucher[] = []
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

  async #operate(process: Process, db: DynamoDBClient, own: Voucher[]): Promise<void> {
    const draw = process.random.next()
    if (draw < 0.1) return this.#register(process, db)
    if (draw < 0.7 || own.length === 0) return this.#claimOne(process, db, own)
    const [voucher] = own.splice(randomInteger(process.random, 0, own.length - 1), 1)
    if (voucher !== undefined) await this.#giveBack(process, db, voucher)
  }

  async #register(process: Process, db: DynamoDBClient): Promise<void> {
    const campaign = this.#campaign(process)
    const known = [...this.#vouchers.values()].filter(({ about }) => about[0] === campaign).length
    if (known >= MAX_VOUCHERS) return
    const added = Array.from({ length: BATCH }, (_, index) => this.#voucher(campaign, `code${known + index}`))
    for (const voucher of added) this.#vouchers.set(voucher.about.join(' '), voucher)
    let left = added
    while (left.length > 0) {
      const batch = left
      try {
        const refused = await putVouchers(db, this.#options.table.name, batch)
        left = batch.filter(({ code }) => refused.has(code))
        for (const voucher of batch) voucher.isRegistered = !refused.has(voucher.code)
      } catch (error) {
        // Nobody knows whether and when they come; from now on they are not looked at.
        if (mayHaveBeenDone(error, this.#world)) return
      }
      await process.clock.sleep(500 * process.random.next())
    }
  }

  async #claimOne(process: Process, db: DynamoDBClient, own: Voucher[]): Promise<void> {
    const found = await this.#unused(process, db, this.#campaign(process), 5)
    const one = found[randomInteger(process.random, 0, Math.max(0, found.length - 1))]
    const voucher = this.#vouchers.get(nameOf(one ?? {}))
    if (voucher === undefined) return
    this.#claims += 1
    const claim = `claim${this.#claims}`
    const isClaimed = await claimVoucher(this.#world, process, db, {
      table: this.#options.table.name,
      key: voucher.key,
      claim,
    })
    if (!isClaimed) return
    if (voucher.holder !== undefined && voucher.isRegistered) {
      const seen = `${voucher.about.join(' ')} was claimed by ${process.name} while ${voucher.holder.process} has it`
      throw new Violation('a voucher is in one hand', seen, voucher.about)
    }
    voucher.holder = { process: process.name, claim }
    own.push(voucher)
  }

  /** Back into the index, or used for good. What became of it is not asked: the holder is done with it. */
  async #giveBack(process: Process, db: DynamoDBClient, voucher: Voucher): Promise<void> {
    const { key, about, holder: { claim } = { claim: '' } } = voucher
    const isUsed = process.random.next() < 0.2
    // Its condition says whose it is, so that it may come as late as it will.
    if (!isUsed) voucher.holder = undefined
    try {
      await db.send(
        new UpdateItemCommand({
          TableName: this.#options.table.name,
          Key: key,
          UpdateExpression: isUsed ? 'SET used_by = :claim' : 'SET unused = :campaign REMOVE claim',
          ConditionExpression: 'claim = :claim',
          ExpressionAttributeValues: {
            ':claim': { S: claim },
            ...(isUsed ? {} : { ':campaign': key.campaign ?? { NULL: true } }),
          },
        }),
      )
    } catch (error) {
      const isLost = !mayHaveBeenDone(error, this.#world)
      const isRefused = isLost && error instanceof Error && error.name === 'ConditionalCheckFailedException'
      if (!isRefused || !voucher.isRegistered) return
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
    if (limit === undefined) return everyItem(this.#world, process, db, { ...query, Limit: 20 })
    const page = await untilAnswered(this.#world, process, () =>
      db.send(new QueryCommand({ ...query, Limit: limit })),
    )
    return page.Items ?? []
  }

  /** @throws Violation where the table does not say what the holders know */
  async #stored(process: Process, db: DynamoDBClient, campaign: string): Promise<readonly Attributes[]> {
    const { name: table, partitionKey } = this.#options.table
    // As it is before the reading: who is held up registers and claims late, while others read.
    const known = [...this.#vouchers].flatMap(([name, voucher]) =>
      voucher.isRegistered && voucher.about[0] === campaign
        ? [{ name, voucher, holder: voucher.holder }]
        : [],
    )
    const stored = await everyItemOf(this.#world, process, db, { table, partitionKey, key: campaign })
    const items = new Map(stored.map((item) => [nameOf(item), item]))
    for (const { name, voucher, holder } of known) {
      const { about } = voucher
      const item = items.get(name)
      if (item === undefined) throw new Violation('no voucher is lost', `${name} is nowhere`, about)
      if (holder === undefined || holder !== voucher.holder || item.claim?.S === holder.claim) continue
      const seen = `${name} belongs to ${holder.process} under ${holder.claim} and not to ${item.claim?.S}`
      throw new Violation('a voucher is in one hand', seen, about)
    }
    return stored
  }

  #campaigns(): readonly string[] {
    return Array.from({ length: this.#options.campaigns }, (_, index) => `campaign${index}`)
  }

  #campaign({ random }: Process): string {
    return `campaign${randomInteger(random, 0, this.#options.campaigns - 1)}`
  }

  #voucher(campaign: string, code: string): Voucher {
    return {
      code,
      key: { campaign: { S: campaign }, code: { S: code } },
      about: [campaign, code],
      isRegistered: false,
      holder: undefined,
    }
  }
}

function nameOf({ campaign, code }: Attributes): string {
  return `${campaign?.S} ${code?.S}`
}
