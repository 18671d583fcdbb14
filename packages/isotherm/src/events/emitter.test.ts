import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { describe, expect, it, vi } from 'vitest'
import { emitter } from './emitter.js'
import type { IsothermEvent } from './event.js'

const scaled: IsothermEvent = {
  type: 'scaled',
  table: 'log',
  logicalKey: 'k',
  from: 1,
  to: 2,
  reason: 'hot',
  at: 0,
}
const told: IsothermEvent = { type: 'table-throttled', table: 'log', reasons: [], at: 0 }

describe('an event', () => {
  it('reaches the listener and the subscribers of its channel', () => {
    const listener = vi.fn()
    const subscriber = vi.fn()
    const emit = emitter(listener)
    subscribe('isotherm:scaled', subscriber)
    emit(scaled)
    emit(told)
    unsubscribe('isotherm:scaled', subscriber)
    emit(scaled)
    expect(listener.mock.calls).toEqual([[scaled], [told], [scaled]])
    expect(subscriber.mock.calls).toEqual([[scaled, 'isotherm:scaled']])
  })

  it('reaches subscribers when there is no listener', () => {
    const subscriber = vi.fn()
    subscribe('isotherm:table-throttled', subscriber)
    emitter(undefined)(told)
    unsubscribe('isotherm:table-throttled', subscriber)
    expect(subscriber).toHaveBeenCalledWith(told, 'isotherm:table-throttled')
  })

  it.each([
    [
      'throws',
      () => {
        throw new Error('broken')
      },
    ],
    [
      'throws a value that cannot be printed',
      () => {
        throw Object.create(null)
      },
    ],
    ['rejects', () => Promise.reject(new Error('broken'))],
  ])('does no harm when its listener %s: Node prints a warning', async (_what, listener) => {
    const emitWarning = vi.spyOn(process, 'emitWarning').mockImplementation(() => {})
    try {
      emitter(listener)(scaled)
      await vi.waitFor(() =>
        expect(emitWarning).toHaveBeenCalledWith(
          expect.stringMatching(/broken|cannot be printed/),
          'IsothermWarning',
        ),
      )
    } finally {
      emitWarning.mockRestore()
    }
  })
})
