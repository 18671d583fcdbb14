import { describe, expect, it } from 'vitest'
import { AdvisorError } from '../errors/advisor-error.js'
import type { TableDefinition } from '../table/table-definition.js'
import { readTables, tablesIn } from './read-tables.js'

const REQUEST = {
  TableName: 'orders',
  AttributeDefinitions: [
    { AttributeName: 'customer', AttributeType: 'S' },
    { AttributeName: 'order_id', AttributeType: 'N' },
  ],
  KeySchema: [
    { AttributeName: 'customer', KeyType: 'HASH' },
    { AttributeName: 'order_id', KeyType: 'RANGE' },
  ],
  BillingMode: 'PAY_PER_REQUEST',
}

function only(text: string, file = 'file'): TableDefinition {
  const [table, ...more] = readTables(text, file)
  if (table === undefined || more.length > 0) throw new Error(`${more.length + 1} tables`)
  return table
}

function errorOf(text: string): AdvisorError {
  try {
    readTables(text, 'file')
  } catch (error) {
    if (error instanceof AdvisorError) return error
    throw error
  }
  throw new Error('Nothing was thrown.')
}

describe('requests as JSON', () => {
  it('are read alone, as a description, as an array, and as JSON Lines', () => {
    const text = JSON.stringify(REQUEST)
    for (const form of [text, JSON.stringify({ Table: REQUEST }), JSON.stringify([REQUEST]), `${text}\n`]) {
      const table = only(form)
      expect(table.key).toEqual({
        partition: [{ name: 'customer', type: 'S' }],
        sort: [{ name: 'order_id', type: 'N' }],
      })
      expect(table.billing).toEqual({ mode: 'PAY_PER_REQUEST' })
    }
  })

  it('know their first line', () => {
    expect(only(`\n\n${JSON.stringify(REQUEST, null, 2)}`).place.firstLine).toBe(3)
  })
})

const TEMPLATE = `
Transform: AWS::Serverless-2016-10-31
Parameters:
  Stage: { Type: String, Default: dev }
  Owner: { Type: String }
  WithIndex: { Type: String }
Conditions:
  IsProd: !Equals [!Ref Stage, prod]
  HasIndex: !Equals [!Ref WithIndex, 'yes']
Mappings:
  Capacity:
    dev: { Write: 7 }
Resources:
  Orders:
    Type: AWS::DynamoDB::Table
    Properties:
      TableName: !Sub 'orders-\${Stage}-\${Owner}'
      AttributeDefinitions:
        - { AttributeName: id, AttributeType: S }
        - { AttributeName: owner, AttributeType: S }
        - !If [IsProd, { AttributeName: extra, AttributeType: S }, !Ref AWS::NoValue]
      KeySchema: [{ AttributeName: id, KeyType: HASH }]
      GlobalSecondaryIndexes: !If
        - HasIndex
        - - IndexName: by_owner
            KeySchema: [{ AttributeName: owner, KeyType: HASH }]
            Projection: { ProjectionType: INCLUDE, NonKeyAttributes: [a, b] }
        - !Ref AWS::NoValue
      ProvisionedThroughput:
        ReadCapacityUnits: 5
        WriteCapacityUnits: !FindInMap [Capacity, !Ref Stage, Write]
      TimeToLiveSpecification: { AttributeName: expires, Enabled: true }
      StreamSpecification: { StreamViewType: NEW_IMAGE }
  Scaling:
    Type: AWS::ApplicationAutoScaling::ScalableTarget
    Properties: { ResourceId: !Join ['/', [table, !Ref Orders]] }
  Short:
    Type: AWS::Serverless::SimpleTable
    Properties: { PrimaryKey: { Name: number, Type: Number } }
  Everywhere:
    Type: AWS::DynamoDB::GlobalTable
    Properties:
      AttributeDefinitions: [{ AttributeName: id, AttributeType: S }]
      KeySchema: [{ AttributeName: id, KeyType: HASH }]
      BillingMode: !If [IsProd, PROVISIONED, PAY_PER_REQUEST]
      Replicas: [{ Region: eu-west-1 }]
  Bucket: { Type: AWS::S3::Bucket, Properties: { BucketName: !GetAtt Orders.Arn } }
`

