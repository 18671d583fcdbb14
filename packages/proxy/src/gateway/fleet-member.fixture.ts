import { type DynamoDBClient, PutItemCommand, paginateQuery } from '@aws-sdk/client-dynamodb'
import type { VirtualClock } from '@isotherm/runtime'
import { type IsothermMethods, type IsothermOptions, isotherm } from 'isotherm'
import { Gateway } from './gateway.js'

/** A writer and reader of a fleet: a proxy, or a process of the library. */
export interface Member {
  put(at: number): Promise<void>
  /** The numbers of all items that it finds by a consistent query of every page. */
  read(): Promise<readonly number[]>
  /** The client of the library. */
  readonly db: DynamoDBClient & IsothermMethods
}

/** The hot key of all tests of fleets. */
export const HOT_KEY = '/sale'

const QUERY = {
  TableName: 'log',
  KeyConditionExpression: 'doc = :d',
  ExpressionAttributeValues: { ':d': { S: HOT_KEY } },
  ProjectionExpression: 'seq',
  ConsistentRead: true,
}

/** @param itemUnits write units of each item */
export function ofLibrary(client: DynamoDBClient, options: IsothermOptions, itemUnits: number): Member {
  const db = isotherm(client, options)
  return {
    db,
    async put(at) {
      await db.send(new PutItemCommand({ TableName: 'log', Item: itemAt(at, itemUnits) }))
    },
    async read() {
      const found = []
      for await (const { Items = [] } of paginateQuery({ client: db }, { ...QUERY })) found.push(...Items)
      return found.map(({ seq }) => Number(seq?.N))
    },
  }
}

/** Its requests are those that a caller in any language sends. */
export function ofProxy(
  client: DynamoDBClient,
  options: IsothermOptions,
  clock: VirtualClock,
  itemUnits: number,
): Member {
  const gateway = new Gateway({ client, options, clock })
  const ask = async (operation: string, input: object) => {
    const body = Buffer.from(JSON.stringify(input))
    const target = `DynamoDB_20120810.${operation}`
    const { signal } = new AbortController()
    const { answer, route } = await gateway.execute({ target, headers: {}, body, text: body }, signal)
    const output = JSON.parse(answer.body.toString())
    if (answer.status !== 200) throw Object.assign(new Error(output.message), { name: output.__type })
    if (route !== 'sharded') throw new Error(`The request took the route '${route}'.`)
    return output
  }
  return {
    db: gateway.db,
    put: (at) => ask('PutItem', { TableName: 'log', Item: itemAt(at, itemUnits) }),
    async read() {
      const found = []
      let ExclusiveStartKey: object | undefined
      do {
        const page = await ask('Query', { ...QUERY, ...(ExclusiveStartKey && { ExclusiveStartKey }) })
        found.push(...page.Items)
        ExclusiveStartKey = page.LastEvaluatedKey
      } while (ExclusiveStartKey !== undefined)
      return found.map(({ seq }) => Number(seq.N))
    },
  }
}

function itemAt(at: number, itemUnits: number) {
  return { doc: { S: HOT_KEY }, seq: { N: String(at) }, text: { S: 'x'.repeat(itemUnits * 1_024 - 200) } }
}
