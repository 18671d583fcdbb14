import { describe, expect, inject, it } from 'vitest'
import { CARD_RULES } from './card-rules.js'
import { startOf } from './card-world.js'
import { exploreCards } from './explore-cards.js'

const isLong = inject('trials') === 'many'
const RULES = Object.keys(CARD_RULES)

/** Half a million states take seconds. */
const TIMEOUT_MILLISECONDS = 300_000

describe('the card of a table', () => {
  it.each(isLong ? [1, 2] : [1])(
    'lets no process go by a count too long, in every order of steps, with %i that change it',
    (changers) => {
      const { violation, states } = exploreCards(startOf(changers), CARD_RULES)
      expect(violation).toBeUndefined()
      expect(states).toBeGreaterThan(5_000)
    },
    TIMEOUT_MILLISECONDS,
  )

  it.each(RULES)('needs each of its rules: %s', (rule) => {
    const { violation } = exploreCards(startOf(2), { ...CARD_RULES, [rule]: false })
    expect(violation).toBeDefined()
  })
})
