import { VirtualClock } from '@isotherm/runtime'
import { whole } from '../engine-figures.js'
import { MemoryStorage } from '../engine-parts.js'
import { median } from '../engine-record.js'
import { getAt, putAt } from '../measured-operations.js'
import { benchEngine, REGION } from './bench-engine.js'
import type { Figure } from './figure.js'
import { processorSeconds } from './processor-seconds.js'

const REQUESTS = 200_000
const ROUNDS = 3
const LEAST_PER_SECOND = 100_000
/** Of the clock, between two requests: 10,000 requests a second of virtual time. */
const STEP_MILLISECONDS = 0.1

/** Requests of the engine on virtual time: half puts, half gets. */
export async function virtualTime(): Promise<readonly Figure[]> {
  const clock = new VirtualClock()
  const engine = await benchEngine(new MemoryStorage(), clock)
  const rates: number[] = []
  for (let round = 0; round <= ROUNDS; round++) {
    const from = processorSeconds()
    for (let number = 0; number < REQUESTS / 2; number++) {
      clock.advance(STEP_MILLISECONDS)
      engine.execute('PutItem', putAt(number), REGION)
      engine.execute('GetItem', getAt(number), REGION)
    }
    // The first round is a warm-up.
    if (round > 0) rates.push(REQUESTS / (processorSeconds() - from))
  }
  const rate = median(rates)
  return [
    {
      name: 'Puts and gets on virtual time, a second of one processor',
      measured: whole(rate),
      aim: { text: `over ${whole(LEAST_PER_SECOND)}`, isMet: rate > LEAST_PER_SECOND },
    },
  ]
}
