import type { ExecutedRequest } from '../world/network.js'
import { type Attributes, contentOf, takenApart } from '../world/stored-items.js'
import { isThrottle } from '../world/throttle.js'
import type { WorkloadTable } from '../world/workload-table.js'

/** One attempt to write an item, as the service saw it. */
interface Attempt {
  readonly at: number
  readonly shard: number
  readonly isRefused: boolean
}

interface Put {
  readonly PutRequest?: { readonly Item: Attributes }
}

/** What the service sees of the writes to one key, in the last seconds. */
export class SteadyWatch {
  readonly #now: () => number
  readonly #table: Pick<WorkloadTable, 'name' | 'partitionKey' | 'sharded'>
  readonly #key: string
  readonly #milliseconds: number
  #attempts: Attempt[] = []
  readonly #refusedAt = new Map<number, number>()

  constructor(
    now: () => number,
    table: Pick<WorkloadTable, 'name' | 'partitionKey' | 'sharded'>,
    { key, milliseconds }: { readonly key: string; readonly milliseconds: number },
  ) {
    this.#now = now
    this.#table = table
    this.#key = key
    this.#milliseconds = milliseconds
  }

  readonly observe = ({ operation, input, output, error }: ExecutedRequest): void => {
    if (operation === 'BatchWriteItem') {
      const left = new Set(
        this.#putsOf((output as { UnprocessedItems?: object })?.UnprocessedItems).map(textOf),
      )
      const isRefused = isThrottle(error)
      const { RequestItems } = input as { readonly RequestItems?: object }
      for (const item of this.#putsOf(RequestItems)) this.#saw(item, isRefused || left.has(textOf(item)))
      return
    }
    const { TableName, Item, Key } = input as {
      readonly TableName?: string
      readonly Item?: Attributes
      readonly Key?: Attributes
    }
    if ((operation !== 'PutItem' && operation !== 'UpdateItem') || TableName !== this.#table.name) return
    if (output !== undefined || isThrottle(error)) this.#saw(Item ?? Key ?? {}, output === undefined)
  }

  /** Share of the attempts that was refused; all of them where nobody has tried. */
  get refusedShare(): number {
    const attempts = this.#recent()
    return attempts.length === 0 ? 1 : attempts.filter(({ isRefused }) => isRefused).length / attempts.length
  }

  /** When a shard last refused a write; -Infinity if it never did. */
  refusedAt(shard: number): number {
    return this.#refusedAt.get(shard) ?? Number.NEGATIVE_INFINITY
  }

  /** How many items each shard took, the first one first. */
  taken(shards: number): readonly number[] {
    const taken = new Array<number>(shards).fill(0)
    for (const { shard, isRefused } of this.#recent()) {
      if (!isRefused) taken[shard - 1] = (taken[shard - 1] ?? 0) + 1
    }
    return taken
  }

  #recent(): readonly Attempt[] {
    const from = this.#now() - this.#milliseconds
    this.#attempts = this.#attempts.filter(({ at }) => at >= from)
    return this.#attempts
  }

  #putsOf(tables: object | undefined): readonly Attributes[] {
    const puts = (tables as Readonly<Record<string, readonly Put[]>> | undefined)?.[this.#table.name] ?? []
    return puts.flatMap(({ PutRequest }) => (PutRequest === undefined ? [] : [PutRequest.Item]))
  }

  #saw(item: Attributes, isRefused: boolean): void {
    const { partitionKey, sharded } = this.#table
    const { logicalKey, shard } = takenApart(contentOf(item[partitionKey]), sharded.adopt === true)
    if (logicalKey !== this.#key) return
    this.#attempts.push({ at: this.#now(), shard, isRefused })
    if (isRefused) this.#refusedAt.set(shard, this.#now())
  }
}

function textOf(item: Attributes): string {
  return JSON.stringify(item)
}
