import { describe, expect, it } from 'vitest'
import { lintTable } from '../lint/lint-table.js'
import { readTables, tablesIn } from './read-tables.js'

const TABLE = `
  Type: AWS::DynamoDB::Table
  Properties:
    TableName: \${self:custom.table}
    AttributeDefinitions: [{ AttributeName: id, AttributeType: S }]
    KeySchema: [{ AttributeName: id, KeyType: HASH }]
    ProvisionedThroughput: { ReadCapacityUnits: 5, WriteCapacityUnits: 5 }`

describe('parts of a template, which another file includes', () => {
  it('are read as resources without Resources', () => {
    expect(readTables(`Votes:${TABLE}\n`, 'resources/tables.yml')).toMatchObject([
      { name: `\${self:custom.table}`, place: { resource: 'Votes', firstLine: 1 } },
    ])
  })

  it('are read as one resource, named as the file', () => {
    const [table] = readTables(TABLE.replaceAll('\n  ', '\n'), 'resources/votes.yml')
    expect(table?.place.resource).toBe('votes')
  })
})

describe('the name of a table', () => {
  it('is that of the file where a request has none', () => {
    const request = { AttributeDefinitions: [], KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }] }
    for (const form of [request, { ...request, TableName: '' }]) {
      expect(readTables(JSON.stringify(form), 'infra/votes.json')[0]?.name).toBe('votes')
    }
  })
})

describe('a definition begins at its name', () => {
  it('in a template, in a description, and where it is an alias', () => {
    const text = `Resources:\n  Votes: &votes${TABLE.replaceAll('\n', '\n  ')}\n  Copy: *votes\n`
    expect(readTables(text, 'a.yaml').map(({ place }) => place.firstLine)).toEqual([2, 9])
    const request = { KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }], TableName: 'votes' }
    expect(readTables(JSON.stringify({ Table: request }, null, 2), 'a.json')[0]?.place.firstLine).toBe(2)
  })
})

describe('a comment that ignores a rule', () => {
  const table = (ending: string) => `${TABLE.replaceAll('\n', '\n  ')}${ending}`
  const ignored = (text: string) => readTables(text, 'a.yaml').map(({ ignoredRules }) => ignoredRules)

  it('behind the last line of a table is not about the next one', () => {
    const text = `Resources:\n  A:${table(' # isotherm-ignore monotonic-sort-key')}\n  B:${table('')}\n`
    expect(ignored(text)).toEqual([['monotonic-sort-key'], []])
  })

  it('may be one of several lines before a table', () => {
    const comments = '  # isotherm-ignore monotonic-sort-key\n  # It is an archive.\n'
    const text = `Resources:\n  A:${table('')}\n${comments}  B:${table('')}\n`
    expect(ignored(text)).toEqual([[], ['monotonic-sort-key']])
  })
})

describe('global tables', () => {
  const global = (members: object) =>
    JSON.stringify({ Resources: { Votes: { Type: 'AWS::DynamoDB::GlobalTable', Properties: members } } })

  it('have a maximum for all replicas, and one for the reads of each', () => {
    const text = global({
      BillingMode: 'PAY_PER_REQUEST',
      WriteOnDemandThroughputSettings: { MaxWriteRequestUnits: 40 },
      Replicas: [{ Region: 'eu-west-1', ReadOnDemandThroughputSettings: { MaxReadRequestUnits: 70 } }],
    })
    expect(readTables(text, 'a.json')[0]?.billing).toEqual({
      mode: 'PAY_PER_REQUEST',
      maximum: { readUnits: 70, writeUnits: 40 },
    })
  })

  it('are not read where a replica of another stack is added to them', () => {
    const replica = { GlobalTableSourceArn: 'arn:aws:dynamodb:eu-west-1:1:table/votes', Replicas: [] }
    expect(tablesIn(global(replica), 'a.json')).toEqual([])
  })
})

describe('auto scaling', () => {
  const scaled = (dimension: string) =>
    readTables(
      JSON.stringify({
        Resources: {
          Votes: {
            Type: 'AWS::DynamoDB::Table',
            Properties: { ProvisionedThroughput: { ReadCapacityUnits: 5, WriteCapacityUnits: 5 } },
          },
          Scaling: {
            Type: 'AWS::ApplicationAutoScaling::ScalableTarget',
            Properties: { ResourceId: { 'Fn::Sub': `table/\${Votes}` }, ScalableDimension: dimension },
          },
        },
      }),
      'a.json',
    ).map(({ billing }) => billing.mode === 'PROVISIONED' && billing.isAutoScaled)

  it('is that of the writes of the table, not of its reads or of an index', () => {
    expect(scaled('dynamodb:table:WriteCapacityUnits')).toEqual([true])
    expect(scaled('dynamodb:table:ReadCapacityUnits')).toEqual([false])
    expect(scaled('dynamodb:index:WriteCapacityUnits')).toEqual([false])
  })
})

