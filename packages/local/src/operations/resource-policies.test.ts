import { table } from '@isotherm/fixtures'
import { SystemClock } from '@isotherm/runtime'
import { describe, expect, it } from 'vitest'
import { EngineFixture, REGION } from '../engine/engine.fixture.js'

const ResourceArn = `arn:aws:dynamodb:${REGION}:000000000000:table/people`
const Policy = JSON.stringify({ Version: '2012-10-17', Statement: [] })

function fixtureWithTable(): EngineFixture {
  const fixture = new EngineFixture()
  fixture.ask('CreateTable', table('people', ['who']))
  return fixture
}

describe('a resource policy', () => {
  it('is stored, returned, kept over a restart, and deleted', () => {
    const fixture = fixtureWithTable()
    const { RevisionId } = fixture.ask('PutResourcePolicy', { ResourceArn, Policy })
    expect(fixture.ask('PutResourcePolicy', { ResourceArn, Policy })).toEqual({ RevisionId })
    fixture.restart()
    expect(fixture.ask('GetResourcePolicy', { ResourceArn })).toEqual({ Policy, RevisionId })
    expect(fixture.ask('DeleteResourcePolicy', { ResourceArn })).toEqual({ RevisionId })
    expect(fixture.ask('DeleteResourcePolicy', { ResourceArn })).toEqual({})
    expect(fixture.failure('GetResourcePolicy', { ResourceArn })).toContain('PolicyNotFoundException')
  })

  it('can be given when its table is created', () => {
    const fixture = new EngineFixture()
    const bad = { ...table('people', ['who']), ResourcePolicy: 'none' }
    expect(fixture.failure('CreateTable', bad)).toContain('This policy contains invalid Json')
    expect(fixture.ask('ListTables', {}).TableNames).toEqual([])
    fixture.ask('CreateTable', { ...table('people', ['who']), ResourcePolicy: Policy })
    fixture.restart()
    expect(fixture.ask('GetResourcePolicy', { ResourceArn }).Policy).toBe(Policy)
  })

  it('has a revision of digits, on a clock that is finer than milliseconds', () => {
    const clock = new SystemClock()
    const fixture = new EngineFixture({ clock })
    fixture.ask('CreateTable', table('people', ['who']))
    for (let number = 0; number < 3; number++) {
      const policy = { ResourceArn, Policy: JSON.stringify({ number }) }
      expect(fixture.ask('PutResourcePolicy', policy).RevisionId).toMatch(/^\d{13}$/)
    }
  })

  it('is changed only from the expected revision', () => {
    const fixture = fixtureWithTable()
    const first = fixture.ask('PutResourcePolicy', { ResourceArn, Policy, ExpectedRevisionId: 'NO_POLICY' })
    const next = { ResourceArn, Policy: '{}' }
    expect(fixture.failure('PutResourcePolicy', { ...next, ExpectedRevisionId: 'NO_POLICY' })).toContain(
      'PolicyNotFoundException',
    )
    const second = fixture.ask('PutResourcePolicy', { ...next, ExpectedRevisionId: first.RevisionId })
    expect(second.RevisionId).not.toBe(first.RevisionId)
  })

  it('must be a JSON object of a table that exists', () => {
    const fixture = fixtureWithTable()
    expect(fixture.failure('PutResourcePolicy', { ResourceArn, Policy: 'none' })).toContain(
      'This policy contains invalid Json',
    )
    expect(fixture.failure('PutResourcePolicy', { ResourceArn: `${ResourceArn}x`, Policy })).toContain(
      'ResourceNotFoundException',
    )
  })
})

