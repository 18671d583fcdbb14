import { AWS_PRICES, type PlanInput, type PriceList, parsePriceList } from '@isotherm/advisor'
import { CommandError } from '../command-error.js'
import { readText } from '../read-text.js'
import type { PlanFlags } from './plan-flags.js'

/** Flags win over what a log or a table says. */
export function fromFlags(flags: PlanFlags, known: Partial<PlanInput>): Partial<PlanInput> {
  const { writes, reads, hotWrites, hotReads, table, partitionKey, sortKey } = flags
  const given: Partial<PlanInput> = {
    pageItems: flags.page,
    consistency: flags.consistent === true ? 'strong' : 'eventual',
    access: flags.access,
    rampMinutes: flags.ramp,
    headRoom: flags.headRoom,
    confidence: flags.confidence,
    seed: flags.seed,
    ...(flags.order === undefined ? {} : { order: flags.order }),
    ...(table === undefined || flags.from !== undefined ? {} : { table }),
    ...(partitionKey === undefined ? {} : { partitionKey }),
    ...(sortKey === undefined ? {} : { sortKey }),
    ...(flags.meanWrites === undefined ? {} : { meanWritesPerSecond: flags.meanWrites }),
    ...(flags.meanReads === undefined ? {} : { meanReadsPerSecond: flags.meanReads }),
    ...(flags.keys === undefined ? {} : { distinctKeys: flags.keys }),
    ...(flags.itemBytes === undefined ? {} : { itemBytes: flags.itemBytes }),
    ...(flags.storedGb === undefined ? {} : { storedGb: flags.storedGb }),
    ...(flags.localIndex === true ? { hasLocalIndex: true } : {}),
    ...(flags.partitions === undefined ? {} : { partitions: flags.partitions }),
    ...(flags.provisionedWrites === undefined ? {} : { provisionedWriteUnits: flags.provisionedWrites }),
    ...regionOfPrices(flags),
  }
  const isRated = [writes, reads, hotWrites, hotReads].some((rate) => rate !== undefined)
  if (!isRated) return given
  const [first] = known.keys ?? []
  const before = totalsOf(known)
  const hot = {
    writes: hotWrites ?? first?.writesPerSecond ?? 0,
    reads: hotReads ?? first?.readsPerSecond ?? 0,
  }
  const all = {
    writes: writes ?? Math.max(hot.writes, before.writes),
    reads: reads ?? Math.max(hot.reads, before.reads),
  }
  for (const kind of ['writes', 'reads'] as const) {
    if (hot[kind] <= all[kind]) continue
    throw new CommandError(
      `--hot-${kind} is ${hot[kind]}, more than the ${all[kind]} of --${kind}; it is a part of them.`,
    )
  }
  return {
    ...given,
    keys: [
      {
        ...(first?.key === undefined ? {} : { key: first.key }),
        writesPerSecond: hot.writes,
        readsPerSecond: hot.reads,
      },
    ],
    otherWritesPerSecond: all.writes - hot.writes,
    otherReadsPerSecond: all.reads - hot.reads,
  }
}

/** What a log or a table says of all keys together. */
function totalsOf({ keys = [], otherWritesPerSecond = 0, otherReadsPerSecond = 0 }: Partial<PlanInput>) {
  return {
    writes: keys.reduce((sum, { writesPerSecond }) => sum + writesPerSecond, otherWritesPerSecond),
    reads: keys.reduce((sum, { readsPerSecond }) => sum + readsPerSecond, otherReadsPerSecond),
  }
}

/** Prices of the table's own region where the list has them. */
function regionOfPrices({ priceRegion, region: own, prices }: PlanFlags): Partial<PlanInput> {
  if (priceRegion !== undefined) return { region: priceRegion }
  const list = prices === undefined ? AWS_PRICES : parsePriceList(readText(prices))
  if (own !== undefined && Object.hasOwn(list.regions, own)) return { region: own }
  const [first] = Object.keys(list.regions)
  return first === undefined ? {} : { region: first }
}

export function pricesOf({ prices }: PlanFlags): PriceList {
  return prices === undefined ? AWS_PRICES : parsePriceList(readText(prices))
}