describe('auto scaling of a table that is named', () => {
  const text = (target: string) => `
Parameters: { Stage: { Type: String, Default: prod } }
Resources:
  Votes:
    Type: AWS::DynamoDB::Table
    Properties:
      TableName: !Sub votes-\${Stage}
      ProvisionedThroughput: { ReadCapacityUnits: 5, WriteCapacityUnits: 5 }
  Scaling:
    Type: AWS::ApplicationAutoScaling::ScalableTarget
    Properties: { ResourceId: ${target}, ScalableDimension: dynamodb:table:WriteCapacityUnits }
`

  it.each([
    ['table/votes-prod', true],
    [`!Sub "table/votes-\${Stage}"`, true],
    [`!Join ["/", [table, !Sub "votes-\${Stage}"]]`, true],
    ['table/votes', false],
    ['table/votes-prod/index/by_owner', false],
  ])('by %s is found: %s', (target, isAutoScaled) => {
    expect(readTables(text(target), 'a.yaml')).toMatchObject([{ billing: { isAutoScaled } }])
  })
})

describe('conditions of a template', () => {
  const billingWhen = (parameter: string, condition: string) => {
    const [table] = readTables(
      `
Parameters: { Given: ${parameter} }
Conditions: { IsOnDemand: ${condition} }
Resources:
  Votes:
    Type: AWS::DynamoDB::Table
    Properties:
      BillingMode: !If [IsOnDemand, PAY_PER_REQUEST, PROVISIONED]
      ProvisionedThroughput: !If [IsOnDemand, !Ref AWS::NoValue, { ReadCapacityUnits: 5, WriteCapacityUnits: 5 }]
`,
      'a.yaml',
    )
    return table?.billing.mode
  }

  it.each([
    ['{ Type: String, Default: true }', '!Equals [!Ref Given, "true"]', 'PAY_PER_REQUEST'],
    ['{ Type: String, Default: "true" }', '!Equals [!Ref Given, true]', 'PAY_PER_REQUEST'],
    ['{ Type: Number, Default: 1 }', '!Equals [!Ref Given, "1"]', 'PAY_PER_REQUEST'],
    ['{ Type: String, Default: false }', '!Equals [!Ref Given, "true"]', 'PROVISIONED'],
  ])('compare texts, as CloudFormation does: %s with %s', (parameter, condition, mode) => {
    expect(billingWhen(parameter, condition)).toBe(mode)
  })

  it('do not take the name of a parameter in Parameter Store for its value', () => {
    const stored = "{ Type: 'AWS::SSM::Parameter::Value<String>', Default: /votes/billing }"
    expect(billingWhen(stored, '!Equals [!Ref Given, PAY_PER_REQUEST]')).toBe('PAY_PER_REQUEST')
  })
})

describe('tables of Amplify', () => {
  it('have the members of CreateTable with small first letters', () => {
    const properties = {
      tableName: { 'Fn::Join': ['-', ['Vote', { Ref: 'Api' }]] },
      attributeDefinitions: [{ attributeName: 'id', attributeType: 'S' }],
      keySchema: [{ attributeName: 'id', keyType: 'HASH' }],
      billingMode: { 'Fn::If': ['Unknown', 'PAY_PER_REQUEST', { Ref: 'AWS::NoValue' }] },
    }
    const text = JSON.stringify({
      Resources: { VoteTable: { Type: 'Custom::AmplifyDynamoDBTable', Properties: properties } },
    })
    expect(readTables(text, 'a.json')).toMatchObject([
      {
        name: `Vote-\${Api}`,
        key: { partition: [{ name: 'id', type: 'S' }], sort: [] },
        billing: { mode: 'PAY_PER_REQUEST' },
      },
    ])
  })
})

describe('a configuration of Terraform in JSON', () => {
  const configuration = {
    resource: {
      aws_dynamodb_table: {
        votes: {
          name: `votes-\${var.stage}`,
          hash_key: 'id',
          attribute: [
            { name: 'id', type: 'S' },
            { name: 'owner', type: 'S' },
          ],
          global_secondary_index: { name: 'by_owner', hash_key: 'owner', projection_type: 'KEYS_ONLY' },
          ttl: { attribute_name: 'expires', enabled: true },
          read_capacity: 5,
          write_capacity: 5,
        },
      },
      aws_appautoscaling_target: {
        writes: {
          resource_id: `table/\${aws_dynamodb_table.votes.name}`,
          scalable_dimension: 'dynamodb:table:WriteCapacityUnits',
        },
      },
    },
  }

  it('has the tables of its resources, with blocks as objects or lists', () => {
    const [table] = readTables(JSON.stringify(configuration, null, 2), 'cdk.tf.json')
    expect(table).toMatchObject({
      name: `votes-\${var.stage}`,
      place: { resource: 'aws_dynamodb_table.votes', firstLine: 4 },
      key: { partition: [{ name: 'id', type: 'S' }] },
      indexes: [{ name: 'by_owner', projection: { type: 'KEYS_ONLY' } }],
      timeToLive: 'expires',
      billing: { mode: 'PROVISIONED', isAutoScaled: true },
    })
    if (table === undefined) throw new Error('no table')
    expect(lintTable(table).findings.filter(({ level }) => level === 'error')).toEqual([])
  })
})
