import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import {
  CreateTableCommand,
  type CreateTableCommandInput,
  DescribeTableCommand,
  PutItemCommand,
  QueryCommand,
} from '@aws-sdk/client-dynamodb'
import { createTable } from '@isotherm/fixtures'
import { createLocal } from '@isotherm/local'
import { dynamicShards, ensureShardMap, isotherm } from 'isotherm'
import { expect, it } from 'vitest'
import { parse } from 'yaml'

const page = readFileSync(fileURLToPath(new URL('../docs/shard-map.md', import.meta.url)), 'utf8')
const keys = { partitionKey: 'customer', sortKey: 'order_id' } as const

function blockAfter(heading: string, language: string): string {
  const found = new RegExp(`^${heading}:\n\n\`\`\`${language}\n(.*?)^\`\`\``, 'ms').exec(page)
  if (found?.[1] === undefined) throw new Error(`docs/shard-map.md has no ${language} behind "${heading}:".`)
  return found[1]
}

/** The table of the CloudFormation template, without what is no member of CreateTable. */
function fromCloudFormation(): CreateTableCommandInput {
  const { Resources } = parse(blockAfter('CloudFormation', 'yaml'))
  const [{ Type, Properties }] = Object.values(Resources) as [{ Type: string; Properties: object }]
  expect(Type).toBe('AWS::DynamoDB::Table')
  const { PointInTimeRecoverySpecification: backups, ...input } = Properties as CreateTableCommandInput & {
    readonly PointInTimeRecoverySpecification: object
  }
  expect(backups).toEqual({ PointInTimeRecoveryEnabled: true })
  return input
}

/** The table of the Terraform resource, by its assignments. */
function fromTerraform(): CreateTableCommandInput {
  const code = blockAfter('Terraform', 'hcl')
  const value = (name: string) => new RegExp(`^ +${name} += "?([^"\n]+)"?$`, 'm').exec(code)?.[1]
  const AttributeName = value('hash_key')
  expect(value('range_key')).toBeUndefined()
  expect(/attribute \{\s+name = "(\w+)"/.exec(code)?.[1]).toBe(AttributeName)
  return {
    TableName: value('name'),
    BillingMode: value('billing_mode') as 'PAY_PER_REQUEST',
    KeySchema: [{ AttributeName, KeyType: 'HASH' }],
    AttributeDefinitions: [{ AttributeName, AttributeType: value('type') as 'S' }],
    DeletionProtectionEnabled: value('deletion_protection_enabled') === 'true',
  }
}

async function withOrders<Result>(work: (local: ReturnType<typeof createLocal>) => Promise<Result>) {
  const local = createLocal({ throttle: false, metrics: false })
  try {
    await local.client().send(createTable('orders', ['customer', 'order_id']))
    return await work(local)
  } finally {
    await local.close()
  }
}

async function described(local: ReturnType<typeof createLocal>) {
  const { Table } = await local.client().send(new DescribeTableCommand({ TableName: 'orders_shard_map' }))
  const { KeySchema, AttributeDefinitions, BillingModeSummary } = Table ?? {}
  return { KeySchema, AttributeDefinitions, mode: BillingModeSummary?.BillingMode }
}

it.each([
  ['CloudFormation', fromCloudFormation],
  ['Terraform', fromTerraform],
])('the shard map of docs/shard-map.md for %s is the one that the library makes, and works', (_, template) =>
  withOrders(async (local) => {
    const input = template()
    expect(input.DeletionProtectionEnabled).toBe(true)
    await local.client().send(new CreateTableCommand(input))
    const made = await withOrders(async (other) => {
      await ensureShardMap(other.client(), { table: 'orders' })
      return described(other)
    })
    expect(await described(local)).toEqual(made)

    const db = isotherm(local.client(), {
      tables: { orders: { ...keys, suffix: 'calculated', shards: dynamicShards() } },
    })
    await db.send(
      new PutItemCommand({ TableName: 'orders', Item: { customer: { S: 'a' }, order_id: { S: '1' } } }),
    )
    const { Items } = await db.send(
      new QueryCommand({
        TableName: 'orders',
        KeyConditionExpression: 'customer = :c',
        ExpressionAttributeValues: { ':c': { S: 'a' } },
      }),
    )
    expect(Items).toHaveLength(1)
  }),
)
