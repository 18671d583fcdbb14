import type { SeededRandom } from '@isotherm/runtime'
import type { ExecutedRequest } from '../world/network.js'
import type { Scheduler } from '../world/scheduler.js'
import type { Region } from './region.js'
import { type TableKeys, type WrittenKey, writtenKeys } from './written-keys.js'

/** When, and where, an item was written. Of two versions the later one stays. */
interface Version {
  readonly at: number
  readonly region: string
}

export interface ReplicationOptions {
  readonly scheduler: Scheduler
  readonly random: SeededRandom
  readonly keys: TableKeys
  /** No item takes longer. */
  readonly longestMilliseconds: number
  readonly onFailed: (error: unknown) => void
}

/** Of all items. The others take about a tenth of the longest time. */
const SLOW_SHARE = 0.1

/**
 * Copies every item that is written in one of two regions to the other one, each by itself, also those of one transaction. The last
 * writer wins, as in a global table with eventual consistency.
 * Source: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/V2globaltables_HowItWorks.html
 */
export class Replication {
  readonly #options: ReplicationOptions
  readonly #versions = new Map<Region, Map<string, Version>>()
  readonly #tokens = new Set<string>()
  #regions: readonly Region[] = []

  constructor(options: ReplicationOptions) {
    this.#options = options
  }

  between(regions: readonly Region[]): void {
    this.#regions = regions
    for (const region of regions) this.#versions.set(region, new Map())
  }

  readonly executed = (from: Region, { operation, input, output }: ExecutedRequest): void => {
    if (output === undefined || this.#isRepeated(input)) return
    const { scheduler, keys, onFailed } = this.#options
    const version = { at: scheduler.now(), region: from.name }
    for (const written of writtenKeys(operation, input, keys)) {
      this.#versions.get(from)?.set(nameOf(written), version)
      this.#send(from, written, version).catch(onFailed)
    }
  }

  /** A transaction with the token of one that was carried out writes nothing. */
  #isRepeated(input: object): boolean {
    const { ClientRequestToken: token } = input as { readonly ClientRequestToken?: string }
    if (token === undefined) return false
    const isRepeated = this.#tokens.has(token)
    this.#tokens.add(token)
    return isRepeated
  }

  async #send(from: Region, { table, key }: WrittenKey, version: Version): Promise<void> {
    const { scheduler } = this.#options
    const { output } = await from.lane.execute('GetItem', {
      TableName: table,
      Key: key,
      ConsistentRead: true,
    })
    await scheduler.sleep(this.#lag())
    for (const to of this.#regions) {
      const versions = this.#versions.get(to)
      const name = nameOf({ table, key })
      if (to === from || versions === undefined || isLater(versions.get(name), version)) continue
      versions.set(name, version)
      const request = output.Item === undefined ? { Key: key } : { Item: output.Item }
      await this.#apply(to, output.Item === undefined ? 'DeleteItem' : 'PutItem', {
        TableName: table,
        ...request,
      })
    }
  }

  /** An item may be locked by a transaction. */
  async #apply(to: Region, operation: string, input: object): Promise<void> {
    for (;;) {
      try {
        await to.lane.execute(operation, input)
        return
      } catch (error) {
        if (!(error instanceof Error) || error.name !== 'TransactionConflictException') throw error
        await this.#options.scheduler.sleep(1)
      }
    }
  }

  #lag(): number {
    const { random, longestMilliseconds } = this.#options
    const isSlow = random.next() < SLOW_SHARE
    return longestMilliseconds * random.next() * (isSlow ? 1 : 0.1)
  }
}

function isLater(known: Version | undefined, version: Version): boolean {
  if (known === undefined) return false
  return known.at === version.at ? known.region > version.region : known.at > version.at
}

function nameOf({ table, key }: WrittenKey): string {
  return JSON.stringify([table, ...Object.values(key)])
}
