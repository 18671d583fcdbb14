import type { Process } from '../world/process.js'
import { requireExpected } from './expected-error.js'

const MAX_TRIES = 5

/** Milliseconds before a page is asked for again, at most. */
const WAIT_MILLISECONDS = 200

/**
 * Asks for a page again when it fails: the error says nothing of what is stored, but must be one of those that happen.
 *
 * @returns nothing where it fails each time
 */
export async function pageOf<Page>(
  { clock, random }: Process,
  ask: () => Promise<Page>,
): Promise<Page | undefined> {
  for (let tried = 1; tried <= MAX_TRIES; tried++) {
    try {
      return await ask()
    } catch (error) {
      requireExpected(error)
      await clock.sleep(WAIT_MILLISECONDS * random.next())
    }
  }
  return undefined
}
