import { EventEmitter } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { BodyAllowance } from './body-allowance.js'
import { type BodyOutcome, decodeContent, readBody } from './read-body.js'

const read = (allowance: BodyAllowance) => {
  const request = Object.assign(new EventEmitter(), { complete: false })
  const outcomes: BodyOutcome[] = []
  readBody(request as unknown as IncomingMessage, allowance, (outcome) => outcomes.push(outcome))
  return { request, outcomes }
}
const other = {}

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
    expect(allowance.take(other, 4)).toBe(false)
    slow.request.emit('close')
    expect(allowance.take(other, 10)).toBe(true)
    expect(allowance.take(other, 1)).toBe(false)
  })

  it('keep their memory until they have been answered', () => {
    const allowance = new BodyAllowance(10)
    for (let time = 0; time < 5; time++) {
      const { request, outcomes } = read(allowance)
      request.emit('data', Buffer.alloc(5))
      request.emit('data', Buffer.alloc(5))
      request.complete = true
      request.emit('end')
      request.emit('close')
      expect(outcomes).toMatchObject([{ length: 10 }])
      expect(allowance.take(other, 1)).toBe(false)
      allowance.release(request)
      allowance.release(request)
    }
  })

  it('count what compressed bodies decompress to', async () => {
    const decode = async (allowance: BodyAllowance, size: number) => {
      const request = { headers: { 'content-encoding': 'gzip' } }
      const body = gzipSync(Buffer.alloc(size))
      const outcome = await new Promise((resolve) =>
        decodeContent(request as unknown as IncomingMessage, body, allowance, resolve),
      )
      return { request, outcome }
    }
    const allowance = new BodyAllowance(1_000)
    const small = await decode(allowance, 900)
    expect(small.outcome).toHaveLength(900)
    const large = await decode(allowance, 101)
    expect(large.outcome).toMatchObject({ name: 'ServiceUnavailable', httpStatus: 503 })
    allowance.release(small.request)
    expect(allowance.take(other, 1_000)).toBe(true)
  })
})
