import { table } from '@isotherm/fixtures'
import { SeededRandom } from '@isotherm/runtime'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { EngineFixture, REGION } from './engine.fixture.js'

const TASKS = table('tasks', ['id'], { global: { 'by-state': ['state', 'id'] } })
const task = (id: number | string, state: string, version = 0) => ({
  TableName: 'tasks',
  Item: { id: { S: `${id}` }, state: { S: state }, version: { N: `${version}` } },
})
const inState = (state: string, more: object = {}) => ({
  TableName: 'tasks',
  IndexName: 'by-state',
  KeyConditionExpression: '#s = :s',
  ExpressionAttributeNames: { '#s': 'state' },
  ExpressionAttributeValues: { ':s': { S: state } },
  ...more,
})

describe('an index that is behind its table', () => {
  it('shows changes with a delay of up to its lag, and in order', () => {
    const fixture = new EngineFixture({ propagation: { indexLagMilliseconds: 100 } })
    fixture.ask('CreateTable', TASKS)
    fixture.ask('PutItem', task(1, 'open'))
    expect(fixture.ask('Query', inState('open')).Count).toBe(0)
    expect(fixture.ask('GetItem', { TableName: 'tasks', Key: { id: { S: '1' } } }).Item).toBeDefined()
    fixture.clock.advance(100)
    expect(fixture.ask('Query', inState('open')).Count).toBe(1)
    fixture.ask('PutItem', task(1, 'open', 2))
    expect(fixture.ask('Query', inState('open')).Items[0].version.N).toBe('0')
    fixture.ask('DeleteItem', { TableName: 'tasks', Key: { id: { S: '1' } } })
    expect(fixture.ask('Query', inState('open')).Items[0].version.N).toBe('0')
    fixture.clock.advance(100)
    expect(fixture.ask('Query', inState('open')).Count).toBe(0)
  })

  it('accepts base writes until too much waits, throttles them with its own reason, and catches up', () => {
    const fixture = new EngineFixture({
      propagation: { indexQueueUnits: 400 },
      capacity: { partitionWriteUnitsPerSecond: 200, indexPartitionBurstSeconds: 1 },
    })
    fixture.ask('CreateTable', TASKS)
    let written = 0
    const refusals = new Set<string>()
    const refusedAt: number[] = []
    for (let second = 0; second < 5; second++) {
      for (let n = 0; n < 400; n++) {
        try {
          fixture.ask('PutItem', task(second * 400 + n, 'open'))
          written++
        } catch (error) {
          refusedAt.push(second)
          const [reason] = (
            error as { members: { throttlingReasons: { reason: string; resource: string }[] } }
          ).members.throttlingReasons
          refusals.add(`${reason?.reason} ${reason?.resource}`)
        }
        fixture.clock.advance(2.5)
      }
    }
    expect([...refusals]).toEqual([
      `IndexWriteKeyRangeThroughputExceeded arn:aws:dynamodb:${REGION}:000000000000:table/tasks/index/by-state`,
    ])
    // A second of burst and two of queue: the first throttle comes in the third second, not in the first.
    expect(Math.min(...refusedAt)).toBeGreaterThanOrEqual(2)
    const count = () => {
      let [sum, ExclusiveStartKey] = [0, undefined]
      do {
        const page = fixture.ask('Query', inState('open', { Select: 'COUNT', ExclusiveStartKey }))
        sum += page.Count
        ExclusiveStartKey = page.LastEvaluatedKey
      } while (ExclusiveStartKey !== undefined)
      return sum
    }
    expect(written - count()).toBeGreaterThan(300)
    fixture.clock.advance(2100)
    expect(count()).toBe(written)
  })

  it('does not block any of its partitions while another one continues, when the whole index is the limit', () => {
    const OnDemandThroughput = { MaxReadRequestUnits: 1000, MaxWriteRequestUnits: 10 }
    const limited = table('tasks', ['id'], {
      global: { 'by-state': { key: ['state', 'id'], OnDemandThroughput } },
    })
    const fixture = new EngineFixture({
      propagation: { indexQueueUnits: 20 },
      capacity: { onDemandMaximumBurstSeconds: 1 },
    })
    fixture.ask('CreateTable', limited)
    const states = ['open', 'done', 'late', 'gone', 'new']
    const random = new SeededRandom(7)
    for (let n = 0; n < 4000; n++) {
      try {
        fixture.ask('PutItem', task(n, states[Math.floor(random.next() * states.length)] ?? ''))
      } catch (error) {
        expect(error).toMatchObject({ name: 'ThrottlingException' })
      }
      fixture.clock.advance(25)
    }
    const shown = states.map((state) => fixture.ask('Query', inState(state)).Count)
    // Ten per second in a hundred seconds, for five states. States that share a partition share its turns.
    expect(Math.min(...shown)).toBeGreaterThan(100)
  })

  it('hides nothing when limits are not enforced', () => {
    const capacity = { partitionWriteUnitsPerSecond: 100, indexPartitionBurstSeconds: 1 }
    const fixture = new EngineFixture({ throttle: false, capacity })
    fixture.ask('CreateTable', TASKS)
    for (let n = 0; n < 500; n++) fixture.ask('PutItem', task(n, 'open'))
    expect(fixture.ask('Query', inState('open', { Select: 'COUNT' })).Count).toBe(500)
  })

  it('shows everything after a restart, because waiting changes are in the store', () => {
    const fixture = new EngineFixture({ propagation: { indexLagMilliseconds: 1000 } })
    fixture.ask('CreateTable', TASKS)
    fixture.ask('PutItem', task(1, 'open'))
    expect(fixture.ask('Query', inState('open')).Count).toBe(0)
    fixture.restart()
    expect(fixture.ask('Query', inState('open')).Count).toBe(1)
  })

  it('shows a past or current version of every item, never goes back in time, and keeps the order of pages', () => {
    fc.assert(
      fc.property(fc.integer(), fc.boolean(), (seed, ScanIndexForward) => {
        const fixture = new EngineFixture({
          propagation: { indexLagMilliseconds: 50, indexQueueUnits: 100_000 },
          capacity: { partitionWriteUnitsPerSecond: 100, partitionReadUnitsPerSecond: 1e6 },
          random: new SeededRandom(seed),
        })
        fixture.ask('CreateTable', TASKS)
        const random = new SeededRandom(seed)
        const latest = new Map<string, number>()
        const seen = new Map<string, number>()
        for (let step = 1; step < 120; step++) {
          const id = `${Math.floor(random.next() * 8)}`
          try {
            fixture.ask('PutItem', task(id, 'open', step))
            latest.set(id, step)
          } catch {
            // The table itself is throttled, so nothing was written.
          }
          fixture.clock.advance(random.next() * 20)
          const shown: [string, number][] = []
          let ExclusiveStartKey: object | undefined
          do {
            const page = fixture.ask(
              'Query',
              inState('open', { Limit: 3, ScanIndexForward, ExclusiveStartKey }),
            )
            for (const { id, version } of page.Items) shown.push([id.S, Number(version.N)])
            ExclusiveStartKey = page.LastEvaluatedKey
          } while (ExclusiveStartKey !== undefined)
          const ids = shown.map(([each]) => each)
          expect(ids).toEqual(ScanIndexForward ? [...ids].sort() : [...ids].sort().reverse())
          expect(new Set(ids).size).toBe(ids.length)
          for (const [each, version] of shown) {
            expect(version).toBeLessThanOrEqual(latest.get(each) ?? 0)
            expect(version).toBeGreaterThanOrEqual(seen.get(each) ?? 0)
            seen.set(each, version)
          }
        }
        fixture.clock.advance(60_000)
        const { Items } = fixture.ask('Query', inState('open'))
        expect(
          new Map(
            Items.map((item: { id: { S: string }; version: { N: string } }) => [
              item.id.S,
              Number(item.version.N),
            ]),
          ),
        ).toEqual(new Map([...latest].sort()))
      }),
      { numRuns: 40 },
    )
  })
})

