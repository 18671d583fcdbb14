import type { Clock } from '@isotherm/runtime'

const PAUSE_AFTER_ERROR_MILLISECONDS = 200
/** Many times as long as a killed process takes to serve again. */
const PATIENCE_MILLISECONDS = 120_000

/** One kind of write at a steady rate. */
export interface SteadyLoad {
  readonly writers: number
  readonly perSecond: number
  /** Sends one write. It may be sent again after an error, so it must have the same effect twice. */
  readonly prepare: (writer: number) => () => Promise<unknown>
  /** A write was acknowledged. `errors` is how often the writer had to repeat it. */
  readonly onAcknowledged: (writer: number, milliseconds: number, errors: number) => void
}

/** Writes until the moment `until`. A writer that is late does not catch up, so an outage is not followed by a flood. */
export async function writeSteadily(clock: Clock, until: number, load: SteadyLoad): Promise<void> {
  const interval = (load.writers / load.perSecond) * 1_000
  const write = async (writer: number) => {
    await clock.sleep((interval * writer) / load.writers)
    for (let next = clock.now(); next < until; next = Math.max(next + interval, clock.now())) {
      await clock.sleep(Math.max(0, next - clock.now()))
      await untilAcknowledged(clock, load, writer)
    }
  }
  await Promise.all(Array.from({ length: load.writers }, (_, writer) => write(writer)))
}

async function untilAcknowledged(
  clock: Clock,
  { prepare, onAcknowledged }: SteadyLoad,
  writer: number,
): Promise<void> {
  const send = prepare(writer)
  const from = clock.now()
  for (let errors = 0; ; errors++) {
    try {
      await send()
      return onAcknowledged(writer, clock.now() - from, errors)
    } catch (cause) {
      if (clock.now() - from > PATIENCE_MILLISECONDS) {
        throw new Error('A write was not acknowledged within two minutes.', { cause })
      }
      await clock.sleep(PAUSE_AFTER_ERROR_MILLISECONDS)
    }
  }
}
