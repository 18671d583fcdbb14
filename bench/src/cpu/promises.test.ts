import { createHook } from 'node:async_hooks'
import { describe, expect, it } from 'vitest'
import { Caller } from './caller.js'
import { COMPARED_CALLS, type ComparedCall } from './compared-calls.js'

const CALLS = 50
/** After these, the shard counts of all keys are cached. */
const WARM_UP_CALLS = 120

/** The promises of one call. Unlike processor time, their number is the same on every machine. */
async function promisesOf(call: ComparedCall, isSharded: boolean): Promise<number> {
  const caller = new Caller(call, isSharded, 'stub')
  await caller.send(WARM_UP_CALLS)
  let promises = 0
  const hook = createHook({
    init: (_id, type) => {
      if (type === 'PROMISE') promises += 1
    },
  }).enable()
  await caller.send(CALLS)
  hook.disable()
  return promises / CALLS
}

describe('a call on a settled key', () => {
  it.each(COMPARED_CALLS)('adds at most $promises promises to a $name, $suffix, $shards', async (call) => {
    const plain = await promisesOf(call, false)
    const sharded = await promisesOf(call, true)
    // The measure is meaningful: the SDK makes many, and the library makes some.
    expect(plain).toBeGreaterThan(50)
    expect(sharded).toBeGreaterThan(plain + 1)
    expect(sharded - plain).toBeLessThanOrEqual(call.promises)
  })
})
