import type { GetItemCommandOutput } from '@aws-sdk/client-dynamodb'

/** The SDK's `$metadata`, which includes the number of attempts. */
export type AttemptMetadata = GetItemCommandOutput['$metadata']

/** Returns the `$metadata` of an output or an error of the SDK; `undefined` for anything else. */
export function metadataOf(outcome: unknown): AttemptMetadata | undefined {
  return (outcome as { readonly $metadata?: AttemptMetadata } | null | undefined)?.$metadata
}

/** Returns how many attempts an output or an error of the SDK took. */
export function attemptsOf(outcome: unknown): number {
  return metadataOf(outcome)?.attempts ?? 1
}

/** Combines the `$metadata` of several requests: that of the last response, with the attempts and waits of all requests. */
export class SummedMetadata {
  #last: AttemptMetadata = {}
  attempts = 0
  waitedMilliseconds = 0

  /** @param metadata `undefined` for the output of a mock without `$metadata` */
  add(metadata: AttemptMetadata = {}): void {
    this.#last = metadata
    this.attempts += metadata.attempts ?? 1
    this.waitedMilliseconds += metadata.totalRetryDelay ?? 0
  }

  /** Returns the metadata of one request, by default the last one with a response, with the attempts and waits of all requests. */
  total(of: AttemptMetadata | undefined = this.#last): AttemptMetadata {
    return { ...of, attempts: this.attempts, totalRetryDelay: this.waitedMilliseconds }
  }

  /** Returns the same error, with the attempts and waits of all requests. */
  counted<Failure extends Error>(error: Failure): Failure {
    return Object.assign(error, { $metadata: this.total(metadataOf(error) ?? {}) })
  }
}