describe('an eventually consistent read', () => {
  it('may show an earlier state of a table, and a consistent one never does', () => {
    const fixture = new EngineFixture({ propagation: { readLagMilliseconds: 100 } })
    fixture.ask('CreateTable', TASKS)
    const get = (ConsistentRead: boolean) =>
      fixture.ask('GetItem', { TableName: 'tasks', Key: { id: { S: '1' } }, ConsistentRead }).Item?.version.N
    const scan = (ConsistentRead: boolean) =>
      fixture.ask('Scan', { TableName: 'tasks', ConsistentRead }).Items[0]?.version.N
    const seen = new Set<string>()
    for (let version = 0; version < 50; version++) {
      fixture.ask('PutItem', task(1, 'open', version))
      expect([get(true), scan(true)]).toEqual([`${version}`, `${version}`])
      for (const late of [get(false), scan(false)]) {
        const behind = version - Number(late ?? -1)
        // A new version every 10 ms, and a lag of up to 100 ms.
        expect(behind).toBeLessThanOrEqual(10)
        seen.add(`${behind}`)
      }
      fixture.clock.advance(10)
    }
    expect(seen.size).toBeGreaterThan(5)
    fixture.clock.advance(100)
    expect([get(false), scan(false)]).toEqual(['49', '49'])
  })
})
