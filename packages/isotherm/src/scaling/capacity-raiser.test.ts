import type { UpdateTableCommandInput } from '@aws-sdk/client-dynamodb'
import { VirtualClock } from '@isotherm/runtime'
import { describe, expect, it } from 'vitest'
import type { Access, IsothermEvent } from '../events/event.js'
import type { AnyCommand, PhysicalClient } from '../sdk/physical-client.js'
import type { CapacityRaise } from './capacity-raise.js'
import { raiseReadCapacity } from './raise-read-capacity.js'
import { raiseWriteCapacity } from './raise-write-capacity.js'
import { TableCapacityReader } from './sensing/table-capacity.js'
import { TableThrottles } from './sensing/table-throttles.js'

const WRITES: readonly string[] = ['TableWriteProvisionedThroughputExceeded']
const READS: readonly string[] = ['TableReadProvisionedThroughputExceeded']

/** A table whose updates take a while, as the service's do. Its description has the former units until then. */
class SlowTable {
  readonly #clock: VirtualClock
  readonly #updateMilliseconds: number
  units = { read: 10, write: 10 }
  mode = 'PROVISIONED'
  /** How long a request to update the table is under way until it takes effect. */
  updateLatency = 20
  /** Thrown instead of the next description, once. */
  failure: Error | undefined
  /** Thrown for each update. */
  refusal: Error | undefined
  descriptions = 0
  /** How many requests to update the table are under way, at most at a time. */
  mostAtATime = 0
  #underWay = 0
  #until = Number.NEGATIVE_INFINITY
  #next = this.units
  readonly updates: object[] = []

  constructor(clock: VirtualClock, updateMilliseconds: number) {
    this.#clock = clock
    this.#updateMilliseconds = updateMilliseconds
  }

  readonly client = {
    send: async (command: AnyCommand) => {
      if (!('ProvisionedThroughput' in command.input)) {
        await this.#clock.sleep(20)
        return this.#described()
      }
      this.#underWay += 1
      this.mostAtATime = Math.max(this.mostAtATime, this.#underWay)
      await this.#clock.sleep(this.updateLatency)
      this.#underWay -= 1
      return this.#update(command.input)
    },
  } as unknown as PhysicalClient

  #described() {
    this.descriptions += 1
    const { failure } = this
    this.failure = undefined
    if (failure !== undefined) throw failure
    const isUpdating = this.#isUpdating()
    const { read, write } = this.units
    return {
      Table: {
        TableStatus: isUpdating ? 'UPDATING' : 'ACTIVE',
        BillingModeSummary: { BillingMode: this.mode },
        ProvisionedThroughput: { ReadCapacityUnits: read, WriteCapacityUnits: write },
      },
    }
  }

  startWith(units: { readonly read: number; readonly write: number }): void {
    this.units = units
    this.#next = units
  }

  /** Changes the capacity as an operator does, from now on. */
  set(units: { readonly read: number; readonly write: number }): void {
    this.#next = units
    this.#until = this.#clock.now() + this.#updateMilliseconds
  }

  #update(input: object): object {
    const { ProvisionedThroughput: asked } = input as UpdateTableCommandInput
    const { ReadCapacityUnits: read, WriteCapacityUnits: write } = asked ?? {}
    if (this.refusal !== undefined) throw this.refusal
    if (this.#isUpdating()) throw Object.assign(new Error('Busy.'), { name: 'ResourceInUseException' })
    this.updates.push({ read, write })
    this.set({ read: read ?? 0, write: write ?? 0 })
    return {}
  }

  #isUpdating(): boolean {
    if (this.#clock.now() < this.#until) return true
    this.units = this.#next
    return false
  }
}

const BOTH = [raiseWriteCapacity({ maxWriteUnits: 100 }), raiseReadCapacity({ maxReadUnits: 40 })]

function setUp(updateMilliseconds = 0) {
  const clock = new VirtualClock(1_800_000_000_000)
  const table = new SlowTable(clock, updateMilliseconds)
  const events: IsothermEvent[] = []
  const emit = (event: IsothermEvent) => events.push(event)
  const process = (raises: readonly CapacityRaise[] = BOTH) => {
    const { client } = table
    const capacity = new TableCapacityReader(client, clock, 'log')
    const teller = new TableThrottles('log', clock, emit)
    const opened = raises[0]?.open(raises, { table: 'log', client, capacity, clock, emit, teller })
    return (access: Access, reasons = access === 'read' ? READS : WRITES) =>
      opened?.throttled(reasons, access)
  }
  const raised = () =>
    events.flatMap((event) =>
      event.type === 'capacity-raised' ? [[event.access, event.from, event.to]] : [],
    )
  return { clock, table, events, process, raised }
}

