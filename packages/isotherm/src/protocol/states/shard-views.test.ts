import { describe, expect, it } from 'vitest'
import type { LogicalKey } from '../../keys/key.js'
import { fixedView } from './shard-view.js'
import { fixedViews } from './shard-views.js'

const KEY = { S: 'k' } as LogicalKey

describe('the views of a fixed count', () => {
  it('are at hand at once, and the same for every request', async () => {
    const views = fixedViews(() => 3)
    expect(views.known(KEY)).toBe(3)
    expect(views.forWrite(KEY)).toEqual(fixedView(3))
    expect(views.forRead(KEY, { consistent: true })).toEqual(fixedView(3))
    expect(await views.viewNow(KEY)).toEqual(fixedView(3))
    expect(views.checkTable(KEY)).toBeUndefined()
  })

  it('need no guess', () => {
    expect(fixedViews(() => 3).guess(KEY)).toBeUndefined()
  })

  it('wait until it is known how the table was written, and have the count that it was written with', async () => {
    let count = 3
    let isKnown = false
    const views = fixedViews(
      () => count,
      () =>
        isKnown
          ? undefined
          : Promise.resolve().then(() => {
              count = 5
              isKnown = true
            }),
    )
    const first = views.forWrite(KEY)
    expect(first).toBeInstanceOf(Promise)
    expect(await first).toEqual(fixedView(5))
    expect(views.forWrite(KEY)).toEqual(fixedView(5))
  })

  it('are refused where the table was written with other options', async () => {
    const views = fixedViews(
      () => 3,
      () => Promise.reject(new Error('other options')),
    )
    await expect(views.forRead(KEY, { consistent: false })).rejects.toThrow('other options')
    await expect(views.checkTable(KEY)).rejects.toThrow('other options')
    await expect(views.viewNow(KEY)).rejects.toThrow('other options')
  })
})
