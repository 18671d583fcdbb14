import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Engine } from '../engine/engine.js'
import { ServiceError } from '../errors/service-error.js'
import { type Endpoint, listen } from './http-endpoint.js'
import { exchange, exchangeAndEnd, post } from './raw-client.behaviour.js'

type Settle = (how: 'answer' | 'refuse' | 'fail') => void

/** An engine that responds when the test says so, as an engine on disk responds when the disk is done. */
class LateEngine {
  readonly waiting: { readonly operation: string; readonly settle: Settle }[] = []
  #onRequest: () => void = () => {}

  answer(operation: string): Promise<object> {
    return new Promise((resolve, reject) => {
      const settle: Settle = (how) => {
        if (how === 'answer') resolve({ operation })
        else if (how === 'refuse') resolve(new ServiceError('ValidationException', operation))
        else reject(new Error('secret'))
      }
      this.waiting.push({ operation, settle })
      this.#onRequest()
    })
  }

  /** The next request that waits for its response, once there is one. */
  async next(): Promise<{ readonly operation: string; readonly settle: Settle }> {
    if (this.waiting.length === 0) {
      await new Promise<void>((resolve) => {
        this.#onRequest = resolve
      })
    }
    const [first] = this.waiting.splice(0, 1)
    if (first === undefined) throw new Error('no request is waiting')
    return first
  }
}

const ways = [
  ['short', {}],
  ['long', { 'content-type': 'application/json' }],
] as const

let engine: LateEngine
let endpoint: Endpoint
let bugs: unknown[]
beforeEach(async () => {
  engine = new LateEngine()
  bugs = []
  endpoint = await listen(engine as unknown as Engine, 'us-east-1', { port: 0 }, (bug) => bugs.push(bug))
})
afterEach(() => endpoint.close())

describe.each(ways)('a late response, on the %s path', (_, headers) => {
  it('comes before the responses to requests sent after it', async () => {
    const requests = ['One', 'Two', 'Three'].map((operation) => post(operation, '{}', headers))
    const answers = exchange(endpoint.port, [Buffer.concat(requests)], 3)
    for (const how of ['answer', 'refuse', 'answer'] as const) (await engine.next()).settle(how)
    expect(
      (await answers).map(({ status, body }) => [status, Object.values(JSON.parse(body)).at(-1)]),
    ).toEqual([
      [200, 'One'],
      [400, 'Two'],
      [200, 'Three'],
    ])
    expect(bugs).toEqual([])
  })

  it('is an error without its cause when the engine fails', async () => {
    const answers = exchange(endpoint.port, [post('One', '{}', headers)], 1)
    ;(await engine.next()).settle('fail')
    const [answer] = await answers
    expect(answer?.status).toBe(500)
    expect(answer?.body).not.toContain('secret')
    expect(bugs).toMatchObject([{ message: 'secret' }])
  })

  it('still arrives when the endpoint is closing', async () => {
    const answers = exchange(endpoint.port, [post('One', '{}', headers)])
    const { settle } = await engine.next()
    const closed = endpoint.close()
    settle('answer')
    expect(await answers).toMatchObject([{ status: 200 }])
    await closed
  })

  it('does no harm when its client has disconnected', async () => {
    const gone = exchange(endpoint.port, [
      post('One', '{}', headers),
      post('Broken', '{}', headers).subarray(0, 20),
    ])
    const { settle } = await engine.next()
    await endpoint.close()
    await gone
    settle('answer')
    expect(bugs).toEqual([])
  })
})

describe('late responses to a client that has closed its sending side', () => {
  const answers = async (...requests: readonly Buffer[]) => {
    const received = exchangeAndEnd(endpoint.port, Buffer.concat(requests))
    for (const _ of ['One', 'Two', 'Three']) (await engine.next()).settle('answer')
    return (await received).map(({ status, body }) => [status, JSON.parse(body)])
  }
  const requests = ['One', 'Two', 'Three'].map((operation) => post(operation, '{}'))
  const expected = ['One', 'Two', 'Three'].map((operation) => [200, { operation }])

  it('all arrive', async () => {
    expect(await answers(...requests)).toEqual(expected)
  })

  it('arrive although the last request was cut off', async () => {
    const cutOff = post('Four', '{}').subarray(0, 40)
    expect((await answers(...requests, cutOff)).slice(0, 3)).toEqual(expected)
  })
})
