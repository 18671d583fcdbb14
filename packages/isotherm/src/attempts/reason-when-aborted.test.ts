import { describe, expect, it } from 'vitest'
import { reasonWhenAborted } from './reason-when-aborted.js'

const ENDED = new Error('The request was ended.')

describe('work that a signal ends', () => {
  it.each([
    ['the reason of the signal, once it has aborted', AbortSignal.abort(new Error('enough')), 'enough'],
    ['its own error before', new AbortController().signal, ENDED.message],
    ['its own error without a signal', undefined, ENDED.message],
  ])('fails with %s', async (_what, signal, text) => {
    await expect(reasonWhenAborted(signal, Promise.reject(ENDED))).rejects.toThrow(text)
  })

  it('keeps its result, even if the signal has aborted', async () => {
    expect(await reasonWhenAborted(AbortSignal.abort(), Promise.resolve('done'))).toBe('done')
  })
})
