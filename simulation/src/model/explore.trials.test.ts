import { describe, expect, inject, it } from 'vitest'
import { explore } from './explore.js'
import { PROTOCOL } from './protocol.js'
import { QUESTIONS } from './questions.js'

const isLong = inject('trials') === 'many'
const quick = QUESTIONS.filter(({ isQuick }) => isQuick)
const RULES = Object.keys(PROTOCOL)

describe('the protocol for changing the count of a calculated key', () => {
  it.each(isLong ? quick : quick.slice(0, 3))('holds in every order of steps: $name', ({ start }) => {
    const { violation, states } = explore(start, PROTOCOL)
    expect(violation).toBeUndefined()
    expect(states).toBeGreaterThan(1_000)
  })

  it.each(isLong ? RULES : RULES.slice(0, 3))('needs each of its rules: %s', (rule) => {
    const violated = quick.some(({ start }) => explore(start, { ...PROTOCOL, [rule]: false }).violation)
    expect(violated).toBe(true)
  })
})
