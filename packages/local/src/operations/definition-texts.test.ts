import { describe, expect, it } from 'vitest'
import { EngineFixture, REGION } from '../engine/engine.fixture.js'

/** The service's texts about definitions, tags and policies, as observed in October 2026. */

const ARN = `arn:aws:dynamodb:${REGION}:000000000000:table/on-demand`
const INVALID = 'ValidationException: One or more parameter values were invalid: '
const UNITS = { ReadCapacityUnits: 5, WriteCapacityUnits: 5 }
const key = (name: string, KeyType = 'HASH') => ({ AttributeName: name, KeyType })
const attribute = (AttributeName: string, AttributeType = 'S') => ({ AttributeName, AttributeType })
const index = (IndexName: string, name: string, more: object = {}) => ({
  IndexName,
  KeySchema: [key(name)],
  Projection: { ProjectionType: 'ALL' },
  ...more,
})
const named = (TableName: string, more: object = {}) => ({
  TableName,
  AttributeDefinitions: [attribute('pk'), attribute('sk'), attribute('g')],
  KeySchema: [key('pk'), key('sk', 'RANGE')],
  BillingMode: 'PAY_PER_REQUEST',
  GlobalSecondaryIndexes: [index('by-g', 'g')],
  LocalSecondaryIndexes: [index('local', 'pk', { KeySchema: [key('pk'), key('g', 'RANGE')] })],
  ...more,
})

function fixtureWithTables(): EngineFixture {
  const fixture = new EngineFixture()
  fixture.ask('CreateTable', named('on-demand'))
  fixture.ask(
    'CreateTable',
    named('provisioned', {
      BillingMode: 'PROVISIONED',
      ProvisionedThroughput: UNITS,
      GlobalSecondaryIndexes: [index('by-g', 'g', { ProvisionedThroughput: UNITS })],
    }),
  )
  return fixture
}

const updates = (...GlobalSecondaryIndexUpdates: object[]) => ({ GlobalSecondaryIndexUpdates })
const create = (definition: object) => ({
  AttributeDefinitions: [attribute('z')],
  ...updates({ Create: definition }),
})

