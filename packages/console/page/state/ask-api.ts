/** An answer of the console's API, or why there is none. */
export interface ApiAnswer<Of> {
  readonly answer: Of | undefined
  readonly failure: string | undefined
}

/** Longer than an upstream with retries takes. After that, the connection has probably been lost without an error. */
const MAX_ANSWER_SECONDS = 60
const LATE = Symbol('late')

/**
 * Asks the API of the console. The request ends with an answer, with the controller, or after a minute.
 * @throws Error without a connection, and when the controller has aborted it
 */
export async function askApi<Of>(path: string, controller: AbortController): Promise<ApiAnswer<Of>> {
  const timer = setTimeout(() => controller.abort(LATE), MAX_ANSWER_SECONDS * 1_000)
  try {
    const response = await fetch(`v1/${path}`, { signal: controller.signal })
    const body = await response.json()
    return response.ok
      ? { answer: body, failure: undefined }
      : { answer: undefined, failure: body.error.message }
  } catch (error) {
    if (controller.signal.reason !== LATE) throw error
    const failure = `${location.origin} has not answered for ${MAX_ANSWER_SECONDS} s. Check that it still answers, or reload the page.`
    return { answer: undefined, failure }
  } finally {
    clearTimeout(timer)
  }
}
