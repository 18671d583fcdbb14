import type { TableShape } from '@isotherm/fixtures'
import { expect } from 'vitest'
import type { PartitionSideReport } from '../capacity/partition-report.js'
import { BehaviourBench, item, provisioned } from './behaviour-bench.js'

export const KEY = { pk: { S: 'a' }, sk: { S: 'a' } }
export const MISSING = { pk: { S: 'a' }, sk: { S: 'missing' } }
export const TOTAL = { ReturnConsumedCapacity: 'TOTAL' }

/** A table with one partition, and one item of this size. */
export function holding(bytes: number, table: TableShape = {}): BehaviourBench {
  const bench = new BehaviourBench({ ...provisioned(1000, 1), ...table }, { throttle: false })
  bench.ask('PutItem', { Item: item('a', 'a', bytes) })
  return bench
}

/** The units that a request reports, which its partitions must have recorded and their buckets must have given. */
export async function unitsOf(bench: BehaviourBench, operation: string, input: object): Promise<number> {
  const [before, leftBefore] = [taken(bench), left(bench)]
  const { ConsumedCapacity } = await bench.ask(operation, { ...input, ...TOTAL })
  const [{ CapacityUnits }] = [ConsumedCapacity].flat()
  expect(taken(bench) - before).toBeCloseTo(CapacityUnits, 9)
  expect(leftBefore - left(bench)).toBeCloseTo(CapacityUnits, 9)
  return CapacityUnits
}

export function taken(bench: BehaviourBench): number {
  return sumOf(bench, ({ consumedUnits }) => consumedUnits)
}

/** The units left in the buckets of the partitions, which may be less than nothing. */
export function left(bench: BehaviourBench): number {
  return sumOf(bench, ({ availableUnits }) => availableUnits)
}

function sumOf(bench: BehaviourBench, amountOf: (side: PartitionSideReport) => number): number {
  const indexes = ['by_kind'].flatMap((name) => bench.partitions(name))
  return [...bench.partitions(), ...indexes].reduce(
    (sum, { read, write }) => sum + amountOf(read) + amountOf(write),
    0,
  )
}

/** A query of the whole item collection. */
export const ALL = { KeyConditionExpression: 'pk = :a', ExpressionAttributeValues: { ':a': { S: 'a' } } }