describe('UpdateTable refuses', () => {
  it.each<[string, string, object]>([
    [
      'ValidationException: At least one of ProvisionedThroughput, BillingMode, UpdateStreamEnabled, GlobalSecondaryIndexUpdates, SSESpecification, ReplicaUpdates, MultiAccountReplicaReady, ReplicaTransitRoleArn, MultiRegionConsistency, DeletionProtectionEnabled, OnDemandThroughput, WarmThroughput or TableClass is required',
      'on-demand',
      { AttributeDefinitions: [attribute('pk')], ...updates() },
    ],
    [
      `${INVALID}List of GlobalSecondaryIndexUpdates is empty`,
      'on-demand',
      { DeletionProtectionEnabled: true, ...updates() },
    ],
    [
      `${INVALID}DeletionProtection modification must be the only operation in the request`,
      'on-demand',
      { DeletionProtectionEnabled: true, OnDemandThroughput: { MaxReadRequestUnits: 5 } },
    ],
    [
      `${INVALID}One of GlobalSecondaryIndexUpdate.Update, GlobalSecondaryIndexUpdate.Create, GlobalSecondaryIndexUpdate.Delete must not be null`,
      'on-demand',
      updates({}),
    ],
    [
      `${INVALID}Only one global secondary index action is allowed per GlobalSecondaryIndexUpdate object`,
      'on-demand',
      updates({ Update: { IndexName: 'by-g' }, Delete: { IndexName: 'by-g' } }),
    ],
    [
      'ValidationException: Attempting to create an index which already exists',
      'on-demand',
      create(index('by-g', 'z')),
    ],
    [
      `${INVALID}AttributeDefinitions is not specified for index: new`,
      'on-demand',
      updates({ Create: index('new', 'z') }),
    ],
    [
      'ValidationException: Cannot delete an index that is not a GlobalSecondaryIndex: local',
      'on-demand',
      updates({ Delete: { IndexName: 'local' } }),
    ],
    [
      `${INVALID}The only Updates for index: by-g when TableThroughputMode is PAY_PER_REQUEST can be to OnDemandThroughput, WarmThroughput`,
      'on-demand',
      updates({ Update: { IndexName: 'by-g', ProvisionedThroughput: UNITS } }),
    ],
    [
      `${INVALID}Neither ReadCapacityUnits nor WriteCapacityUnits can be specified for index: new when BillingMode is PAY_PER_REQUEST`,
      'on-demand',
      create(index('new', 'z', { ProvisionedThroughput: UNITS })),
    ],
    [
      `${INVALID}Both ReadCapacityUnits and WriteCapacityUnits must be specified for index: new`,
      'provisioned',
      create(index('new', 'z')),
    ],
    [
      `${INVALID}ProvisionedThroughput must be specified when BillingMode is PROVISIONED`,
      'on-demand',
      { BillingMode: 'PROVISIONED' },
    ],
    [
      `${INVALID}ProvisionedThroughput must be specified for index: by-g`,
      'on-demand',
      { BillingMode: 'PROVISIONED', ProvisionedThroughput: UNITS },
    ],
    [
      `${INVALID}If stream is being enabled then UpdateViewType is required`,
      'on-demand',
      { StreamSpecification: { StreamEnabled: true } },
    ],
    [
      `${INVALID}If stream is being disabled, then UpdateViewType must not be specified`,
      'on-demand',
      { StreamSpecification: { StreamEnabled: false, StreamViewType: 'KEYS_ONLY' } },
    ],
    [
      `${INVALID}Table is already encrypted by default`,
      'on-demand',
      { SSESpecification: { Enabled: false } },
    ],
    [
      `${INVALID}SSEType can not be specified if Enabled is false`,
      'on-demand',
      { SSESpecification: { Enabled: false, SSEType: 'KMS' } },
    ],
    [
      `${INVALID}SSEType KMS is required if KMSMasterKeyId is specified`,
      'on-demand',
      { SSESpecification: { Enabled: true, KMSMasterKeyId: 'mine' } },
    ],
  ])('%s', (text, TableName, change) => {
    expect(fixtureWithTables().failure('UpdateTable', { TableName, ...change })).toBe(text)
  })

  it('the encryption key that a table has already', () => {
    const fixture = fixtureWithTables()
    const change = {
      TableName: 'on-demand',
      SSESpecification: { Enabled: true, SSEType: 'KMS', KMSMasterKeyId: 'mine' },
    }
    fixture.ask('UpdateTable', change)
    expect(fixture.failure('UpdateTable', change)).toContain(
      'Table is already encrypted with given KMSMasterKeyId',
    )
  })
})

describe('CreateTable refuses', () => {
  it.each<[string, object]>([
    [
      `${INVALID}ProvisionedThroughput is not specified for index: by-g`,
      { BillingMode: 'PROVISIONED', ProvisionedThroughput: UNITS },
    ],
    [
      `${INVALID}ProvisionedThroughput should not be specified for index: by-g when BillingMode is PAY_PER_REQUEST`,
      { GlobalSecondaryIndexes: [index('by-g', 'g', { ProvisionedThroughput: UNITS })] },
    ],
    [
      `${INVALID}Table is being created with a stream enabled, UpdateViewType is required`,
      { StreamSpecification: { StreamEnabled: true } },
    ],
    [
      'ValidationException: Invalid KeySchema: Some index key attribute have no definition',
      { AttributeDefinitions: [] },
    ],
    [
      'ValidationException: The KeySchema contains multiple key attributes with the same name',
      {
        GlobalSecondaryIndexes: [index('by-g', 'g', { KeySchema: [key('g'), key('g'), key('sk', 'RANGE')] })],
      },
    ],
    [
      `${INVALID}All HASH key attributes must precede RANGE key attributes in the KeySchema`,
      {
        GlobalSecondaryIndexes: [
          index('by-g', 'g', { KeySchema: [key('g'), key('sk', 'RANGE'), key('pk')] }),
        ],
      },
    ],
    [
      'ValidationException: Tag Key cannot be prefixed with aws:, Key: aws:x',
      { Tags: [{ Key: 'aws:x', Value: '' }] },
    ],
    [
      'ValidationException: Duplicate Tag Keys provided as input: Duplicate Tag Key found x',
      {
        Tags: [
          { Key: 'x', Value: '1' },
          { Key: 'x', Value: '2' },
        ],
      },
    ],
    [
      'ValidationException: Number of Tags exceed the current limit for the provided ResourceArn',
      { Tags: Array.from({ length: 51 }, (_, number) => ({ Key: `${number}`, Value: '' })) },
    ],
    ['ValidationException: The Tag Key provided is invalid, Key: ', { Tags: [{ Key: '', Value: '' }] }],
    ['ValidationException: The Tag Value provided is invalid, Value: null', { Tags: [{ Key: 'x' }] }],
  ])('%s', (text, more) => {
    expect(fixtureWithTables().failure('CreateTable', named('new', more))).toBe(text)
  })
})

