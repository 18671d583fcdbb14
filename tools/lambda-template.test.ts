import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import {
  CreateTableCommand,
  type CreateTableCommandInput,
  PutItemCommand,
  QueryCommand,
} from '@aws-sdk/client-dynamodb'
import { createLocal } from '@isotherm/local'
import { dynamicShards, isotherm } from 'isotherm'
import { expect, it } from 'vitest'
import { parse } from 'yaml'

interface Resource {
  readonly Type: string
  readonly DeletionPolicy?: string
  readonly UpdateReplacePolicy?: string
  readonly Properties: Readonly<Record<string, unknown>>
}

/** A reference to an attribute of another resource, as `!GetAtt Table.Arn` has it. */
class Reference {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

const page = readFileSync(fileURLToPath(new URL('../docs/lambda.md', import.meta.url)), 'utf8')
const template = /^```yaml\n(.*?)^```/ms.exec(page)?.[1] ?? ''
const { Resources: resources } = parse(template, {
  customTags: [{ tag: '!GetAtt', resolve: (text: string) => new Reference(text) }],
}) as { readonly Resources: Readonly<Record<string, Resource>> }
const tables = Object.values(resources).filter(({ Type }) => Type === 'AWS::DynamoDB::Table')

function referencesIn(value: unknown): readonly string[] {
  if (value instanceof Reference) return [value.text]
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(referencesIn)
}

it('the template of docs/lambda.md refers only to what it has', () => {
  const references = referencesIn(resources)
  expect(references.length).toBeGreaterThan(0)
  for (const reference of references) {
    const [name = '', attribute] = reference.split('.')
    expect(resources[name]?.Type).toBe('AWS::DynamoDB::Table')
    expect(attribute).toBe('Arn')
  }
})

it('the template of docs/lambda.md keeps a table and its shard map alike, because one without the other is of no use', () => {
  expect(tables).toHaveLength(2)
  for (const { DeletionPolicy, UpdateReplacePolicy, Properties } of tables) {
    expect({ DeletionPolicy, UpdateReplacePolicy }).toEqual({
      DeletionPolicy: 'Retain',
      UpdateReplacePolicy: 'Retain',
    })
    expect(Properties).toMatchObject({
      DeletionProtectionEnabled: true,
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
    })
  }
})

it('the tables of the template of docs/lambda.md are those that its function uses', async () => {
  const local = createLocal({ throttle: false, metrics: false })
  const client = local.client()
  for (const { Properties } of tables) {
    const { PointInTimeRecoverySpecification: _, ...input } = Properties
    await client.send(new CreateTableCommand(input as unknown as CreateTableCommandInput))
  }
  const audit_log = {
    partitionKey: 'file_path',
    sortKey: 'accessed_at',
    suffix: 'random',
    shards: dynamicShards(),
  } as const
  const db = isotherm(client, { tables: { audit_log } })
  const Item = { file_path: { S: '/sale' }, accessed_at: { S: '2027-01-01T12:00:00Z#1' } }
  await db.send(new PutItemCommand({ TableName: 'audit_log', Item }))
  const { Items } = await db.send(
    new QueryCommand({
      TableName: 'audit_log',
      KeyConditionExpression: 'file_path = :path',
      ExpressionAttributeValues: { ':path': Item.file_path },
    }),
  )
  expect(Items).toEqual([Item])
  db.destroy()
  await local.close()
})