describe('the raises of one table', () => {
  it('of its reads and its writes in the same moment go in one request', async () => {
    const { clock, table, process, raised } = setUp()
    const throttled = process()
    await clock.run(async () => {
      throttled('read')
      throttled('write')
      throttled('read')
      await clock.sleep(1_000)
    })
    expect(table.updates).toEqual([{ read: 15, write: 15 }])
    expect(raised()).toEqual([
      ['read', 10, 15],
      ['write', 10, 15],
    ])
  })

  it.each([
    ['this process', false],
    ['another one', true],
  ])('do not overwrite each other while an update by %s takes ten seconds', async (_who, isOther) => {
    const { clock, table, process } = setUp(10_000)
    const throttled = process()
    const other = isOther ? process() : throttled
    await clock.run(async () => {
      throttled('write')
      await clock.sleep(500)
      // The reads are throttled all the time.
      for (let second = 0; second < 30; second++) {
        other('read')
        await clock.sleep(1_000)
      }
    })
    expect(table.updates).toEqual([
      { read: 10, write: 15 },
      { read: 15, write: 15 },
    ])
  })

  it('of many processes raise the capacity once, and wait until the update has shown its effect', async () => {
    const { clock, table, process } = setUp(10_000)
    const fleet = Array.from({ length: 5 }, () => process())
    await clock.run(async () => {
      for (let second = 0; second < 20; second++) {
        for (const throttled of fleet) {
          throttled('write')
          await clock.sleep(200)
        }
      }
    })
    expect(table.updates).toEqual([{ read: 10, write: 15 }])
  })

  it('stop at their bounds, and say so', async () => {
    const { clock, table, events, process } = setUp()
    const throttled = process([raiseReadCapacity({ maxReadUnits: 20, factor: 10, cooldown: '5s' })])
    await clock.run(async () => {
      for (let second = 0; second < 12; second++) {
        throttled('read')
        await clock.sleep(1_000)
      }
    })
    expect(table.updates).toEqual([{ read: 20, write: 10 }])
    expect(events.at(-1)).toMatchObject({ type: 'table-throttled', access: 'read', reasons: READS })
  })

  it('leave the side alone that no raise is for', async () => {
    const { clock, table, events, process } = setUp()
    const throttled = process([raiseWriteCapacity({ maxWriteUnits: 100 })])
    await clock.run(async () => {
      throttled('read')
      await clock.sleep(1_000)
    })
    expect(table.updates).toEqual([])
    expect(events).toMatchObject([{ type: 'table-throttled', access: 'read' }])
  })

  it('do not touch an on-demand table', async () => {
    const { clock, table, events, process } = setUp()
    table.mode = 'PAY_PER_REQUEST'
    const throttled = process()
    await clock.run(async () => {
      throttled('read')
      throttled('write')
      await clock.sleep(1_000)
    })
    expect(table.updates).toEqual([])
    expect(events).toMatchObject([{ access: 'read' }, { access: 'write' }])
  })

  it('begin with a throttle without reasons, whose cause the rate of the table has shown', async () => {
    const { clock, table, process } = setUp()
    const throttled = process()
    await clock.run(async () => {
      throttled('write', [])
      await clock.sleep(1_000)
    })
    expect(table.updates).toEqual([{ read: 10, write: 15 }])
  })

  it.each<[string, Access, string]>([
    ['the account', 'write', 'TableWriteAccountLimitExceeded'],
    ['the account', 'read', 'TableReadAccountLimitExceeded'],
    ['the maximum of an on-demand table', 'write', 'TableWriteMaxOnDemandThroughputExceeded'],
  ])('do not answer throttles by %s, which they cannot prevent: %s', async (_whose, access, reason) => {
    const { clock, table, events, process } = setUp()
    const throttled = process()
    await clock.run(async () => {
      throttled(access, [reason])
      await clock.sleep(1_000)
    })
    expect(table.descriptions).toBe(0)
    expect(events).toMatchObject([{ type: 'table-throttled', access, reasons: [reason] }])
  })

  it('follow each other as soon as the cooldown is over, to the millisecond', async () => {
    const { clock, table, process } = setUp()
    const throttled = process([raiseWriteCapacity({ maxWriteUnits: 100, cooldown: '30s' })])
    await clock.run(async () => {
      throttled('write')
      await clock.sleep(29_999)
      throttled('write')
      await clock.sleep(1)
      expect(table.updates).toHaveLength(1)
      throttled('write')
      await clock.sleep(1_000)
    })
    expect(table.updates).toEqual([
      { read: 10, write: 15 },
      { read: 10, write: 23 },
    ])
  })

  it('are one request at a time, the next with what the one before has set', async () => {
    const { clock, table, process } = setUp()
    table.updateLatency = 200
    const throttled = process()
    await clock.run(async () => {
      throttled('write')
      // The request is under way.
      await clock.sleep(100)
      throttled('read')
      await clock.sleep(1_000)
    })
    expect(table.mostAtATime).toBe(1)
    expect(table.updates).toEqual([
      { read: 10, write: 15 },
      { read: 15, write: 15 },
    ])
  })

  it('send nothing while the table is being updated, because the update may end before the request arrives', async () => {
    const { clock, table, process } = setUp(10_000)
    table.updateLatency = 200
    const throttled = process()
    await clock.run(async () => {
      table.set({ read: 30, write: 10 })
      await clock.sleep(9_900)
      throttled('write')
      await clock.sleep(1_000)
      expect(table.updates).toEqual([])
      await clock.sleep(5_000)
      throttled('write')
      await clock.sleep(1_000)
    })
    expect(table.updates).toEqual([{ read: 30, write: 15 }])
  })

  it('are tried again five seconds after another update was in their way, with one look at the table each time', async () => {
    const { clock, table, process } = setUp(60_000)
    const throttled = process()
    await clock.run(async () => {
      table.set({ read: 30, write: 10 })
      for (let second = 0; second < 10; second++) {
        throttled('write')
        await clock.sleep(1_000)
      }
    })
    expect(table.descriptions).toBe(2)
  })

  it.each<[Access, { readonly read: number; readonly write: number }, readonly object[]]>([
    ['write', { read: 10, write: 30 }, []],
    ['read', { read: 15, write: 20 }, []],
    // The update raises the other side only.
    ['write', { read: 30, write: 20 }, [{ read: 30, write: 30 }]],
    ['read', { read: 10, write: 30 }, [{ read: 15, write: 30 }]],
  ])(
    'of %s are left out if the update in their way has raised that side: to %o',
    async (access, set, updates) => {
      const { clock, table, process } = setUp(3_000)
      table.startWith({ read: 10, write: 20 })
      const throttled = process()
      await clock.run(async () => {
        table.set(set)
        throttled(access)
        await clock.sleep(6_000)
        throttled(access)
        await clock.sleep(1_000)
      })
      expect(table.updates).toEqual(updates)
    },
  )

  it('are tried again if an update has begun while their request was under way', async () => {
    const { clock, table, events, process } = setUp(3_000)
    table.updateLatency = 200
    const throttled = process()
    await clock.run(async () => {
      throttled('write')
      await clock.sleep(100)
      table.set({ read: 30, write: 10 })
      await clock.sleep(6_000)
      throttled('write')
      await clock.sleep(1_000)
    })
    expect(table.updates).toEqual([{ read: 30, write: 15 }])
    expect(events.map(({ type }) => type)).toEqual(['capacity-raised'])
  })

  it('that fail are reported, and tried again after the cooldown', async () => {
    const { clock, table, events, process } = setUp()
    const error = Object.assign(new Error('Not allowed.'), { name: 'AccessDeniedException' })
    table.failure = error
    const throttled = process()
    await clock.run(async () => {
      throttled('write')
      await clock.sleep(1_000)
      expect(events).toEqual([
        { type: 'failed', table: 'log', task: 'raise-capacity', error, at: clock.now() - 980 },
      ])
      for (let second = 0; second < 62; second++) {
        throttled('write')
        await clock.sleep(1_000)
      }
    })
    expect(table.descriptions).toBe(2)
    expect(table.updates).toEqual([{ read: 10, write: 15 }])
  })

  it('that the service refuses are reported, and not tried again before the cooldown is over', async () => {
    const { clock, table, events, process } = setUp()
    table.refusal = Object.assign(new Error('Too often.'), { name: 'LimitExceededException' })
    const throttled = process()
    await clock.run(async () => {
      for (let second = 0; second < 30; second++) {
        throttled('write')
        await clock.sleep(1_000)
      }
    })
    expect(events).toMatchObject([{ type: 'failed', task: 'raise-capacity', error: table.refusal }])
    expect(table.descriptions).toBe(1)
  })
})
