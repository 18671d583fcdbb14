import type { Engine } from '../engine/engine.js'
import { setupRequests } from './setup-requests.js'
import { TRACE_VERSION, type TraceHeader } from './trace-format.js'

/** The first line of a trace that begins now. */
export function traceHeader(
  { clock, tables }: Pick<Engine, 'clock' | 'tables'>,
  { model, throttle }: Pick<TraceHeader, 'model' | 'throttle'>,
): TraceHeader {
  return {
    isotherm: 'trace',
    version: TRACE_VERSION,
    startedAt: clock.now(),
    model,
    throttle,
    setup: tables.flatMap(setupRequests),
    items: tables.reduce((sum, { items }) => sum + items.size, 0),
  }
}
