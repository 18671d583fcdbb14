import { describe, expect, it } from 'vitest'
import { explore } from './explore.js'
import { PROTOCOL } from './protocol.js'
import { QUESTIONS } from './questions.js'

const quick = QUESTIONS.filter(({ isQuick }) => isQuick)

describe('the protocol for changing the count of a calculated key', () => {
  it.each(quick)('holds in every order of steps: $name', ({ start }) => {
    const { violation, states } = explore(start, PROTOCOL)
    expect(violation).toBeUndefined()
    expect(states).toBeGreaterThan(1_000)
  })

  it.each(Object.keys(PROTOCOL))('needs each of its rules: %s', (rule) => {
    const violated = quick.some(({ start }) => explore(start, { ...PROTOCOL, [rule]: false }).violation)
    expect(violated).toBe(true)
  })
})
