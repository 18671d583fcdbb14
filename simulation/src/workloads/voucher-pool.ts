import { GetItemCommand } from '@aws-sdk/client-dynamodb'
import { randomInteger, SeededRandom } from '@isotherm/runtime'
import type { Claim, Pool } from 'isotherm/pool'
import type { Library } from '../world/library.js'
import type { Process } from '../world/process.js'
import { Violation } from '../world/violation.js'
import type { WorkloadTable } from '../world/workload-table.js'
import type { World } from '../world/world.js'
import { atRate } from './at-rate.js'
import { everyItem } from './every-item.js'
import { requireExpected } from './expected-error.js'
import { untilIndexAgrees } from './index-agreement.js'
import type { Attributes } from './item-operations.js'
import { untilAnswered } from './until-answered.js'
import type { Client, Workload } from './workload.js'

export interface VoucherPoolOptions {
  /** With the index of unused vouchers. */
  readonly table: WorkloadTable
  readonly operationsPerSecond: number
  readonly processes: number
  /** One pool each. */
  readonly campaigns: readonly string[]
}

/** What is known of one voucher from outside. */
interface Voucher {
  readonly code: string
  readonly campaign: string
  /** Whether its registration was acknowledged. */
  isRegistered: boolean
  holder: Holder | undefined
}

/** Who has a voucher, from the answer to the claim until it is given back for sure. */
interface Holder {
  readonly process: string
  readonly claim: string
  /** It is being given back, and that may be done; or it was used for good, and that is known to be done. */
  became?: 'given back' | 'used'
}

interface Held {
  readonly voucher: Voucher
  readonly holder: Holder
}

export const UNUSED_INDEX = 'unused'

/** Vouchers that each campaign of an adopted table has before anybody shards it. */
const EXISTING = 10

const MOST_ADDED = 25
const MOST_CLAIMED = 3

/** Vouchers of one campaign that are registered at most: of many that nobody wants there is nothing to see. */
const MAX_VOUCHERS = 150

/** The library shards the index; the pool alone would need as many shards as both have together. */
const POOL_SHARDS = 2

/** The codes whose shard counts operators change. */
export function firstVouchers(campaigns: number): readonly string[] {
  return Array.from({ length: campaigns }, (_, index) => codeOf(`campaign${index}`, 0))
}

/** The ids that `add` did not add. */
function unprocessedIds(error: unknown): string[] | undefined {
  const { code, details } = Object(error)
  return code === 'pool.unprocessed' ? details.ids : undefined
}

function codeOf(campaign: string, index: number): string {
  return `${campaign}-code${index}`
}

/**
 * Vouchers in pools of the library, in a sharded table with a sharded index besides: registered, claimed, given back and used. A voucher
 * is in one hand at a time, and what is in nobody's hand is in the index.
 */
export class VoucherPool implements Workload {
  readonly name = 'pool'
  readonly tables: readonly WorkloadTable[]
  readonly #world: World
  readonly #library: Library
  readonly #options: VoucherPoolOptions
  readonly #vouchers = new Map<string, Voucher>()
  /** Claims without a response, at most: of calls that failed, and of processes that crashed. */
  #untold = 0

  constructor(world: World, library: Library, options: VoucherPoolOptions) {
    this.#world = world
    this.#library = library
    this.#options = options
    this.tables = [options.table]
  }

