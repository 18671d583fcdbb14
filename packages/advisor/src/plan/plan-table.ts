import { writeUnits } from '@isotherm/semantics'
import { AdvisorError } from '../errors/advisor-error.js'
import { AWS_PRICES } from '../prices/aws-prices.js'
import { monthlyPrices } from '../prices/monthly-price.js'
import type { PriceList } from '../prices/price-list.js'
import { PARTITION_READ_UNITS, PARTITION_WRITE_UNITS, partitionCounts } from '../sizing/partition-limits.js'
import { pageReadUnits } from '../sizing/read-price.js'
import { adviceOf } from './advice.js'
import { optionsCode } from './options-code.js'
import type { Plan, PlanReason } from './plan.js'
import type { PlanInput } from './plan-input.js'
import { chosenOption, shardOptions } from './shard-options.js'
import { verdictOf } from './verdict.js'

/**
 * Sizes a table: units, partitions, the smallest shard counts that carry the peak, and prices. It says when not to shard.
 *
 * @throws AdvisorError `plan.input`, `prices.no-region`
 * @example
 * const plan = planTable({ ...DEFAULT_PLAN_INPUT, keys: [{ writesPerSecond: 2_600, readsPerSecond: 10 }] })
 * console.log(plan.verdict, plan.chosen?.shards)
 */
export function planTable(input: PlanInput, prices: PriceList = AWS_PRICES): Plan {
  const { itemBytes, pageItems, consistency, storedGb, headRoom } = input
  const writeUnitsEach = writeUnits(itemBytes)
  const readUnitsEach = pageReadUnits({ items: pageItems, itemBytes, shards: 1, consistency })
  const units = input.keys.map(({ writesPerSecond, readsPerSecond }) => ({
    writes: writesPerSecond * writeUnitsEach,
    reads: readsPerSecond * readUnitsEach,
  }))
  const peak = {
    writes: sum(units.map(({ writes }) => writes)) + input.otherWritesPerSecond * writeUnitsEach,
    reads: sum(units.map(({ reads }) => reads)) + input.otherReadsPerSecond * readUnitsEach,
    hottestWrites: Math.max(0, ...units.map(({ writes }) => writes)),
    hottestReads: Math.max(0, ...units.map(({ reads }) => reads)),
  }
  if (!(peak.writes + peak.reads > 0)) {
    throw new AdvisorError('plan.input', 'There is no traffic to plan for; give rates above 0, or a log.')
  }
  // A key that shares a partition with another one needs shards from half of the limit on.
  const limit = PARTITION_WRITE_UNITS * (1 - headRoom)
  const isHot = ({ writes }: { readonly writes: number }) => writes > limit / 2 && peak.hottestWrites > limit
  const hot = units.filter(isHot).map(({ writes }) => writes)
  const options =
    hot.length === 0 ? [] : shardOptions(input, { hot, others: peak.writes - sum(hot), reads: peak.reads })
  const verdict = verdictOf(input, peak)
  const reason: PlanReason = verdict === 'hot-keys' && options.length === 0 ? 'beyond-quota' : verdict
  const chosen = chosenOption(options, peak.hottestWrites, headRoom)
  const isSharded = reason === 'hot-keys'
  const mean = {
    writeUnits: (input.meanWritesPerSecond ?? peak.writes / writeUnitsEach) * writeUnitsEach,
    readUnits: (input.meanReadsPerSecond ?? peak.reads / readUnitsEach) * readUnitsEach,
  }
  const priceFor = (readFactor: number) =>
    monthlyPrices(prices, input.region, {
      meanWriteUnits: mean.writeUnits,
      meanReadUnits: mean.readUnits * readFactor,
      peakWriteUnits: peak.writes,
      peakReadUnits: peak.reads * readFactor,
      storedGb,
    })
  const counts = partitionCounts({ writeUnits: peak.writes, readUnits: peak.reads, storedGb })
  let placed = 0
  return {
    verdict: isSharded ? 'shard' : 'do-not-shard',
    reason,
    ...adviceOf(reason, { input, peak, chosen, needed: counts.byThroughput }),
    item: { bytes: itemBytes, writeUnits: writeUnitsEach, pageReadUnits: readUnitsEach },
    peak: { writeUnits: peak.writes, readUnits: peak.reads },
    mean,
    partitions: { ...counts, now: input.partitions },
    keys: input.keys.map(({ key }, index) => {
      const { writes = 0, reads = 0 } = units[index] ?? {}
      return {
        ...(key === undefined ? {} : { key }),
        writeUnits: writes,
        readUnits: reads,
        writeShare: share(writes, peak.writes),
        readShare: share(reads, peak.reads),
        ofPartitionWrites: writes / PARTITION_WRITE_UNITS,
        ofPartitionReads: reads / PARTITION_READ_UNITS,
        shards: isHot({ writes }) ? (chosen?.shards[placed++] ?? 1) : 1,
      }
    }),
    options,
    ...(chosen === undefined ? {} : { chosen }),
    prices: {
      unsharded: priceFor(1),
      ...(isSharded && chosen !== undefined
        ? {
            sharded: priceFor(
              readFactor(chosen.pageReadUnits / readUnitsEach, share(peak.hottestReads, peak.reads)),
            ),
          }
        : {}),
    },
    ...(isSharded && chosen !== undefined ? { code: optionsCode(input, chosen) } : {}),
    input,
  }
}

/** Only the reads of the hottest key get dearer. */
function readFactor(factor: number, hotShare: number): number {
  return 1 - hotShare + hotShare * factor
}

function share(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
