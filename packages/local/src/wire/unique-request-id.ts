import { randomUUID } from 'node:crypto'

/** Ids that differ in their last ten digits share the random part. */
const FIRST = 1_000_000_000
const LAST = 9_999_999_999
/** The characters of a UUID before them. */
const RANDOM_CHARACTERS = 26

let random = ''
let next = LAST + 1

/**
 * The id of a response, unique among all processes: a random UUID whose last digits count. `randomUUID` for each response takes
 * 0.3 microseconds longer, and allocates 600 bytes for the parts of its text.
 */
export function uniqueRequestId(): string {
  if (next > LAST) {
    random = randomUUID().slice(0, RANDOM_CHARACTERS)
    next = FIRST
  }
  return random + next++
}
