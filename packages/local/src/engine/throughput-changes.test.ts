import { table } from '@isotherm/fixtures'
import { describe, expect, it } from 'vitest'
import { EngineFixture } from './engine.fixture.js'

const HOUR = 3_600_000
/** The fixture's clock begins at Friday, January 15, 2027 at 8:00:00 AM UTC. */
const DECREASES =
  'LimitExceededException: Subscriber limit exceeded: Provisioned throughput decreases are limited within a given UTC day. After the first 4 decreases, each subsequent decrease in the same UTC day can be performed at most once every 3600 seconds. Number of decreases today: '

const throughput = (read: number, write = read) => ({
  ProvisionedThroughput: { ReadCapacityUnits: read, WriteCapacityUnits: write },
})

const provisioned = (name: string, units: number) =>
  table(name, ['id'], { units, global: { by_status: { key: ['status'], projected: 'KEYS_ONLY' } } })

const change = (units: number) => ({ TableName: 'orders', ...throughput(units) })
const changeIndex = (units: number) => ({
  TableName: 'orders',
  GlobalSecondaryIndexUpdates: [{ Update: { IndexName: 'by_status', ...throughput(units) } }],
})
const describeOrders = (fixture: EngineFixture) => fixture.ask('DescribeTable', { TableName: 'orders' }).Table

describe('decreases of provisioned throughput', () => {
  it('are limited to four a day, then one an hour after the last one', () => {
    const fixture = new EngineFixture()
    fixture.ask('CreateTable', provisioned('orders', 100))
    for (const units of [90, 80, 70, 60]) fixture.ask('UpdateTable', change(units))
    const refused = `${DECREASES}4. Last decrease at Friday, January 15, 2027 at 8:00:00 AM Coordinated Universal Time. Next decrease can be made at Friday, January 15, 2027 at 9:00:00 AM Coordinated Universal Time`
    expect(fixture.failure('UpdateTable', change(50))).toBe(refused)
    fixture.clock.advance(HOUR - 1)
    expect(fixture.failure('UpdateTable', change(50))).toBe(refused)
    fixture.clock.advance(1)
    fixture.ask('UpdateTable', change(50))
    expect(fixture.failure('UpdateTable', change(40))).toContain('Number of decreases today: 5.')
    expect(describeOrders(fixture).ProvisionedThroughput.NumberOfDecreasesToday).toBe(5)
  })

  it('start again at midnight UTC, and the error says so', () => {
    const fixture = new EngineFixture()
    fixture.ask('CreateTable', provisioned('orders', 100))
    fixture.clock.advance(15.5 * HOUR)
    for (const units of [90, 80, 70, 60]) fixture.ask('UpdateTable', change(units))
    expect(fixture.failure('UpdateTable', change(50))).toContain(
      'Next decrease can be made at Saturday, January 16, 2027 at 12:00:00 AM Coordinated Universal Time',
    )
    fixture.clock.advance(HOUR / 2)
    expect(describeOrders(fixture).ProvisionedThroughput.NumberOfDecreasesToday).toBe(0)
    for (const units of [50, 40, 30, 20]) fixture.ask('UpdateTable', change(units))
  })

  it('do not prevent increases', () => {
    const fixture = new EngineFixture()
    fixture.ask('CreateTable', provisioned('orders', 100))
    for (const units of [90, 80, 70, 60, 200]) fixture.ask('UpdateTable', change(units))
    expect(fixture.failure('UpdateTable', change(50))).toContain('Number of decreases today: 4.')
  })

  it('are counted for each index separately, and reject a request as a whole', () => {
    const fixture = new EngineFixture()
    fixture.ask('CreateTable', provisioned('orders', 100))
    for (const units of [90, 80, 70, 60]) fixture.ask('UpdateTable', changeIndex(units))
    const both = { ...change(10), ...changeIndex(50) }
    expect(fixture.failure('UpdateTable', both)).toContain('Number of decreases today: 4.')
    expect(describeOrders(fixture)).toMatchObject({
      ProvisionedThroughput: { NumberOfDecreasesToday: 0, WriteCapacityUnits: 100 },
      GlobalSecondaryIndexes: [
        { ProvisionedThroughput: { NumberOfDecreasesToday: 4, WriteCapacityUnits: 60 } },
      ],
    })
    fixture.ask('UpdateTable', change(10))
  })

  it('are answered with the previous count and the current time', () => {
    const fixture = new EngineFixture()
    fixture.ask('CreateTable', provisioned('orders', 100))
    const { TableDescription } = fixture.ask('UpdateTable', change(90))
    expect(TableDescription.ProvisionedThroughput).toEqual({
      NumberOfDecreasesToday: 0,
      LastDecreaseDateTime: fixture.clock.now() / 1000,
      ReadCapacityUnits: 100,
      WriteCapacityUnits: 100,
    })
  })

  it('are not counted when a table switches to on-demand mode', () => {
    const fixture = new EngineFixture()
    fixture.ask('CreateTable', provisioned('orders', 100))
    fixture.ask('UpdateTable', { TableName: 'orders', BillingMode: 'PAY_PER_REQUEST' })
    expect(describeOrders(fixture).ProvisionedThroughput.NumberOfDecreasesToday).toBe(0)
  })
})

