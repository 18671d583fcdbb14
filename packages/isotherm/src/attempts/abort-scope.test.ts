import { getEventListeners } from 'node:events'
import { describe, expect, it } from 'vitest'
import { AbortScope } from './abort-scope.js'

const never = () => new Promise<never>(() => {})

describe('the requests of one query', () => {
  it('are aborted when the application or the client aborts, and need not end by themselves', async () => {
    for (const which of [0, 1]) {
      const parents = [new AbortController(), new AbortController()]
      const scope = new AbortScope([...parents.map(({ signal }) => signal), undefined])
      const running = scope.run(never)
      parents[which]?.abort(new Error('enough'))
      await expect(running).rejects.toMatchObject({ name: 'AbortError', cause: { message: 'enough' } })
      expect(scope.signal.aborted).toBe(true)
    }
  })

  it('are not begun if the application has aborted before', async () => {
    const scope = new AbortScope([AbortSignal.abort(new Error('enough'))])
    let isBegun = false
    const running = scope.run(async () => {
      isBegun = true
    })
    await expect(running).rejects.toMatchObject({ name: 'AbortError' })
    expect(isBegun).toBe(false)
  })

  it('are aborted when one of them fails, with its error', async () => {
    const scope = new AbortScope([undefined])
    const error = new Error('denied')
    await expect(scope.run(() => Promise.reject(error))).rejects.toBe(error)
    expect(scope.signal.reason).toBe(error)
  })

  it('are not aborted when all of them have succeeded, and leave nothing at the signals of others', async () => {
    const parent = new AbortController()
    const scope = new AbortScope([parent.signal])
    expect(getEventListeners(parent.signal, 'abort')).toHaveLength(1)
    expect(await scope.run(async () => 7)).toBe(7)
    expect(scope.signal.aborted).toBe(false)
    expect(getEventListeners(parent.signal, 'abort')).toHaveLength(0)
  })

  it('leave nothing at a signal that has aborted before any of them was sent', () => {
    const parent = new AbortController()
    const scope = new AbortScope([parent.signal])
    parent.abort()
    expect(scope.signal.aborted).toBe(true)
    expect(getEventListeners(parent.signal, 'abort')).toHaveLength(0)
  })

  it('leave nothing at the signals of others when one of them has failed', async () => {
    const parent = new AbortController()
    const scope = new AbortScope([parent.signal])
    await expect(scope.run(() => Promise.reject(new Error('denied')))).rejects.toThrow('denied')
    expect(getEventListeners(parent.signal, 'abort')).toHaveLength(0)
  })
})
