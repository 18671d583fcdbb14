import type { Process } from '../world/process.js'
import { requireExpected } from './expected-error.js'

/** Milliseconds before it is asked again, at most. */
const WAIT_MILLISECONDS = 300

/**
 * Asks again until there is an answer: for reads, and for what may be done any number of times.
 *
 * @throws what no application should ever see
 */
export async function untilAnswered<Answer>(
  { clock, random }: Process,
  call: () => Promise<Answer>,
): Promise<Answer> {
  // Faults end with the load. A call that is refused for ever is reported at the end of the run.
  for (;;) {
    try {
      return await call()
    } catch (error) {
      requireExpected(error)
      await clock.sleep(WAIT_MILLISECONDS * random.next())
    }
  }
}