describe('switches to on-demand mode', () => {
  const toOnDemand = { TableName: 'orders', BillingMode: 'PAY_PER_REQUEST' }
  const toProvisioned = {
    ...change(5),
    BillingMode: 'PROVISIONED',
    GlobalSecondaryIndexUpdates: [{ Update: { IndexName: 'by_status', ...throughput(5) } }],
  }
  const backAndForth = (fixture: EngineFixture) => {
    fixture.ask('UpdateTable', toOnDemand)
    fixture.ask('UpdateTable', toProvisioned)
  }

  it('are limited to four in any 24 hours, and switching back is always allowed', () => {
    const fixture = new EngineFixture()
    fixture.ask('CreateTable', provisioned('orders', 5))
    for (let time = 0; time < 4; time++) {
      backAndForth(fixture)
      fixture.clock.advance(HOUR)
    }
    expect(fixture.failure('UpdateTable', toOnDemand)).toBe(
      'LimitExceededException: Subscriber limit exceeded: Update to PayPerRequest mode are limited to 4 times in 1 day(s). Last update at Friday, January 15, 2027 at 11:00:00 AM Coordinated Universal Time. Next update can be made at Saturday, January 16, 2027 at 8:00:00 AM Coordinated Universal Time',
    )
    expect(describeOrders(fixture).BillingModeSummary?.BillingMode).not.toBe('PAY_PER_REQUEST')
    fixture.clock.advance(20 * HOUR - 1)
    expect(fixture.failure('UpdateTable', toOnDemand)).toContain('8:00:00 AM')
    fixture.clock.advance(1)
    backAndForth(fixture)
    expect(fixture.failure('UpdateTable', toOnDemand)).toContain('9:00:00 AM')
  })

  it('are stored, separately for each table', () => {
    const fixture = new EngineFixture()
    fixture.ask('CreateTable', provisioned('orders', 5))
    fixture.ask('CreateTable', provisioned('customers', 5))
    for (let time = 0; time < 4; time++) backAndForth(fixture)
    fixture.restart()
    expect(fixture.failure('UpdateTable', toOnDemand)).toContain('limited to 4 times')
    fixture.ask('UpdateTable', { ...toOnDemand, TableName: 'customers' })
  })

  it('do not count the initial mode of a table, nor a change that leaves it on demand', () => {
    const fixture = new EngineFixture({ capacity: { onDemandSwitches: 1 } })
    fixture.ask('CreateTable', table('orders', ['id']))
    fixture.ask('UpdateTable', toOnDemand)
    fixture.ask('UpdateTable', { ...change(5), BillingMode: 'PROVISIONED' })
    fixture.ask('UpdateTable', toOnDemand)
    fixture.ask('UpdateTable', { ...change(5), BillingMode: 'PROVISIONED' })
    expect(fixture.failure('UpdateTable', toOnDemand)).toContain('limited to 1 times in 1 day(s)')
  })
})

describe('the throughput of an account', () => {
  it('is limited for all tables and indexes of a region together', () => {
    const fixture = new EngineFixture()
    fixture.ask('CreateTable', provisioned('orders', 20_000))
    fixture.ask('CreateTable', provisioned('customers', 19_000))
    expect(fixture.failure('CreateTable', provisioned('more', 2000))).toBe(
      'LimitExceededException: Subscriber limit exceeded: Provisioned throughput of all tables and indexes in this account and Region is limited to 80000 read capacity units. Requested: 82000',
    )
    fixture.ask('CreateTable', provisioned('more', 1000))
    expect(fixture.failure('UpdateTable', change(20_001))).toContain('Requested: 80001')
    fixture.ask('UpdateTable', change(19_999))
  })

  it('does not count what is on demand', () => {
    const fixture = new EngineFixture({ capacity: { accountUnitsPerSecond: 10 } })
    fixture.ask('CreateTable', table('orders', ['id']))
    fixture.ask('CreateTable', provisioned('customers', 5))
  })

  it('is returned by DescribeLimits', () => {
    const fixture = new EngineFixture({ capacity: { accountUnitsPerSecond: 90_000 } })
    expect(fixture.ask('DescribeLimits', {})).toEqual({
      AccountMaxReadCapacityUnits: 90_000,
      AccountMaxWriteCapacityUnits: 90_000,
      TableMaxReadCapacityUnits: 40_000,
      TableMaxWriteCapacityUnits: 40_000,
    })
  })
})

describe('requests about tables', () => {
  it('are admitted up to their rate limits', () => {
    const fixture = new EngineFixture({ controlPlaneLimits: { describingRequestsPerSecond: 3 } })
    for (let request = 0; request < 3; request++) fixture.ask('ListTables', {})
    expect(fixture.failure('ListTables', {})).toBe('ThrottlingException: Rate exceeded')
    fixture.clock.advance(400)
    fixture.ask('ListTables', {})
  })

  it("for the account's limits are admitted once a minute", () => {
    const fixture = new EngineFixture({ controlPlaneLimits: { describeLimitsPerMinute: 1 } })
    fixture.ask('DescribeLimits', {})
    fixture.clock.advance(59_000)
    expect(fixture.failure('DescribeLimits', {})).toBe('ThrottlingException: Rate exceeded')
    fixture.clock.advance(1000)
    fixture.ask('DescribeLimits', {})
  })

  it('change only a limited number of tables at once', () => {
    const fixture = new EngineFixture({
      controlPlaneLimits: { changesAtOnce: 2, changesAtOnceWithIndexes: 1 },
      delays: { createTable: 1000, createTableWithIndexes: 1000 },
    })
    fixture.ask('CreateTable', provisioned('orders', 1))
    expect(fixture.failure('CreateTable', provisioned('customers', 1))).toBe(
      'LimitExceededException: Subscriber limit exceeded: Only 1 tables can be created, updated, or deleted simultaneously',
    )
    fixture.clock.advance(1000)
    fixture.ask('CreateTable', provisioned('customers', 1))
  })

  it('have no limits by default', () => {
    const fixture = new EngineFixture()
    for (let request = 0; request < 5000; request++) fixture.ask('ListTables', {})
  })
})
