import type { ShardChange } from '../../src/api/shards'
import { figure } from '../format/figures'

const WHY: Readonly<Record<string, string>> = {
  hot: 'because it was throttled',
  quiet: 'because fewer are enough',
  set: 'because the application set them',
}

/** A change of a count with its reason and its process, as far as they are known. */
export function changeText(change: Omit<ShardChange, 'at'>): string {
  const { from, to, reason, by, acceptedPerSecond, throttledPerSecond = 0 } = change
  const why = WHY[reason ?? '']
  const rates =
    acceptedPerSecond === undefined
      ? ''
      : ` (${figure(acceptedPerSecond)} units/s accepted, ${figure(throttledPerSecond)} throttled)`
  const parts = [
    `${from} → ${to} shards`,
    ...(why === undefined ? [] : [`${why}${rates}`]),
    ...(by === undefined ? [] : [`by ${by}`]),
  ]
  return parts.join(', ')
}
