import { distinctKeys } from './distinct-keys.js'
import { durableWrites } from './durable-writes.js'
import type { MeasureFigures } from './figure.js'
import { memoryPerItem } from './memory-per-item.js'
import { mergedQuery } from './merged-query.js'
import { recovery } from './recovery.js'
import { start } from './start.js'
import { virtualTime } from './virtual-time.js'
import { wholeRuns } from './whole-runs.js'

/** What is measured besides requests over HTTP. */
export const MEASURED_FIGURES: readonly { readonly name: string; readonly measure: MeasureFigures }[] = [
  { name: 'start', measure: start },
  { name: 'memory', measure: memoryPerItem },
  { name: 'virtual-time', measure: virtualTime },
  { name: 'whole-runs', measure: wholeRuns },
  { name: 'durable-writes', measure: durableWrites },
  { name: 'recovery', measure: recovery },
  { name: 'merge', measure: mergedQuery },
  { name: 'distinct-keys', measure: distinctKeys },
]
