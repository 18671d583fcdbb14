import type { GetItemCommandOutput } from '@aws-sdk/client-dynamodb'

/** The SDK's `$metadata`, which counts attempts. */
export type AttemptMetadata = GetItemCommandOutput['$metadata']

/** Of an answer or an error of the SDK; `undefined` for anything else. */
export function metadataOf(outcome: unknown): AttemptMetadata | undefined {
  return (outcome as { readonly $metadata?: AttemptMetadata } | null | undefined)?.$metadata
}

/** How many attempts an answer or an error of the SDK took. */
export function attemptsOf(outcome: unknown): number {
  return metadataOf(outcome)?.attempts ?? 1
}

/** The `$metadata` of several requests as that of one: of the last answer, with the attempts and waits of all. */
export class SummedMetadata {
  #last: AttemptMetadata = {}
  attempts = 0
  waitedMilliseconds = 0

  add(metadata: AttemptMetadata): void {
    this.#last = metadata
    this.attempts += metadata.attempts ?? 1
    this.waitedMilliseconds += metadata.totalRetryDelay ?? 0
  }

  /** The metadata of one of the requests, the last one that was answered by default, with the attempts and waits of all. */
  total(of: AttemptMetadata | undefined = this.#last): AttemptMetadata {
    return { ...of, attempts: this.attempts, totalRetryDelay: this.waitedMilliseconds }
  }

  /** The same error, with the attempts and waits of all requests. */
  counted<Failure extends Error>(error: Failure): Failure {
    return Object.assign(error, { $metadata: this.total(metadataOf(error) ?? {}) })
  }
}