  /** Vouchers that were used. One that nobody has would have to be in the index. */
  existing(): readonly Attributes[] {
    return this.#options.campaigns.flatMap((campaign) =>
      Array.from({ length: EXISTING }, (_, index) => {
        const voucher = this.#newVoucher(campaign)
        voucher.isRegistered = true
        voucher.holder = { process: 'before', claim: `claim${index}`, became: 'used' }
        return { ...this.#key(voucher), claim: { S: `claim${index}` }, used_at: { N: '1' } }
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
    for (const code of firstVouchers(this.#options.campaigns.length)) {
      const holder = undefined
      const known = this.#vouchers.get(code) ?? { code, campaign: '', isRegistered: false, holder }
      await this.#look(process, db, known)
    }
  }

  neighbours(): readonly string[] {
    return []
  }

  async conclude(process: Process, db: Client): Promise<void> {
    let unknown = 0
    const unused: string[] = []
    for (const voucher of this.#vouchers.values()) {
      const item = await this.#look(process, db, voucher)
      if (item?.unused !== undefined) unused.push(voucher.code)
      else if (item !== undefined && voucher.holder === undefined) unknown += 1
      else if (voucher.holder?.became === 'given back' && item?.claim?.S !== voucher.holder.claim)
        unknown += 1
    }
    if (unknown > this.#untold) {
      const seen = `${unknown} vouchers are in no hand and not unused, and at most ${this.#untold} claims got no answer`
      throw new Violation('no voucher is lost', seen)
    }
    for (const campaign of this.#options.campaigns) {
      await untilIndexAgrees(process, {
        index: UNUSED_INDEX,
        expected: async () => unused.filter((code) => code.startsWith(`${campaign}-`)),
        found: () => this.#inIndex(process, db, campaign),
      })
    }
  }

  async #operate(process: Process, db: Client, own: Held[]): Promise<void> {
    const draw = process.random.next()
    if (draw < 0.1) return this.#register(process, db)
    if (draw < 0.15) {
      const all = [...this.#vouchers.values()]
      const one = all[randomInteger(process.random, 0, Math.max(0, all.length - 1))]
      if (one !== undefined) await this.#look(process, db, one)
      return
    }
    if (draw < 0.6 || own.length === 0) return this.#claim(process, db, own)
    const [held] = own.splice(randomInteger(process.random, 0, own.length - 1), 1)
    if (held !== undefined) await this.#end(process, db, held)
  }

  async #register(process: Process, db: Client): Promise<void> {
    const campaign = this.#campaign(process)
    const known = [...this.#vouchers.values()].filter((voucher) => voucher.campaign === campaign).length
    if (known >= MAX_VOUCHERS) return
    const length = randomInteger(process.random, 1, MOST_ADDED)
    const added = Array.from({ length }, () => this.#newVoucher(campaign))
    let left = added.map(({ code }) => code)
    await untilAnswered(process, async () => {
      try {
        await this.#open(process, db, campaign).add(left)
      } catch (error) {
        // Each id that is in the pool costs a unit when it is added again.
        left = unprocessedIds(error) ?? left
        throw error
      }
    })
    for (const voucher of added) voucher.isRegistered = true
  }

  async #claim(process: Process, db: Client, own: Held[]): Promise<void> {
    const count = randomInteger(process.random, 1, MOST_CLAIMED)
    const untold = (claims: number) => {
      this.#untold += claims
    }
    const crashed = () => untold(count)
    process.whenCrashed(crashed)
    let claims: readonly Claim[] = []
    try {
      claims = await this.#open(process, db, this.#campaign(process)).claim(count)
    } catch (error) {
      requireExpected(error)
    } finally {
      process.notWhenCrashed(crashed)
    }
    untold(count - claims.length)
    for (const { id, claim } of claims) own.push(this.#held(process, id, claim))
  }

  /** @throws Violation if somebody else has it */
  #held({ name }: Process, id: string, claim: string): Held {
    const voucher = this.#vouchers.get(id)
    if (voucher === undefined)
      throw new Violation('a voucher is one that was registered', `${name} claimed ${id}`, [id])
    const { holder: other } = voucher
    if (other !== undefined && other.became !== 'given back') {
      const seen = `${id} was claimed by ${name} while ${other.process} has it`
      throw new Violation('a voucher is in one hand', seen, [id])
    }
    const holder: Holder = { process: name, claim }
    voucher.holder = holder
    return { voucher, holder }
  }

  /** Back into the index, or used for good. It is sent until it is answered: its holder alone may do so. */
  async #end(process: Process, db: Client, { voucher, holder }: Held): Promise<void> {
    const { code: id, campaign } = voucher
    const { claim } = holder
    const isUsed = process.random.next() < 0.2
    if (!isUsed) holder.became = 'given back'
    try {
      const vouchers = this.#open(process, db, campaign)
      await untilAnswered(process, () =>
        isUsed ? vouchers.use({ id, claim }) : vouchers.release({ id, claim }),
      )
    } catch (error) {
      if (Object(error).code !== 'pool.not-claimed') throw error
      // An attempt of which nobody heard may have given it back, and others claimed and released it since.
      if (!isUsed && voucher.holder !== holder) return
      const seen = `${process.name} ended its claim of ${id}, and it was no longer its own`
      throw new Violation('a voucher is in one hand', seen, [id])
    }
    if (isUsed) holder.became = 'used'
    else if (voucher.holder === holder) voucher.holder = undefined
  }

  /** @throws Violation where the table does not say what the holder knows */
  async #look(process: Process, db: Client, voucher: Voucher): Promise<Attributes | undefined> {
    const { isRegistered, holder, code } = voucher
    const became = holder?.became
    const read = { TableName: this.#options.table.name, Key: this.#key(voucher), ConsistentRead: true }
    const { Item: item } = await untilAnswered(process, () => db.send(new GetItemCommand(read)))
    if (isRegistered && item === undefined)
      throw new Violation('no voucher is lost', `${code} is nowhere`, [code])
    if (
      holder === undefined ||
      holder !== voucher.holder ||
      became !== holder.became ||
      became === 'given back'
    )
      return item
    const isHeld = item?.claim?.S === holder.claim && item.unused === undefined
    if (isHeld && (became !== 'used' || item.used_at !== undefined)) return item
    const about = became === 'used' ? 'what was used stays used' : 'a voucher is in one hand'
    const seen = `${code} belongs to ${holder.process} under ${holder.claim}, and the table says ${JSON.stringify(item)}`
    throw new Violation(about, seen, [code])
  }

  async #inIndex(process: Process, db: Client, campaign: string): Promise<readonly string[]> {
    const found: string[] = []
    for (let shard = 1; shard <= POOL_SHARDS; shard++) {
      const items = await everyItem(process, db, {
        TableName: this.#options.table.name,
        IndexName: UNUSED_INDEX,
        KeyConditionExpression: 'unused = :shard',
        ExpressionAttributeValues: { ':shard': { S: `${campaign}#${shard}` } },
        Limit: 20,
      })
      found.push(...items.map(({ code }) => code?.S ?? ''))
    }
    return found
  }

  #newVoucher(campaign: string): Voucher {
    const known = [...this.#vouchers.values()].filter((voucher) => voucher.campaign === campaign).length
    const voucher = { code: codeOf(campaign, known), campaign, isRegistered: false, holder: undefined }
    this.#vouchers.set(voucher.code, voucher)
    return voucher
  }

  #key({ code }: Voucher): Attributes {
    const { partitionKey, sortKey } = this.#options.table
    return { [partitionKey]: { S: code }, [sortKey]: { S: 'isotherm:pool' } }
  }

  #open(process: Process, db: Client, name: string): Pool {
    const { table } = this.#options
    return this.#library.pool(db, {
      table: table.name,
      partitionKey: table.partitionKey,
      sortKey: table.sortKey,
      name,
      index: UNUSED_INDEX,
      shards: POOL_SHARDS,
      clock: process.clock,
      random: new SeededRandom(Math.floor(process.random.next() * 2 ** 32)),
    })
  }

  #campaign({ random }: Process): string {
    const { campaigns } = this.#options
    return campaigns[randomInteger(random, 0, campaigns.length - 1)] ?? ''
  }
}
