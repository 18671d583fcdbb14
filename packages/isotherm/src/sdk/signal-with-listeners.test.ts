import { describe, expect, it } from 'vitest'
import { signalWithListeners } from './signal-with-listeners.js'

/** A signal of the SDK's older kind. */
function olderSignal(onabort: ((...given: unknown[]) => unknown) | null = null) {
  const signal = { aborted: false, onabort }
  const abort = () => {
    signal.aborted = true
    signal.onabort?.('event')
  }
  return { signal, abort }
}

describe('a signal', () => {
  it('with listeners is used as it is', () => {
    const { signal } = new AbortController()
    expect(signalWithListeners(signal)).toBe(signal)
  })

  it('without listeners aborts one with listeners, and still calls the handler of the application', () => {
    const calls: unknown[] = []
    const { signal, abort } = olderSignal((...given) => calls.push(given))
    const { aborted } = signalWithListeners(signal)
    expect(aborted).toBe(false)
    abort()
    expect(signalWithListeners(signal).aborted).toBe(true)
    expect(calls).toEqual([['event']])
  })

  it('without listeners gets one handler, however many requests it is used for', () => {
    const { signal } = olderSignal()
    const first = signalWithListeners(signal)
    const handler = signal.onabort
    expect(signalWithListeners(signal)).toBe(first)
    expect(signal.onabort).toBe(handler)
  })

  it('without listeners gets another handler after its handler was replaced', () => {
    const { signal, abort } = olderSignal()
    signalWithListeners(signal)
    const calls: string[] = []
    signal.onabort = () => calls.push('other client')
    const second = signalWithListeners(signal)
    abort()
    expect(second.aborted).toBe(true)
    expect(calls).toEqual(['other client'])
  })
})