describe('a CloudFormation template', () => {
  const tables = readTables(TEMPLATE, 'template.yaml')
  const named = (resource: string) => tables.find(({ place }) => place.resource === resource)

  it('has its tables, whatever their resource type', () => {
    expect(tables.map(({ place }) => place.resource)).toEqual(['Orders', 'Short', 'Everywhere'])
    expect(named('Short')?.key.partition).toEqual([{ name: 'number', type: 'N' }])
    expect(named('Everywhere')?.billing.mode).toBe('PAY_PER_REQUEST')
  })

  it('has parameters, conditions and mappings evaluated', () => {
    const orders = named('Orders')
    expect(orders?.name).toBe(`orders-dev-${'$'}{Owner}`)
    expect(orders?.declared.map(({ name }) => name)).toEqual(['id', 'owner'])
    expect(orders?.billing).toEqual({
      mode: 'PROVISIONED',
      throughput: { readUnits: 5, writeUnits: 7 },
      isAutoScaled: true,
    })
    expect(orders?.timeToLive).toBe('expires')
    expect(orders?.hasStream).toBe(true)
  })

  it('shows what an unknown condition may add', () => {
    expect(named('Orders')?.indexes).toMatchObject([
      { name: 'by_owner', projection: { type: 'INCLUDE', attributes: ['a', 'b'] } },
    ])
  })

  it('reads the same as JSON', () => {
    const template = {
      Parameters: { Stage: { Default: 'dev' } },
      Resources: {
        Orders: {
          Type: 'AWS::DynamoDB::Table',
          Properties: {
            ...REQUEST,
            TableName: { 'Fn::Join': ['-', ['orders', { Ref: 'Stage' }, { Ref: 'AWS::Region' }]] },
          },
        },
      },
    }
    expect(only(JSON.stringify(template)).name).toBe(`orders-dev-${'$'}{AWS::Region}`)
  })

  it('names a table of CDK by its construct', () => {
    const Metadata = { 'aws:cdk:path': 'Shop/Orders/Resource' }
    const { TableName: _, ...Properties } = REQUEST
    const Resources = { OrdersC2A5: { Type: 'AWS::DynamoDB::Table', Properties, Metadata } }
    expect(only(JSON.stringify({ Resources })).name).toBe('Shop/Orders')
  })

  it('is found in a file of the Serverless Framework', () => {
    const Resources = { Orders: { Type: 'AWS::DynamoDB::Table', Properties: REQUEST } }
    for (const resources of [{ Resources }, [{ Resources }, { Outputs: {} }]]) {
      expect(only(JSON.stringify({ service: 'shop', resources })).name).toBe('orders')
    }
  })

  it('may have aliases and merges', () => {
    const text = `
Resources:
  A: &table
    Type: AWS::DynamoDB::Table
    Properties: &properties
      KeySchema: [{ AttributeName: id, KeyType: HASH }]
      AttributeDefinitions: [{ AttributeName: id, AttributeType: S }]
  B: *table
  C: { Type: AWS::DynamoDB::Table, Properties: { <<: *properties, TableName: c } }
`
    expect(readTables(text, 'file').map(({ name, key }) => [name, key.partition[0]?.name])).toEqual([
      ['A', 'id'],
      ['B', 'id'],
      ['c', 'id'],
    ])
  })

  it('may come after another document, with Windows line ends and a byte order mark', () => {
    expect(readTables(`\uFEFF---\r\nfoo: 1\r\n---${TEMPLATE.replaceAll('\n', '\r\n')}`, 'file')).toHaveLength(
      3,
    )
  })
})

