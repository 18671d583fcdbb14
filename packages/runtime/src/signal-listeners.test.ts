import { afterEach, expect, it, vi } from 'vitest'
import { allowManyListeners } from './signal-listeners.js'

afterEach(() => vi.restoreAllMocks())

it('lets any number of listeners wait for a signal without a warning', () => {
  const warned = vi.spyOn(process, 'emitWarning').mockImplementation(() => {})
  const { signal } = new AbortController()
  allowManyListeners(signal)
  for (let count = 0; count < 100; count++) signal.addEventListener('abort', () => {})
  expect(warned).not.toHaveBeenCalled()
})

it('leaves the signal of an emulated page alone, and passes other errors on', () => {
  expect(() => allowManyListeners({ aborted: false } as AbortSignal)).not.toThrow()
  const failing = new Proxy(new AbortController().signal, {
    set() {
      throw new RangeError('no more')
    },
    defineProperty() {
      throw new RangeError('no more')
    },
  })
  expect(() => allowManyListeners(failing)).toThrow('no more')
})
