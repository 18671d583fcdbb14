import { describe, expect, it } from 'vitest'
import { EngineFixture } from '../engine/engine.fixture.js'

const UNITS = { ReadCapacityUnits: 5, WriteCapacityUnits: 5 }
const key = (name: string) => [{ AttributeName: name, KeyType: 'HASH' }]
const index = (more: object = {}) => ({
  IndexName: 'by-state',
  KeySchema: key('state'),
  Projection: { ProjectionType: 'ALL' },
  ...more,
})
const definition = (more: object = {}, ofIndex: object = {}) => ({
  TableName: 'orders',
  AttributeDefinitions: ['id', 'state'].map((name) => ({ AttributeName: name, AttributeType: 'S' })),
  KeySchema: key('id'),
  BillingMode: 'PAY_PER_REQUEST',
  GlobalSecondaryIndexes: [index(ofIndex)],
  ...more,
})
const provisioned = (more: object = {}, ofIndex: object = {}) =>
  definition(
    { BillingMode: 'PROVISIONED', ProvisionedThroughput: UNITS, ...more },
    { ProvisionedThroughput: UNITS, ...ofIndex },
  )
const ofIndex = (update: object) => ({
  GlobalSecondaryIndexUpdates: [{ Update: { IndexName: 'by-state', ...update } }],
})

const INVALID = 'ValidationException: One or more parameter values were invalid: '
const refusedCreation = (input: object) => new EngineFixture().failure('CreateTable', input)

function created(input: object) {
  const fixture = new EngineFixture()
  fixture.ask('CreateTable', input)
  const update = (more: object) => ({ TableName: 'orders', ...more })
  return {
    update: (more: object) => fixture.ask('UpdateTable', update(more)).TableDescription,
    refusedUpdate: (more: object) => fixture.failure('UpdateTable', update(more)),
    maxima: () => {
      const { Table } = fixture.ask('DescribeTable', { TableName: 'orders' })
      return [Table.OnDemandThroughput, Table.GlobalSecondaryIndexes[0].OnDemandThroughput]
    },
  }
}

describe('an on-demand maximum', () => {
  it('can be of reads or of writes alone', () => {
    const { maxima } = created(
      definition(
        { OnDemandThroughput: { MaxReadRequestUnits: 100 } },
        { OnDemandThroughput: { MaxWriteRequestUnits: 7 } },
      ),
    )
    expect(maxima()).toEqual([{ MaxReadRequestUnits: 100 }, { MaxWriteRequestUnits: 7 }])
  })

  it('is changed member by member, and removed by -1, which the response repeats', () => {
    const { update, maxima } = created(
      definition({ OnDemandThroughput: { MaxReadRequestUnits: 20, MaxWriteRequestUnits: 15 } }),
    )
    update({ OnDemandThroughput: { MaxReadRequestUnits: 40 } })
    expect(maxima()[0]).toEqual({ MaxReadRequestUnits: 40, MaxWriteRequestUnits: 15 })
    const response = update({ OnDemandThroughput: { MaxReadRequestUnits: -1 } })
    expect(response.OnDemandThroughput).toEqual({ MaxReadRequestUnits: -1, MaxWriteRequestUnits: 15 })
    expect(maxima()[0]).toEqual({ MaxWriteRequestUnits: 15 })
    update({ OnDemandThroughput: { MaxWriteRequestUnits: -1 } })
    expect(maxima()[0]).toBeUndefined()
  })

  it('is lost with a switch to provisioned mode, and does not come back', () => {
    const maximum = { OnDemandThroughput: { MaxReadRequestUnits: 20, MaxWriteRequestUnits: 15 } }
    const { update, maxima } = created(definition(maximum, maximum))
    expect(maxima()).toEqual([maximum.OnDemandThroughput, maximum.OnDemandThroughput])
    update({
      BillingMode: 'PROVISIONED',
      ProvisionedThroughput: UNITS,
      ...ofIndex({ ProvisionedThroughput: UNITS }),
    })
    expect(maxima()).toEqual([undefined, undefined])
    update({ BillingMode: 'PAY_PER_REQUEST' })
    expect(maxima()).toEqual([undefined, undefined])
  })

  it('is refused for provisioned tables, before its range is checked', () => {
    const zero = { OnDemandThroughput: { MaxWriteRequestUnits: 0, MaxReadRequestUnits: 0 } }
    expect(refusedCreation(provisioned(zero))).toBe(
      `${INVALID}MaxReadRequestUnits for OnDemandThroughput cannot be specified when table BillingMode is PROVISIONED.`,
    )
    expect(refusedCreation(provisioned({}, { OnDemandThroughput: { MaxWriteRequestUnits: 1 } }))).toBe(
      `${INVALID}MaxWriteRequestUnits for OnDemandThroughput for index: by-state cannot be specified when table BillingMode is PROVISIONED.`,
    )
    const { refusedUpdate } = created(provisioned())
    expect(refusedUpdate(zero)).toBe(
      `${INVALID}MaxReadRequestUnits for OnDemandThroughput cannot be specified when the table BillingMode is PROVISIONED`,
    )
    expect(refusedUpdate(ofIndex({ OnDemandThroughput: { MaxWriteRequestUnits: -1 } }))).toBe(
      `${INVALID}MaxWriteRequestUnits for OnDemandThroughput for index : by-state cannot be specified when the table BillingMode is PROVISIONED`,
    )
  })

  it.each([0, -1, -2])('of a new table or index is at least one: %i', (units) => {
    const maximum = { OnDemandThroughput: { MaxReadRequestUnits: units } }
    const text = (whose: string) =>
      `${INVALID}Requested MaxReadRequestUnits for OnDemandThroughput for ${whose} is outside of valid range`
    expect(refusedCreation(definition(maximum))).toBe(text('table'))
    expect(refusedCreation(definition({}, maximum))).toBe(text('index : by-state'))
    if (units === -1) return
    expect(created(definition()).refusedUpdate(maximum)).toBe(text('table'))
  })
})

describe('the warm throughput of a new table', () => {
  const warm = { WarmThroughput: { ReadUnitsPerSecond: 4, WriteUnitsPerSecond: 9_000 } }
  const requested = (whose: string) =>
    `${INVALID}Requested ReadUnitsPerSecond for WarmThroughput for ${whose} is lower than`

  it('is at least what an on-demand table starts with', () => {
    const start = /initial throughput for OnDemand\. See: https:\/\/.*#on-demand-capacity-mode-initial$/
    for (const [input, whose] of [
      [definition(warm), 'table'],
      [definition({}, warm), 'index by-state'],
    ] as const) {
      const refusal = refusedCreation(input)
      expect(refusal).toContain(requested(whose))
      expect(refusal).toMatch(start)
    }
  })

  it('is at least what is provisioned', () => {
    expect(refusedCreation(provisioned(warm))).toBe(
      `${requested('table')} ReadCapacityUnits of ProvisionedThroughput`,
    )
  })
})
