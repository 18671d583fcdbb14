import { SeededRandom } from '@isotherm/runtime'

export const DAY = 86_400_000
export const MONTHS = 6
export const BEGINNING = Date.UTC(2027, 0, 1)
const END = Date.UTC(2027, MONTHS, 1)
export const LINES = 3_000
/** Hours by which the clocks of the writers are wrong. */
export const SKEWS = [-3, -1, 0, 2]
/** One writer is offline for so long, and sends what it has afterwards. */
const OFFLINE = { from: Date.UTC(2027, 2, 20), to: Date.UTC(2027, 4, 10) }

/** A line of a log. */
export interface Line {
  readonly at: string
  readonly sentAt: number
  readonly writer: number
}

/** Each with its time in the order in which they are sent. */
export function linesOf(seed: number, count: number): readonly Line[] {
  const random = new SeededRandom(seed)
  const lines = Array.from({ length: count }, (_, number) => {
    // Many come close to a boundary, where clocks matter.
    const month = Math.floor(random.next() * MONTHS)
    const boundary = Date.UTC(2027, month, 1)
    const time =
      random.next() < 0.2 ? boundary + random.next() * DAY : BEGINNING + random.next() * (END - BEGINNING)
    const writer = Math.floor(random.next() * SKEWS.length)
    const isOffline = writer === 0 && time >= OFFLINE.from && time < OFFLINE.to
    return {
      at: `${new Date(time).toISOString()}#${number}`,
      sentAt: isOffline ? OFFLINE.to + number : time,
      writer,
    }
  })
  return lines.sort((a, b) => a.sentAt - b.sentAt)
}
