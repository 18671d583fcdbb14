import { PutItemCommand } from '@aws-sdk/client-dynamodb'
import { createTable, type TableShape } from '@isotherm/fixtures'
import { createLocal, type LocalOptions } from '@isotherm/local'
import { SeededRandom, VirtualClock } from '@isotherm/runtime'
import { CELL_WIDTH, type HeatEvent } from '../api/heat-map.js'
import { partitionEvent } from '../events/partition-event.js'
import { heatMap } from '../heat-map/heat-map.js'
import type { ReadableMap } from './finding.js'

/** A load on a table of the engine, second by second. */
export interface MadeLoad {
  readonly table?: TableShape
  readonly options?: LocalOptions
  readonly seconds: number
  readonly index?: string
  readonly delimiter?: string
  /** What is put in a second: the attributes of each item besides its sort key. */
  puts(second: number): readonly Readonly<Record<string, string>>[]
}

const LIMIT = { writes: 1_000, reads: 3_000 }

/** The map of a load that the engine carried, or did not, on virtual time. */
export async function engineMap(load: MadeLoad): Promise<ReadableMap> {
  const clock = new VirtualClock(Date.UTC(2027, 0, 1))
  const events: HeatEvent[] = []
  const onPartitionEvent: LocalOptions['onPartitionEvent'] = (event) => events.push(partitionEvent(event))
  const random = new SeededRandom(1)
  const local = createLocal({ ...load.options, clock, random, heat: true, onPartitionEvent })
  const client = local.client({ maxAttempts: 1 })
  await client.send(createTable('made', ['pk', 'sk'], load.table))
  const from = clock.now()
  let number = 0
  await clock.run(async () => {
    for (let second = 0; second < load.seconds; second++) {
      const due = from + second * 1_000
      if (due > clock.now()) await clock.sleep(due - clock.now())
      for (const texts of load.puts(second)) {
        const Item = Object.fromEntries(Object.entries(texts).map(([name, S]) => [name, { S }]))
        const command = new PutItemCommand({
          TableName: 'made',
          Item: { ...Item, sk: { S: String(number++) } },
        })
        await client.send(command).catch(() => undefined)
      }
    }
    await clock.sleep(1_000)
  })
  const keyspace = { region: 'us-east-1', table: 'made', index: load.index }
  const request = { from, to: from + load.seconds * 1_000, columns: load.seconds }
  const span = local.heat(keyspace, request) ?? { ...request, seconds: 1, columns: [] }
  const partitions = local.partitions('made', load.index)
  const map = heatMap(
    { span, partitions, limit: LIMIT, events, now: clock.now() },
    {
      ...keyspace,
      ...request,
      by: 'key',
      rows: 200,
      delimiter: load.delimiter ?? '',
      separator: '/',
      open: [],
      firstKey: undefined,
      lastKey: undefined,
      after: 0,
    },
  )
  await local.close()
  const cells = map.rows.map(({ cells: numbers }) => {
    const byColumn = new Map<number, readonly number[]>()
    for (let at = 0; at < numbers.length; at += CELL_WIDTH) {
      byColumn.set(numbers[at] ?? 0, numbers.slice(at, at + CELL_WIDTH))
    }
    return byColumn
  })
  return { ...map, grid: { at: (row, column, of) => cells[row]?.get(column)?.[of] ?? 0 } }
}
