import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { physicalKey, splitKey } from './physical-key.js'
import type { StoredAttributes } from './stored-attributes.js'
import { readableShards, storedState } from './stored-state.js'
import { storedCard, suffixRuleOf } from './table-card.js'

/** The vectors of the stored format, which every reader has to agree with. */
function vectors(name: string) {
  return JSON.parse(readFileSync(new URL(`../../../isotherm/format/${name}.json`, import.meta.url), 'utf8'))
}

interface CardVector {
  readonly item: StoredAttributes
  readonly card?: {
    readonly listed: 'all' | readonly string[]
    readonly initial: { readonly shards: number; readonly phase: string; readonly history: readonly string[] }
    readonly migratingTo?: number
    readonly version: number
  }
}

interface StateVector {
  readonly item: StoredAttributes
  readonly state?: { readonly phase: string; readonly shards: number; readonly readable: number }
}

interface SuffixVector {
  readonly logical: { readonly S?: string }
  readonly shard: number
  readonly delimiter: string
  readonly adopt: boolean
  readonly physical?: { readonly S?: string }
}

describe('the card of a table', () => {
  const cards = (vectors('card').cards as readonly CardVector[]).filter(({ card }) => card !== undefined)

  it.each(cards)('says what the stored format says: %#', ({ item, card }) => {
    const { initial, listed, version, migratingTo, settings, made } = storedCard(item)
    expect({ shards: initial.shards, phase: initial.phase }).toEqual({
      shards: card?.initial.shards,
      phase: card?.initial.phase,
    })
    expect(readableShards(initial)).toBe(
      Math.max(...(card?.initial.history ?? []).map((entry) => Number(entry.split(':')[1]))),
    )
    expect(listed).toBe(card?.listed === 'all' ? 'all' : card?.listed.length)
    expect({ version, migratingTo, made }).toEqual({
      version: card?.version,
      migratingTo: card?.migratingTo,
      made: 1_700_000_000_000,
    })
    expect(settings).toMatchObject({ partitionKey: 'customer', suffix: 'calculated' })
    expect(suffixRuleOf(storedCard(item))).toEqual({ delimiter: '_', adopts: false })
  })
})

describe('the state of a key', () => {
  const states = (vectors('shard-map').states as readonly StateVector[]).filter(
    ({ state }) => state !== undefined,
  )

  it.each(states)('says what the stored format says: %#', ({ item, state }) => {
    const stored = storedState(item)
    const { phase, shards } = stored
    expect({ phase, shards, readable: readableShards(stored) }).toEqual({
      phase: state?.phase,
      shards: state?.shards,
      readable: state?.readable,
    })
  })
})

describe('a physical key', () => {
  const added = (vectors('suffixes').added as readonly SuffixVector[]).filter(
    ({ logical, physical }) => logical.S !== undefined && physical?.S !== undefined,
  )

  it('is made and split as the stored format says', () => {
    expect(added.length).toBeGreaterThan(3)
    for (const { logical, shard, delimiter, adopt, physical } of added) {
      expect(physicalKey(logical.S ?? '', shard, { delimiter, adopts: adopt })).toBe(physical?.S)
      const split = splitKey(physical?.S ?? '', delimiter)
      expect(split).toEqual({ logical: logical.S, shard: adopt && shard === 1 ? undefined : shard })
    }
  })
})
