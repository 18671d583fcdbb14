import { EventEmitter } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { describe, expect, it } from 'vitest'
import { BodyAllowance } from './body-allowance.js'
import { type BodyOutcome, readBody } from './read-body.js'

const read = (allowance: BodyAllowance) => {
  const request = new EventEmitter()
  const outcomes: BodyOutcome[] = []
  readBody(request as IncomingMessage, allowance, (outcome) => outcomes.push(outcome))
  return { request, outcomes }
}

describe('the bodies of all requests together', () => {
  it('have a limit, above which a request is refused and can be retried', () => {
    const allowance = new BodyAllowance(10)
    const slow = read(allowance)
    slow.request.emit('data', Buffer.alloc(7))
    const late = read(allowance)
    late.request.emit('data', Buffer.alloc(4))
    expect(late.outcomes).toMatchObject([{ name: 'ServiceUnavailable', httpStatus: 503 }])
    // The refused client gives back nothing that it never took.
    late.request.emit('close')
    slow.request.emit('close')
    expect(allowance.take(10)).toBe(true)
    expect(allowance.take(1)).toBe(false)
  })

  it('free their memory when they have ended', () => {
    const allowance = new BodyAllowance(10)
    for (let time = 0; time < 5; time++) {
      const { request, outcomes } = read(allowance)
      request.emit('data', Buffer.alloc(5))
      request.emit('data', Buffer.alloc(5))
      request.emit('end')
      request.emit('close')
      expect(outcomes).toMatchObject([{ length: 10 }])
    }
  })
})
