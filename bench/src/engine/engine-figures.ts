import { type EngineRecord, median } from './engine-record.js'
import type { Measurement } from './measurement.js'

/** The contestant that the others are compared with. */
export const LIMIT = 'bare node:http'

export const whole = (figure: number) => Math.round(figure).toLocaleString('en')

export const percent = (ratio: number) => `${(100 * ratio).toFixed(0)} %`

/** How a contestant compares with another: 1 if they are equal, 2 if it is twice as fast. */
export interface Shares {
  /** By requests a second. */
  readonly rate: number | undefined
  /** By the processor time of a request, which other work on the machine disturbs less. */
  readonly processor: number | undefined
}

export function shares(record: EngineRecord | undefined, other: EngineRecord | undefined): Shares {
  if (record === undefined || other === undefined) return { rate: undefined, processor: undefined }
  const rates = ratios(record, other, ({ requestsPerSecond }) => requestsPerSecond)
  const times = ratios(other, record, ({ processorMicroseconds }) => processorMicroseconds)
  return { rate: middle(rates), processor: middle(times) }
}

const middle = (figures: readonly number[]) => (figures.length === 0 ? undefined : median(figures))

/** The ratio of each round, whose two halves met about the same other work on the machine. */
function ratios(
  one: EngineRecord,
  other: EngineRecord,
  figure: (measurement: Measurement) => number | undefined,
): readonly number[] {
  return one.rounds.flatMap((measurement, at) => {
    const round = other.rounds[at]
    const [above, below] = [figure(measurement), round === undefined ? undefined : figure(round)]
    return above === undefined || !below ? [] : [above / below]
  })
}