describe('a resource policy of a stream', () => {
  const stream = { StreamEnabled: true, StreamViewType: 'KEYS_ONLY' }

  function fixtureWithStream(): { fixture: EngineFixture; ResourceArn: string } {
    const fixture = new EngineFixture()
    fixture.ask('CreateTable', { ...table('people', ['who']), StreamSpecification: stream })
    const { Table } = fixture.ask('DescribeTable', { TableName: 'people' })
    return { fixture, ResourceArn: Table.LatestStreamArn }
  }

  it('is another one than that of its table, and kept over a restart', () => {
    const { fixture, ResourceArn: StreamArn } = fixtureWithStream()
    fixture.ask('PutResourcePolicy', { ResourceArn, Policy: '{}' })
    expect(fixture.failure('GetResourcePolicy', { ResourceArn: StreamArn })).toContain(
      'PolicyNotFoundException',
    )
    const { RevisionId } = fixture.ask('PutResourcePolicy', { ResourceArn: StreamArn, Policy })
    fixture.restart()
    expect(fixture.ask('GetResourcePolicy', { ResourceArn: StreamArn })).toEqual({ Policy, RevisionId })
    expect(fixture.ask('GetResourcePolicy', { ResourceArn }).Policy).toBe('{}')
    expect(fixture.ask('DeleteResourcePolicy', { ResourceArn: StreamArn })).toEqual({ RevisionId })
    expect(fixture.ask('DeleteResourcePolicy', { ResourceArn: StreamArn })).toEqual({})
  })

  it('can be changed after the stream was disabled, and after its table was deleted', () => {
    const { fixture, ResourceArn: StreamArn } = fixtureWithStream()
    fixture.ask('PutResourcePolicy', { ResourceArn: StreamArn, Policy })
    fixture.ask('UpdateTable', { TableName: 'people', StreamSpecification: { StreamEnabled: false } })
    expect(fixture.ask('GetResourcePolicy', { ResourceArn: StreamArn }).Policy).toBe(Policy)
    fixture.ask('PutResourcePolicy', { ResourceArn: StreamArn, Policy: '{}' })
    fixture.ask('DeleteTable', { TableName: 'people' })
    expect(fixture.ask('GetResourcePolicy', { ResourceArn: StreamArn }).Policy).toBe('{}')
    fixture.clock.advance(24 * 3_600_000)
    expect(fixture.failure('GetResourcePolicy', { ResourceArn: StreamArn })).toContain(
      'ResourceNotFoundException',
    )
  })

  it('is of a stream that exists in the region', () => {
    const { fixture, ResourceArn: StreamArn } = fixtureWithStream()
    const refusal = (other: string) => fixture.failure('PutResourcePolicy', { ResourceArn: other, Policy })
    expect(refusal(`${StreamArn}1`)).toContain('ResourceNotFoundException')
    expect(refusal(StreamArn.replace(REGION, 'us-east-1'))).toContain('Invalid resource Arn: ')
  })
})

describe('a feature that the engine does not have', () => {
  it('is described as empty or disabled', () => {
    const fixture = fixtureWithTable()
    const TableName = 'people'
    expect(fixture.ask('DescribeContinuousBackups', { TableName })).toEqual({
      ContinuousBackupsDescription: {
        ContinuousBackupsStatus: 'ENABLED',
        PointInTimeRecoveryDescription: { PointInTimeRecoveryStatus: 'DISABLED' },
      },
    })
    expect(fixture.ask('DescribeKinesisStreamingDestination', { TableName })).toEqual({
      TableName,
      KinesisDataStreamDestinations: [],
    })
    expect(fixture.ask('ListBackups', {})).toEqual({ BackupSummaries: [] })
    expect(fixture.ask('ListExports', {})).toEqual({ ExportSummaries: [] })
    expect(fixture.ask('ListImports', {})).toEqual({ ImportSummaryList: [] })
    expect(fixture.ask('ListGlobalTables', {})).toEqual({ GlobalTables: [] })
    expect(fixture.failure('UpdateContinuousBackups', { TableName })).toContain('UnknownOperation')
  })
})

describe('encryption at rest', () => {
  const described = (fixture: EngineFixture) =>
    fixture.ask('DescribeTable', { TableName: 'people' }).Table.SSEDescription

  it('is described as it was asked for', () => {
    const fixture = new EngineFixture()
    fixture.ask('CreateTable', { ...table('people', ['who']), SSESpecification: { Enabled: true } })
    expect(described(fixture)).toEqual({
      Status: 'ENABLED',
      SSEType: 'KMS',
      KMSMasterKeyArn: `arn:aws:kms:${REGION}:000000000000:alias/aws/dynamodb`,
    })
    fixture.ask('UpdateTable', {
      TableName: 'people',
      SSESpecification: { Enabled: true, SSEType: 'KMS', KMSMasterKeyId: '1234' },
    })
    expect(described(fixture).KMSMasterKeyArn).toBe(`arn:aws:kms:${REGION}:000000000000:key/1234`)
    fixture.ask('UpdateTable', { TableName: 'people', SSESpecification: { Enabled: false } })
    expect(described(fixture)).toBeUndefined()
  })
})
