import { createHash } from 'node:crypto'
import type { Clock } from '@isotherm/runtime'

/** Takes a few milliseconds, after which the process can do something else. */
const STEP_BYTES = 4_194_304

/** The SHA-256 of the bytes. */
export async function checksumOf(bytes: Uint8Array, clock: Clock): Promise<Uint8Array> {
  const hash = createHash('sha256')
  for (let from = 0; from < bytes.length; from += STEP_BYTES) {
    if (from > 0) await clock.sleep(0)
    hash.update(bytes.subarray(from, from + STEP_BYTES))
  }
  return hash.digest()
}

/** The SHA-256 of bytes that are few. */
export function checksumAtOnce(bytes: Uint8Array): Uint8Array {
  return createHash('sha256').update(bytes).digest()
}