describe('comments and metadata', () => {
  const resource = (before: string, inside: string) => `
Resources:
  First:
    Type: AWS::Serverless::SimpleTable

  ${before}
  Second:
    Type: AWS::Serverless::SimpleTable ${inside}
`
  const rules = (text: string) => readTables(text, 'file').map(({ ignoredRules }) => ignoredRules)

  it('ignore rules for the table in which, or before which, they stand', () => {
    expect(rules(resource('# isotherm-ignore many-indexes, duplicate-index -- we know', ''))).toEqual([
      [],
      ['many-indexes', 'duplicate-index'],
    ])
    expect(rules(resource('', '# isotherm-ignore many-indexes'))).toEqual([[], ['many-indexes']])
  })

  it('ignore rules for a whole file', () => {
    expect(rules(`# isotherm-ignore-file many-indexes${resource('', '')}`)).toEqual([
      ['many-indexes'],
      ['many-indexes'],
    ])
  })

  it('ignore rules in JSON, which has no comments', () => {
    const Metadata = { isotherm: { ignore: ['many-indexes'] } }
    const Resources = { A: { Type: 'AWS::Serverless::SimpleTable', Metadata } }
    expect(rules(JSON.stringify({ Resources }))).toEqual([['many-indexes']])
  })
})

describe('Terraform', () => {
  const values = {
    name: 'votes',
    billing_mode: 'PROVISIONED',
    read_capacity: 5,
    write_capacity: 20,
    hash_key: 'candidate',
    range_key: 'voter',
    attribute: [
      { name: 'candidate', type: 'S' },
      { name: 'voter', type: 'S' },
      { name: 'at', type: 'N' },
    ],
    global_secondary_index: [
      {
        name: 'by_voter',
        hash_key: 'voter',
        range_key: '',
        projection_type: 'ALL',
        write_capacity: 5,
        read_capacity: 5,
      },
    ],
    local_secondary_index: [{ name: 'by_time', range_key: 'at', projection_type: 'KEYS_ONLY' }],
    ttl: [{ enabled: true, attribute_name: 'expires' }],
  }
  const resource = {
    address: 'module.a.aws_dynamodb_table.votes',
    mode: 'managed',
    type: 'aws_dynamodb_table',
    values,
  }
  const target = { type: 'aws_appautoscaling_target', values: { resource_id: 'table/votes' } }
  const root_module = { child_modules: [{ resources: [resource, target, { ...resource, mode: 'data' }] }] }

  it('is read from a plan, a state as JSON, and a state file', () => {
    const forms = [
      { terraform_version: '1.9.0', planned_values: { root_module } },
      { terraform_version: '1.9.0', values: { root_module } },
      {
        version: 4,
        terraform_version: '1.9.0',
        resources: [{ ...resource, name: 'votes', instances: [{ attributes: values }] }],
      },
    ]
    for (const form of forms) {
      const table = only(JSON.stringify(form))
      expect(table).toMatchObject({ name: 'votes', timeToLive: 'expires' })
      expect(table.key.sort).toEqual([{ name: 'voter', type: 'S' }])
      expect(
        table.indexes.map(({ name, kind, key }) => [name, kind, key.partition[0]?.name, key.sort[0]?.name]),
      ).toEqual([
        ['by_time', 'local', 'candidate', 'at'],
        ['by_voter', 'global', 'voter', undefined],
      ])
    }
  })

  it('knows auto scaling from its own resource', () => {
    const plan = { planned_values: { root_module } }
    expect(only(JSON.stringify(plan)).billing).toMatchObject({ isAutoScaled: true })
  })
})

describe('a text without tables', () => {
  it.each([
    ['text', 'hello', 'template.no-tables'],
    ['nothing', '', 'template.no-tables'],
    ['other resources', '{"Resources":{"A":{"Type":"AWS::S3::Bucket"}}}', 'template.no-tables'],
    ['broken JSON', '{"Resources":', 'template.malformed'],
    ['broken YAML', 'a: [1,\nb: "', 'template.malformed'],
  ])('is refused in a sentence: %s', (_, text, code) => {
    const error = errorOf(text)
    expect(error.code).toBe(code)
    expect(error.message).toMatch(/^file .*\.$/)
  })

  it('is refused when its aliases expand too far', () => {
    const levels = Array.from(
      { length: 30 },
      (_, level) => `a${level + 1}: &a${level + 1} [*a${level}, *a${level}]`,
    )
    expect(errorOf(['a0: &a0 [1, 1]', ...levels].join('\n')).code).toBe('template.malformed')
  })

  it('has none, where that is no error', () => {
    expect(tablesIn('name: CI\non: [push]\n', 'ci.yaml')).toEqual([])
  })
})
