/** A signal of the SDK's older kind, which the SDK still accepts. It calls one handler, and has no listeners. */
interface SignalWithHandler {
  readonly aborted: boolean
  onabort: ((...given: unknown[]) => unknown) | null | undefined
}

/** The library's handler on a signal, and the signal that it aborts. */
interface Follower {
  readonly signal: AbortSignal
  readonly handler: SignalWithHandler['onabort']
}

/** One follower a signal, because a signal may be used for any number of requests. */
const followers = new WeakMap<SignalWithHandler, Follower>()

/**
 * Returns the signal, or, for one of the older kind, a signal with listeners that aborts when it aborts. A handler that the application
 * has set is still called.
 */
export function signalWithListeners(signal: AbortSignal | SignalWithHandler): AbortSignal {
  if ('addEventListener' in signal) return signal
  const known = followers.get(signal)
  // The SDK replaces the handler when the application sends the same signal to another client.
  if (known !== undefined && signal.onabort === known.handler) return known.signal
  const controller = new AbortController()
  const before = signal.onabort
  const handler = (...given: unknown[]) => {
    controller.abort()
    before?.apply(signal, given)
  }
  signal.onabort = handler
  followers.set(signal, { signal: controller.signal, handler })
  return controller.signal
}
