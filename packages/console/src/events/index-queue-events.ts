import type { HeatSpan } from '@isotherm/local'
import type { HeatEvent } from '../api/heat-map.js'

const SECOND = 1_000
/** A queue that is full again after a shorter rest was hardly empty. */
const LEAST_REST_SECONDS = 10

/**
 * When the queue of an index became full: it began to refuse writes of its table.
 * @param span the history of the index
 */
export function indexQueueEvents(span: HeatSpan, table: string, index: string): readonly HeatEvent[] {
  const rest = Math.max(LEAST_REST_SECONDS, span.seconds) * SECOND
  const events: HeatEvent[] = []
  let full = Number.NEGATIVE_INFINITY
  for (const { at, frame } of [...span.columns].sort((a, b) => a.at - b.at)) {
    const reason = [...frame.reasons.keys()].find((each) => each.startsWith('IndexWrite'))
    if (reason === undefined) continue
    if (at - full > rest) events.push({ type: 'index-full', at, table, index, reason })
    full = at
  }
  return events
}
