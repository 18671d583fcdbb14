import type { ExecutedRequest } from '../world/network.js'
import { Violation } from '../world/violation.js'
import { shardMapOf, type WorkloadIndex, type WorkloadTable } from '../world/workload-table.js'
import type { World } from '../world/world.js'

/** How the keys begin under which the shard map has the counts of indexes. */
const INDEX_KEY = 'isotherm:index:'

type Attributes = Readonly<Record<string, { readonly S?: string; readonly SS?: readonly string[] }>>

interface Put {
  readonly Item?: Attributes
  readonly ExpressionAttributeValues?: Attributes
}

interface Written extends Put {
  readonly TableName?: string
  readonly Key?: Attributes
  readonly RequestItems?: Readonly<Record<string, readonly { readonly PutRequest?: Put }[]>>
  readonly TransactItems?: readonly {
    readonly Put?: Put & { readonly TableName?: string }
    readonly Update?: Put & { readonly TableName?: string }
  }[]
}

/** Whether the shard map has this key for a value of an index, and not for a key of its table. */
export function isIndexKey(key: string): boolean {
  return key.startsWith(INDEX_KEY)
}

/**
 * Follows the counts of a table's dynamic indexes as the service stores them, and holds the entries of the indexes against
 * them: readers look into every shard that has one, and no shard is ever forgotten.
 */
export class IndexCountWatch {
  readonly #world: Pick<World, 'lane' | 'guard'>
  readonly #table: WorkloadTable
  readonly #shardMap: string
  readonly #readable = new Map<string, number>()

  constructor(world: Pick<World, 'lane' | 'guard'>, table: WorkloadTable) {
    this.#world = world
    this.#table = table
    this.#shardMap = shardMapOf(table)
  }

  readonly observe = ({ operation, input, output }: ExecutedRequest): void => {
    if (output === undefined) return
    const written = input as Written
    if (written.TableName === this.#shardMap && (operation === 'PutItem' || operation === 'UpdateItem')) {
      const key = (written.Item ?? written.Key)?.[this.#table.partitionKey]?.S
      if (key !== undefined && isIndexKey(key)) this.#look(key).catch((error) => this.#world.guard(error))
      return
    }
    try {
      for (const attributes of writtenTo(this.#table.name, operation, written)) this.#check(attributes)
    } catch (error) {
      this.#world.guard(error)
    }
  }

  /** @throws Violation */
  #check(attributes: Attributes): void {
    const { indexes } = this.#table
    for (const value of Object.values(attributes)) {
      for (const index of indexes) {
        // The values of workloads do not end in numbers, so that only an added attribute looks like this.
        const [, text, shard] = /^([a-z]+)_(\d+)$/.exec(value.S ?? '') ?? []
        if (!index.isDynamic || text === undefined || !this.#isOf(index, attributes, value)) continue
        this.#covers(index, text, Number(shard))
      }
    }
  }

  /** Whether the attribute is the index's own: by its name, or by its placeholder in an update. */
  #isOf({ name }: WorkloadIndex, attributes: Attributes, value: object): boolean {
    return attributes[`isotherm_${name}`] === value || attributes[':isotherm_shadow'] === value
  }

  #covers({ name, shards }: WorkloadIndex, text: string, shard: number): void {
    const key = `${INDEX_KEY}${JSON.stringify([`isotherm_${name}`, 'S', text])}`
    const readable = this.#readable.get(key) ?? shards
    if (shard <= readable) return
    const seen = `an item under ${text} is in shard ${shard} of ${name}, and readers look in ${readable}`
    throw new Violation('the history covers every shard of an index that holds an item', seen, [text])
  }

  async #look(key: string): Promise<void> {
    const { output } = await this.#world.lane.execute('GetItem', {
      TableName: this.#shardMap,
      Key: { [this.#table.partitionKey]: { S: key } },
      ConsistentRead: true,
    })
    const { Item } = output as { readonly Item?: Attributes & { readonly number_of_shards?: { N?: string } } }
    if (Item === undefined) return
    const counts = (Item.shard_history?.SS ?? []).map((entry) => Number(entry.split(':')[1]))
    const readable = Math.max(Number(Item.number_of_shards?.N), ...counts)
    const before = this.#readable.get(key) ?? 0
    this.#readable.set(key, readable)
    if (readable >= before) return
    throw new Violation('no shard of an index is forgotten', `${key} went from ${before} to ${readable}`, [
      key,
    ])
  }
}

function writtenTo(name: string, operation: string, written: Written): readonly Attributes[] {
  const { TableName, RequestItems, TransactItems } = written
  const partsOf = (put: Put | undefined) => [put?.Item ?? [], put?.ExpressionAttributeValues ?? []].flat()
  if (operation === 'PutItem' || operation === 'UpdateItem') return TableName === name ? partsOf(written) : []
  if (operation === 'BatchWriteItem') {
    return (RequestItems?.[name] ?? []).flatMap(({ PutRequest }) => partsOf(PutRequest))
  }
  if (operation !== 'TransactWriteItems') return []
  const members = (TransactItems ?? []).map(({ Put, Update }) => Put ?? Update)
  return members.flatMap((member) => (member?.TableName === name ? partsOf(member) : []))
}
