import type { HeatCell, HeatFrame, HeatKey } from '@isotherm/local'
import type { ConsoleSource } from '../source/console-source.js'

const SECOND = 1_000

/** The history of an engine has no more keys in a second. */
const KEYS_PER_SECOND = 256

/** A table with as many hot keys as a map has rows, and in each second as many of them as an engine records. */
export function largeSource(keys: number, now: () => number): ConsoleSource {
  const names = Array.from({ length: keys }, (_, index): HeatKey => {
    const name = `/page/${String(index).padStart(5, '0')}`
    return { hash: index.toString(16).padStart(16, '0'), values: [name], isCut: false }
  })
  const cellOf = (key: number, second: number): HeatCell => {
    const writeUnits = (key * 7 + second * 13) % 1_000
    return { writeUnits, readUnits: 0, partitionThrottles: 0, tableThrottles: 0, peak: writeUnits / 1_000 }
  }
  const frames = new Map<number, HeatFrame>()
  const frameOf = (second: number): HeatFrame => {
    const known = frames.get(second)
    if (known !== undefined) return known
    const cells = names.flatMap((name, index) => {
      const turn = (index + second * 89) % names.length
      return turn < KEYS_PER_SECOND ? [[name, cellOf(index, second)] as const] : []
    })
    const sum = { writeUnits: 0, readUnits: 0, partitionThrottles: 0, tableThrottles: 0, peak: 1 }
    for (const [, { writeUnits }] of cells) sum.writeUnits += writeUnits
    const frame = { partitions: [[0, sum] as const], keys: cells, reasons: new Map() }
    frames.set(second, frame)
    return frame
  }
  return {
    now,
    limit: { writes: 1_000, reads: 3_000 },
    tables: async () => [
      { region: 'us-east-1', name: 'large', globalIndexes: [], delimiter: '', shardMap: undefined },
    ],
    partitions: async () => [],
    describe: async () => ({}),
    shardMap: async () => ({ name: '', keys: [], isWhole: true }),
    heat: async (_keyspace, { from, to }) => {
      const [first, end] = [Math.floor(from / SECOND), Math.ceil(to / SECOND)]
      const columns = Array.from({ length: end - first }, (_, index) => ({
        at: (first + index) * SECOND,
        frame: frameOf(first + index),
      }))
      return { from: first * SECOND, to: end * SECOND, seconds: 1, columns }
    },
  }
}
