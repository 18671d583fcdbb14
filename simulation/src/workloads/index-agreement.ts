import type { Process } from '../world/process.js'
import { Violation } from '../world/violation.js'

/** How often an index is asked when nobody writes any more, until it has followed. */
const MAX_LOOKS = 120
const LOOK_MILLISECONDS = 500

export interface IndexAgreement {
  readonly index: string
  /** Names of the items that the table says belong to it. */
  readonly expected: () => Promise<readonly string[]>
  /** Names of the items that it answers. */
  readonly found: () => Promise<readonly string[]>
}

/**
 * Waits until an index answers exactly what its table has, each item once.
 * @throws Violation where it never does
 */
export async function untilIndexAgrees(
  process: Process,
  { index, expected, found }: IndexAgreement,
): Promise<void> {
  for (let looks = 1; ; looks++) {
    const wanted = [...(await expected())].sort()
    const answered = [...(await found())].sort()
    if (wanted.join('\n') === answered.join('\n')) return
    if (looks === MAX_LOOKS) {
      const odd =
        wanted.find((name) => !answered.includes(name)) ??
        answered.find((name, position) => !wanted.includes(name) || answered[position - 1] === name) ??
        ''
      const times = answered.filter((name) => name === odd).length
      const seen = `${index} gives ${odd} ${times} times, which its table has ${wanted.includes(odd) ? 'there' : 'not'}`
      throw new Violation('an index has what its table has', seen, odd.split(' ').slice(0, 2))
    }
    await process.clock.sleep(LOOK_MILLISECONDS)
  }
}
