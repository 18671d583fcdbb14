import type { Engine } from '../engine/engine.js'
import { setupPartitions } from './setup-partitions.js'
import { setupRequests } from './setup-requests.js'
import { TRACE_VERSION, type TraceHeader } from './trace-format.js'

/** The first line of a trace that starts now. */
export function traceHeader(
  { clock, tables, settings }: Pick<Engine, 'clock' | 'tables' | 'settings'>,
  { throttle }: Pick<TraceHeader, 'throttle'>,
): TraceHeader {
  return {
    isotherm: 'trace',
    version: TRACE_VERSION,
    startedAt: clock.now(),
    model: settings.capacity.model,
    throttle,
    settings,
    setup: tables.flatMap(setupRequests),
    partitions: tables.flatMap(setupPartitions),
    items: tables.reduce((sum, { items }) => sum + items.size, 0),
  }
}
