import { type DynamoDBClient, PutItemCommand, type TransactWriteItem } from '@aws-sdk/client-dynamodb'
import { createTable } from '@isotherm/fixtures'
import { createLocal } from '@isotherm/local'
import { SeededRandom, VirtualClock } from '@isotherm/runtime'
import { bindCondition, type Item, matches, Placeholders, parseCondition } from '@isotherm/semantics'
import type { ReadTogether } from '../src/attempts/read-many.js'
import { SummedMetadata } from '../src/attempts/summed-metadata.js'
import { Suffix } from '../src/keys/suffix.js'
import { fixedView, MOVE_ATTRIBUTES, type ShardView } from '../src/protocol/index.js'
import { CapacityByTable } from '../src/sdk/consumed-capacity.js'
import { TablesByName } from '../src/sdk/tables-by-name.js'
import { readMembers, type ShardedMember } from '../src/transactions/transact-member.js'
import { calculated } from '../src/writes/calculated.js'
import type { WrittenTable } from '../src/writes/written-table.js'
import { type StoredItem, scanned } from './sharded-engine.js'
import { warmedUp } from './warmed-up.js'

interface Shape {
  readonly suffix: 'random' | 'calculated'
  readonly view?: ShardView
  readonly name?: string
  /** `undefined` for a table without a sort key. */
  readonly sortKey?: string | undefined
  readonly itemsMayMove?: boolean
  readonly transactions?: boolean
  readonly clock?: VirtualClock
  readonly client?: DynamoDBClient
  readonly cacheMilliseconds?: number
}

const LATE_REQUEST_MILLISECONDS = 5_000

/** A table as a transaction sees it, with the view of its keys that a test wants, and what it records of reads. */
export function transactingTable(shape: Shape) {
  const { suffix, view = fixedView(4), name = 'log', clock = new VirtualClock(), client } = shape
  const sortKey = 'sortKey' in shape ? shape.sortKey : 'sk'
  const heat: object[] = []
  const table = {
    client,
    clock,
    random: new SeededRandom(1),
    options: {
      name,
      partitionKey: 'pk',
      sortKey,
      suffix: suffix === 'random' ? suffix : calculated(),
      transactions: shape.transactions ?? true,
      itemsMayMove: shape.itemsMayMove ?? true,
      hiddenAttributes: Object.values(MOVE_ATTRIBUTES),
      cacheMilliseconds: shape.cacheMilliseconds ?? 10_000,
      lateRequestMilliseconds: LATE_REQUEST_MILLISECONDS,
      maxAttempts: 3,
    },
    placementKind: suffix,
    suffix: new Suffix(name, '_', false),
    views: { forWrite: () => view, forRead: () => view, oneShard: () => undefined },
    readHeat: {
      answered: (key: object, units: number, read: object) => heat.push({ answered: key, units, ...read }),
      throttled: async (refused: object) => heat.push(refused),
    },
    emit: () => {},
  } as unknown as WrittenTable
  return { table, heat }
}

/** The members of a request for sharded tables. */
export function membersOf(
  tables: readonly WrittenTable[],
  ...given: readonly TransactWriteItem[]
): readonly ShardedMember[] {
  return readMembers(new TablesByName({} as never, tables), given) as readonly ShardedMember[]
}

/** An engine with the table `log`, and the table as a transaction sees it. */
export async function transactingEngine(shape: Omit<Shape, 'client' | 'clock'>) {
  const clock = new VirtualClock()
  const local = createLocal({ clock, random: new SeededRandom(2), throttle: false })
  const client = await warmedUp(local.client())
  const { table } = transactingTable({ ...shape, client, clock })
  const { sortKey } = table.options
  await clock.run(() => client.send(createTable('log', sortKey === undefined ? ['pk'] : ['pk', sortKey])))
  const together: ReadTogether = {
    client,
    request: { carryMiddleware: () => {} },
    options: undefined,
    returnConsumedCapacity: undefined,
    metadata: new SummedMetadata(),
    capacity: new CapacityByTable(),
  }
  return {
    table,
    clock,
    together,
    /** Stores an item in a shard. */
    put: async (shard: number, item: StoredItem): Promise<void> => {
      const Item = { ...item, pk: { S: `${item.pk?.S}_${shard}` } }
      await client.send(new PutItemCommand({ TableName: 'log', Item }))
    },
    stored: () => scanned(client, 'log'),
    close: () => local.close(),
  }
}

/** In which of the states of its item the service carries an action out. */
export function allowedStates<State extends string>(
  request: TransactWriteItem,
  states: Readonly<Record<State, StoredItem | undefined>>,
): readonly State[] {
  const [action] = Object.values(request)
  const { ConditionExpression, ExpressionAttributeNames, ExpressionAttributeValues } = action
  if (ConditionExpression === undefined) return Object.keys(states) as State[]
  const placeholders = new Placeholders(ExpressionAttributeNames, ExpressionAttributeValues)
  const ast = parseCondition('ConditionExpression', ConditionExpression)
  const condition = bindCondition('ConditionExpression', ast, placeholders)
  const entries = Object.entries(states) as [State, Item | undefined][]
  return entries.filter(([, item]) => matches(condition, item)).map(([state]) => state)
}
