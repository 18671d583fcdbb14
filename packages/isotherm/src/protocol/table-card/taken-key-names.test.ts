import { describe, expect, it } from 'vitest'
import { announce } from '../states/calculated-count.js'
import { firstState } from '../states/shard-state.js'
import { toAttributes } from '../stored-state/shard-map-item.js'
import { CARD_ATTRIBUTES, firstCardItem } from './card-item.js'
import { TAKEN_KEY_NAMES } from './taken-key-names.js'

describe('the names that the partition key of a shard map cannot have', () => {
  const card = firstCardItem({ initial: '1' }, { made: '1:a', table: 'log', shardMap: 'map' }, false)

  it.each([
    ['an item with the count of a key', Object.keys(toAttributes(announce(firstState(1, 1), 2, 2)))],
    ['a card', Object.keys(card)],
    ['a card that is being rebuilt', [CARD_ATTRIBUTES.rebuilding, CARD_ATTRIBUTES.checkpoint]],
  ])('are those of the attributes of %s', (_what, names) => {
    expect(names.filter((name) => !TAKEN_KEY_NAMES.includes(name))).toEqual([])
  })
})
