import { describe, expect, it } from 'vitest'
import { announce, drain, move } from '../states/calculated-count.js'
import { growthText, NO_HEAT } from '../states/fleet-signs.js'
import { firstState, repeatedState } from '../states/shard-state.js'
import {
  FLEET_ATTRIBUTES,
  foundAttribute,
  heatOfItems,
  SHARD_MAP_ATTRIBUTES,
  SHARD_MAP_NAMES,
} from './shard-map-attributes.js'
import { fromAttributes, toAttributes, toFleetAttributes } from './shard-map-item.js'

const AT_REST = firstState(4, 1_000)
const ITEM = toAttributes(AT_REST)
const { numberOfShards, lastUpdated, shardHistory, initialAsOf, phase, drainingSince } = SHARD_MAP_ATTRIBUTES
const read = (attributes: object) => fromAttributes('log_shard_map', { ...ITEM, ...attributes })

describe('an item of the shard map', () => {
  it('that repeats the initial count says of which time, and any other does not', () => {
    const state = repeatedState(AT_REST, 1_100)
    expect(toAttributes(state)).toEqual({
      ...ITEM,
      [lastUpdated]: { N: '1100' },
      [initialAsOf]: { N: '1000' },
    })
    expect(fromAttributes('log_shard_map', toAttributes(state))).toEqual(state)
    expect(ITEM).not.toHaveProperty(initialAsOf)
    expect(read({})).toEqual(AT_REST)
  })

  it.each([
    ['no count', { [numberOfShards]: { N: '0' } }, numberOfShards, 'a whole number from 1 up'],
    ['half a count', { [numberOfShards]: { N: '2.5' } }, numberOfShards, 'a whole number from 1 up'],
    ['a time before all times', { [lastUpdated]: { N: '-1' } }, lastUpdated, 'a whole number from 0 up'],
    ['a text for a time', { [initialAsOf]: { S: 'now' } }, initialAsOf, 'a whole number from 0 up'],
    ['a phase of its own', { [phase]: { S: 'soon' } }, phase, "'announced' or 'moved'"],
  ])('with %s is refused by its name, value and rule', (_what, attributes, attribute, rule) => {
    const value = (attributes as Record<string, unknown>)[attribute]
    expect(() => read(attributes)).toThrow(
      expect.objectContaining({
        code: 'shard-map.malformed',
        message: `An item of the shard map log_shard_map has ${attribute} ${JSON.stringify(value)}; it must be ${rule}. Correct the item.`,
        details: { shardMap: 'log_shard_map', attribute, value },
      }),
    )
  })

  it('without a count is refused', () => {
    expect(() => fromAttributes('log_shard_map', { [lastUpdated]: { N: '1' } })).toThrow(
      `${numberOfShards} undefined; it must be a whole number from 1 up`,
    )
  })

  it('has a history of its count alone if another writer has left none', () => {
    expect(read({ [shardHistory]: undefined }).history).toEqual(['1000:4'])
    expect(read({ [shardHistory]: undefined, [lastUpdated]: { N: '0' } }).history).toEqual(['0:4'])
    expect(read({ [shardHistory]: { SS: ['1000:4x', 'x1000:4', '1000:0'] } }).history).toEqual(['1000:4'])
  })

  it('has its history in the order of time, in whatever order it is stored', () => {
    const stored = { [shardHistory]: { SS: ['1000:4', '900:7', '90:2'] } }
    expect(read(stored).history).toEqual(['90:2', '900:7', '1000:4'])
  })

  it('has a count of a later time than its history, even if its own time is earlier', () => {
    expect(read({ [shardHistory]: { SS: ['2000:9'] } }).history).toEqual(['2000:9', '2001:4'])
  })

  it('adds no count to the history of a change, which tells of it', () => {
    const changing = announce(AT_REST, 9, 1_100)
    expect(fromAttributes('log_shard_map', toAttributes(changing)).history).toEqual(changing.history)
    const lowered = announce(AT_REST, 2, 1_100)
    expect(fromAttributes('log_shard_map', toAttributes(lowered)).history).toEqual(lowered.history)
    const short = { ...toAttributes(changing), [shardHistory]: { SS: ['900:3'] } }
    expect(fromAttributes('log_shard_map', short).history).toEqual(['900:3', '1100:4'])
  })

  it('is draining only in the phase that an earlier version knows as moved', () => {
    const draining = drain(move(announce(AT_REST, 9, 1_100), 1_200), 1_300)
    const item = toAttributes(draining)
    expect(fromAttributes('log_shard_map', item)).toEqual(draining)
    expect(fromAttributes('log_shard_map', { ...item, [phase]: { S: 'announced' } }).phase).toBe('announced')
    expect(fromAttributes('log_shard_map', { ...item, [drainingSince]: { N: '7' } }).phase).toBe('moved')
  })
})

