/**
 * The result of work that a signal ends. If the signal has aborted, the work fails with the reason of the signal. The SDK rejects a
 * request that was under way with its own error, which does not have the reason.
 */
export async function reasonWhenAborted<Result>(
  signal: AbortSignal | undefined,
  work: Promise<Result>,
): Promise<Result> {
  try {
    return await work
  } catch (error) {
    signal?.throwIfAborted()
    throw error
  }
}
