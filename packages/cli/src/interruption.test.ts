import { afterEach, describe, expect, it } from 'vitest'
import { ENDING_SIGNALS, Interrupted, interruption, untilInterrupted } from './interruption.js'

describe('an interruption', () => {
  const before = process.listeners('SIGINT')
  afterEach(() => {
    for (const name of ENDING_SIGNALS) {
      for (const listener of process.listeners(name)) {
        if (!before.includes(listener)) process.off(name, listener)
      }
    }
  })

  it('aborts the work under way and wakes who waits for it', async () => {
    const signal = interruption()
    const waiting = untilInterrupted(signal)
    process.emit('SIGINT', 'SIGINT')
    await waiting
    expect(signal.reason).toBeInstanceOf(Interrupted)
    await untilInterrupted(signal)
  })

  it('comes when the terminal is closed, also from each of its shells', () => {
    const signal = interruption()
    process.emit('SIGHUP', 'SIGHUP')
    expect(signal.reason).toBeInstanceOf(Interrupted)
    // The process would end here at a second Ctrl-C.
    process.emit('SIGHUP', 'SIGHUP')
  })

  it('keeps listening, so that the process ends by itself and not by the signal', () => {
    interruption()
    process.emit('SIGINT', 'SIGINT')
    expect(process.listenerCount('SIGINT')).toBe(before.length + 1)
  })
})
