import type { BatchGetItemCommandOutput } from '@aws-sdk/client-dynamodb'
import { attemptsOf } from './attempt-metadata.js'

type Metadata = BatchGetItemCommandOutput['$metadata']

/** The `$metadata` of several requests as that of one: of the last answer, with the attempts of all. */
export class SummedMetadata {
  #last: Metadata = {}
  #attempts = 0
  #waitedMilliseconds = 0

  add(metadata: Metadata): void {
    this.#last = metadata
    this.#attempts += metadata.attempts ?? 1
    this.#waitedMilliseconds += metadata.totalRetryDelay ?? 0
  }

  /** A request that was refused in the end took attempts, too. */
  addFailed(error: Error): void {
    this.addAttempts(attemptsOf(error))
  }

  addAttempts(attempts: number): void {
    this.#attempts += attempts
  }

  addWait(milliseconds: number): void {
    this.#waitedMilliseconds += milliseconds
  }

  get total(): Metadata {
    return { ...this.#last, attempts: this.#attempts, totalRetryDelay: this.#waitedMilliseconds }
  }
}
