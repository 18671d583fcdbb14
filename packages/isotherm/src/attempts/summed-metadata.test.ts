import { describe, expect, it } from 'vitest'
import { attemptsOf, metadataOf, SummedMetadata } from './summed-metadata.js'

describe('the metadata of several requests', () => {
  it('is that of the last response, with the attempts and the waits of all of them', () => {
    const sum = new SummedMetadata()
    sum.add({ requestId: 'a', attempts: 2, totalRetryDelay: 30 })
    sum.add({ requestId: 'b', attempts: 3, totalRetryDelay: 12 })
    expect(sum.total()).toEqual({ requestId: 'b', attempts: 5, totalRetryDelay: 42 })
  })

  it('counts a response that says nothing as one attempt without waits', () => {
    const sum = new SummedMetadata()
    sum.add({})
    sum.add()
    expect(sum.total()).toEqual({ attempts: 2, totalRetryDelay: 0 })
  })

  it('may be that of another request', () => {
    const sum = new SummedMetadata()
    sum.add({ requestId: 'a' })
    expect(sum.total({ requestId: 'b', attempts: 9 })).toMatchObject({ requestId: 'b', attempts: 1 })
  })
})

describe('what a mock answers or throws', () => {
  it.each([undefined, null, {}, new Error('denied')])(
    'may have no metadata, and is one attempt: %s',
    (outcome) => {
      expect(metadataOf(outcome)).toBeUndefined()
      expect(attemptsOf(outcome)).toBe(1)
    },
  )
})