describe('the ARN of a request', () => {
  it.each([
    ['on-demand', `${INVALID}ARNs must start with 'arn:': on-demand`],
    ['arn:aws:s3:::bucket', `${INVALID}Provided Arn is not a DynamoDB resource arn: arn:aws:s3:::bucket`],
    [
      `${ARN}/index/by-g`,
      `${INVALID}Invalid resource arn provided, only table or stream is accepted. Provided resource arn: ${ARN}/index/by-g`,
    ],
  ])('%s is refused for tags and for policies', (ResourceArn, text) => {
    const fixture = fixtureWithTables()
    expect(fixture.failure('ListTagsOfResource', { ResourceArn })).toBe(text)
    expect(fixture.failure('GetResourcePolicy', { ResourceArn })).toBe(text)
  })

  it('is of the region that is asked', () => {
    const fixture = fixtureWithTables()
    const ResourceArn = ARN.replace(REGION, 'us-east-1')
    expect(fixture.failure('ListTagsOfResource', { ResourceArn })).toBe(
      `ValidationException: Invalid TableArn: Invalid ResourceArn provided as input ${ResourceArn}`,
    )
    expect(fixture.failure('GetResourcePolicy', { ResourceArn })).toBe(
      `${INVALID}Invalid resource Arn: ${ResourceArn}`,
    )
  })
})

describe('tags of a request', () => {
  it.each<[string, object, string]>([
    ['TagResource', { Tags: [] }, 'Atleast one Tag needs to be provided as Input.'],
    ['UntagResource', { TagKeys: [] }, 'Atleast one Tag Key needs to be provided as Input.'],
    [
      'UntagResource',
      { TagKeys: ['k'.repeat(129)] },
      `The Tag Key provided is invalid, Key: ${'k'.repeat(129)}`,
    ],
  ])('are checked: %s', (operation, input, text) => {
    const request = { ResourceArn: ARN, ...input }
    expect(fixtureWithTables().failure(operation, request)).toBe(`ValidationException: ${text}`)
  })
})

it('a description has its attributes, and those that an index projects, in the order of their names', () => {
  const fixture = new EngineFixture()
  const Projection = { ProjectionType: 'INCLUDE', NonKeyAttributes: ['z', 'a', 'm'] }
  const { TableDescription } = fixture.ask(
    'CreateTable',
    named('sorted', {
      AttributeDefinitions: [attribute('sk'), attribute('pk'), attribute('g')],
      GlobalSecondaryIndexes: [index('z-first', 'g', { Projection }), index('a-second', 'g')],
    }),
  )
  const { AttributeDefinitions, GlobalSecondaryIndexes } = TableDescription
  expect(AttributeDefinitions).toEqual([attribute('g'), attribute('pk'), attribute('sk')])
  expect(GlobalSecondaryIndexes.map(({ IndexName }: { IndexName: string }) => IndexName)).toEqual([
    'z-first',
    'a-second',
  ])
  expect(GlobalSecondaryIndexes[0].Projection.NonKeyAttributes).toEqual(['a', 'm', 'z'])
})