describe('the names of the attributes of the library', () => {
  it('contain each one that it writes', () => {
    const draining = drain(move(announce(AT_REST, 9, 1_100), 1_200), 1_300)
    const fleet = {
      lastBusy: 950,
      heat: NO_HEAT,
      lastGrowth: undefined,
      quietReads: { units: 5, since: 900, weighed: 4 },
      lastPeak: { shards: 16, at: 900 },
    }
    const written = {
      ...toAttributes({ ...draining, initialAsOf: 1_000 }),
      ...toFleetAttributes({ ...AT_REST, fleet }),
    }
    expect(SHARD_MAP_NAMES).toEqual(
      expect.arrayContaining([...Object.keys(written), heatOfItems(0), foundAttribute('hot_item')]),
    )
  })
})

describe('what the fleet has reported of a key', () => {
  it('is missing where no process has reported anything', () => {
    expect(read({})).not.toHaveProperty('fleet')
    expect(read({ [FLEET_ATTRIBUTES.heatOffered]: { N: '5' } })).not.toHaveProperty('fleet')
  })

  const growth = { from: 2, to: 4, acceptedPerSecond: 900, throttledPerSecond: 300, inVain: 0 }
  it.each([
    ['busy', { [FLEET_ATTRIBUTES.lastBusy]: { N: '950' } }, { lastBusy: 950 }],
    ['heat', { [FLEET_ATTRIBUTES.heatSamples]: { N: '3' } }, { heat: { ...NO_HEAT, samples: 3 } }],
    ['growth', { [FLEET_ATTRIBUTES.lastGrowth]: { S: growthText(growth) } }, { lastGrowth: growth }],
    ['peak', { [FLEET_ATTRIBUTES.lastPeak]: { S: '900:16' } }, { lastPeak: { shards: 16, at: 900 } }],
    [
      'reads',
      { [FLEET_ATTRIBUTES.quietSince]: { N: '900' } },
      { quietReads: { units: 0, since: 900, weighed: 0 } },
    ],
  ])('may be one sign alone: %s', (_name, attributes, sign) => {
    expect(read(attributes).fleet).toEqual({ lastBusy: 0, heat: NO_HEAT, lastGrowth: undefined, ...sign })
  })

  it('has the heat of each class of items', () => {
    const attributes = {
      [FLEET_ATTRIBUTES.heatOffered]: { N: '90' },
      [FLEET_ATTRIBUTES.heatAccepted]: { N: '70' },
      [FLEET_ATTRIBUTES.heatSamples]: { N: '9' },
      [heatOfItems(0)]: { N: '5' },
      [heatOfItems(7)]: { N: '15' },
    }
    expect(read(attributes).fleet?.heat).toEqual({
      offeredUnits: 90,
      acceptedUnits: 70,
      throttledUnits: [5, 0, 0, 0, 0, 0, 0, 15],
      samples: 9,
    })
  })

  it('is without a number that no process writes', () => {
    for (const N of ['-3', 'often', 'Infinity']) {
      const attributes = { [FLEET_ATTRIBUTES.lastBusy]: { N: '950' }, [FLEET_ATTRIBUTES.heatOffered]: { N } }
      expect(read(attributes).fleet?.heat.offeredUnits).toBe(0)
    }
  })

  it('is without a peak that is none', () => {
    const fleet = (text: string) =>
      read({ [FLEET_ATTRIBUTES.lastBusy]: { N: '950' }, [FLEET_ATTRIBUTES.lastPeak]: { S: text } }).fleet
    for (const text of ['', '900', '900:0', 'x900:16', '900:16x']) {
      expect(fleet(text)).not.toHaveProperty('lastPeak')
    }
    expect(fleet('')).not.toHaveProperty('quietReads')
  })

  it('is shared through a cache without its heat', () => {
    const fleet = { lastBusy: 950, heat: NO_HEAT, lastGrowth: growth }
    expect(toFleetAttributes(AT_REST)).toEqual({ [FLEET_ATTRIBUTES.lastBusy]: { N: '0' } })
    expect(toFleetAttributes({ ...AT_REST, fleet })).toEqual({ [FLEET_ATTRIBUTES.lastBusy]: { N: '950' } })
  })
})
