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
  #until = Number.NEGATIVE_INFINITY
  #next = this.units
  readonly updates: object[] = []

  constructor(clock: VirtualClock, updateMilliseconds: number) {
    this.#clock = clock
    this.#updateMilliseconds = updateMilliseconds
  }

  readonly client = {
    send: async (command: AnyCommand) => {
      await this.#clock.sleep(20)
      return 'ProvisionedThroughput' in command.input ? this.#update(command.input) : this.#described()
    },
  } as unknown as PhysicalClient

  #described() {
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

  #update(input: object): object {
    const { ProvisionedThroughput: asked } = input as UpdateTableCommandInput
    const { ReadCapacityUnits: read, WriteCapacityUnits: write } = asked ?? {}
    if (this.#isUpdating()) throw Object.assign(new Error('Busy.'), { name: 'ResourceInUseException' })
    this.updates.push({ read, write })
    this.#next = { read: read ?? 0, write: write ?? 0 }
    this.#until = this.#clock.now() + this.#updateMilliseconds
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
    return (access: Access) => opened?.throttled(access === 'read' ? READS : WRITES, access)
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
      for (let second = 0; second < 12; second++) {
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
})
