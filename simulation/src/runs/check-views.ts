import { type DynamoDBClient, QueryCommand } from '@aws-sdk/client-dynamodb'
import { requireExpected, wasTooSlow } from '../workloads/expected-error.js'
import type { ExecutedRequest } from '../world/network.js'
import type { Process } from '../world/process.js'
import { type Attributes, contentOf, takenApart } from '../world/stored-items.js'
import { Violation } from '../world/violation.js'
import type { WorkloadTable } from '../world/workload-table.js'
import type { World } from '../world/world.js'
import type { Watches } from './last-checks.js'

export interface ViewCheck {
  readonly clients: ReadonlyMap<Process, DynamoDBClient>
  readonly tables: readonly WorkloadTable[]
  readonly watches: Watches
  /** After so long a process may not go by a count that it has read before. */
  readonly cacheMilliseconds: number
  /** How long the readings may take. */
  readonly atMostMilliseconds: number
}

interface RestingKey {
  readonly table: WorkloadTable
  readonly key: string
  readonly shards: number
  readonly seenAt: number
}

/** All at once, sixty processes with hundreds of keys would ask a partition for a hundred times what it reads in a second, and be refused. */
const QUERIES_AT_A_TIME = 64

/**
 * When all has come to rest, and nobody has asked for as long as a cache lives, every process asks each key's shards, and no
 * others. Seen from outside, by where its queries go: what it has in its cache is its own affair.
 */
export async function checkViews(world: World, check: ViewCheck): Promise<void> {
  await world.scheduler.run(world.now + check.cacheMilliseconds)
  if (world.violation !== undefined) return
  const resting = restingKeys(world, check)
  const asked = new AskedShards(resting)
  world.observers.push(asked.observe)
  // A query that was refused may not have got to all shards, and says nothing.
  const answered: { readonly process: Process; readonly resting: RestingKey }[] = []
  const ask = async (process: Process, each: RestingKey) => {
    try {
      await check.clients.get(process)?.send(queryOf(each.table, each.key))
      answered.push({ process, resting: each })
    } catch (error) {
      // Nothing is held up any more, so what the process knew cannot have been too old.
      if (wasTooSlow(error)) disagree(world, process, each, String(error))
      else requireExpected(error)
    }
  }
  const queries = world.processes.flatMap((process) => resting.map((each) => [process, each] as const))
  const remaining = queries.values()
  const asking = Array.from({ length: QUERIES_AT_A_TIME }, async () => {
    for (const [process, each] of remaining) await ask(process, each)
  })
  let isDone = false
  Promise.all(asking)
    .catch((error: unknown) => world.guard(error))
    .finally(() => {
      isDone = true
      world.scheduler.stop()
    })
  await world.scheduler.run(world.now + check.atMostMilliseconds)
  if (world.violation !== undefined) return
  if (!isDone)
    return world.fail(new Violation('everything comes to an end', 'processes still wait for a page'))
  world.scheduler.resume()
  world.observers.splice(world.observers.indexOf(asked.observe), 1)
  for (const { process, resting: each } of answered) {
    // A key that is quiet may lose shards by being looked at.
    if (stateOf(check, each)?.seenAt === each.seenAt) requireAgreement(world, process, each, asked)
  }
}

/** Those whose count is so old that no cache may have the one before. */
function restingKeys(world: World, { tables, watches, cacheMilliseconds }: ViewCheck): readonly RestingKey[] {
  return tables.flatMap((table) =>
    [...(watches.get(table.name)?.keys() ?? [])].flatMap((key) => {
      const state = watches.get(table.name)?.stateOf(key)
      if (state === undefined || state.changingSince !== undefined) return []
      const { shards, seenAt } = state
      return world.now - seenAt < cacheMilliseconds ? [] : [{ table, key, shards, seenAt }]
    }),
  )
}

function stateOf({ watches }: ViewCheck, { table, key }: RestingKey) {
  return watches.get(table.name)?.stateOf(key)
}

function queryOf({ name, partitionKey }: WorkloadTable, key: string): QueryCommand {
  return new QueryCommand({
    TableName: name,
    KeyConditionExpression: '#key = :key',
    ExpressionAttributeNames: { '#key': partitionKey },
    ExpressionAttributeValues: { ':key': { S: key } },
    Limit: 1,
  })
}

function requireAgreement(world: World, process: Process, resting: RestingKey, asked: AskedShards): void {
  const { table, key, shards } = resting
  const seen = asked.by(process, table.name, key)
  if (seen.size === shards && Math.max(...seen) === shards) return
  const numbers = [...seen].sort((a, b) => a - b).join(', ')
  disagree(world, process, resting, `it has ${shards} shards and not ${numbers}`)
}

function disagree(world: World, { name }: Process, { key }: RestingKey, seen: string): void {
  world.fail(new Violation('caches agree with the shard map', `${name} asks for ${key}: ${seen}`, [key]))
}

/** Whether the table's own keys are asked for: of the table, or of an index that is a copy of it. */
function isOfTable({ sharded }: WorkloadTable, index: string | undefined): boolean {
  return index === undefined || sharded.readReplicas?.includes(index) === true
}

/** Where the queries of each process went. */
class AskedShards {
  readonly #tables: ReadonlyMap<string, WorkloadTable>
  readonly #keys: ReadonlySet<string>
  readonly #asked = new Map<Process, Map<string, Set<number>>>()

  constructor(resting: readonly RestingKey[]) {
    this.#tables = new Map(resting.map(({ table }) => [table.name, table]))
    this.#keys = new Set(resting.map(({ key }) => key))
  }

  readonly observe = ({ process, operation, input }: ExecutedRequest): void => {
    if (operation !== 'Query') return
    const query = input as {
      readonly TableName?: string
      readonly IndexName?: string
      readonly ProjectionExpression?: string
      readonly ExpressionAttributeValues?: Attributes
    }
    // A process that compares its options with the table asks for keys that no item should have.
    if (query.ProjectionExpression?.startsWith('#first')) return
    const table = this.#tables.get(query.TableName ?? '')
    if (table === undefined || !isOfTable(table, query.IndexName)) return
    // A page may begin behind a sort key, which stands among the values too.
    const values = Object.values(query.ExpressionAttributeValues ?? {}).map(contentOf)
    const stored = values.find((value) => this.#keys.has(value.replace(/_\d+$/, '')))
    if (stored === undefined) return
    const { logicalKey, shard } = takenApart(stored, table.sharded.adopt === true)
    this.by(process, table.name, logicalKey).add(shard)
  }

  by(process: Process, table: string, key: string): Set<number> {
    const keys = this.#asked.get(process) ?? new Map<string, Set<number>>()
    this.#asked.set(process, keys)
    const shards = keys.get(`${table}\n${key}`) ?? new Set()
    keys.set(`${table}\n${key}`, shards)
    return shards
  }
}
