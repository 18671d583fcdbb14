import { describe, expect, it } from 'vitest'
import { redisShardMapCache } from './redis-shard-map-cache.js'

/** A client that records what it is asked for. */
function clientOf(value: unknown = null) {
  const commands: unknown[] = []
  const client = {
    get: async (...given: unknown[]) => {
      commands.push(['GET', ...given])
      return value
    },
    set: async (...given: unknown[]) => {
      commands.push(['SET', ...given])
    },
  }
  return { client, commands }
}

describe('a cache in Redis', () => {
  it('has a name for each table and key, behind its prefix', async () => {
    const { client, commands } = clientOf()
    await redisShardMapCache(client).get('map', 'a:b')
    await redisShardMapCache(client, { prefix: 'mine:' }).get('map', 'k')
    expect(commands).toEqual([
      ['GET', 'isotherm:map:a:b'],
      ['GET', 'mine:map:k'],
    ])
  })

  it.each([
    ['what was set', 'text', 'text'],
    ['nothing where there is nothing', null, undefined],
    ['nothing where a client returns bytes', Buffer.from('text'), undefined],
  ])('gives back %s', async (_what, value, found) => {
    expect(await redisShardMapCache(clientOf(value).client).get('map', 'k')).toBe(found)
  })

  it.each([
    [30_000.4, 30_001],
    // Redis refuses a lifetime of 0.
    [0, 1],
  ])('keeps a text for %d ms, in whole milliseconds', async (milliseconds, PX) => {
    const { client, commands } = clientOf()
    await redisShardMapCache(client).set('map', 'k', 'text', milliseconds)
    expect(commands).toEqual([['SET', 'isotherm:map:k', 'text', { PX }]])
  })

  it.each([
    [
      'a prefix that is no text',
      { prefix: '' },
      'options.invalid',
      'redisShardMapCache.prefix is ""; it must be',
    ],
    [
      'a misspelt prefix',
      { keyPrefix: 'a:' },
      'options.unknown',
      'redisShardMapCache.keyPrefix is not an option',
    ],
    [
      'a prefix in place of the options',
      'staging:',
      'options.invalid',
      'redisShardMapCache is "staging:"; it must be',
    ],
  ])('is refused with %s', (_what, options, code, text) => {
    expect(() => redisShardMapCache(clientOf().client, options as never)).toThrow(
      expect.objectContaining({ code, message: expect.stringContaining(text) }),
    )
  })

  it.each([
    undefined,
    'redis://cache:6379',
    Promise.resolve(clientOf().client),
    { get: () => {} },
    { set: () => {} },
  ])('is refused with something in place of a client: %s', (client) => {
    expect(() => redisShardMapCache(client as never)).toThrow(
      expect.objectContaining({
        code: 'options.invalid',
        message: `The type of the client of redisShardMapCache is "${typeof client}"; it must be that of a client of the package redis, with get and set.`,
        details: { option: 'The type of the client of redisShardMapCache', value: typeof client },
      }),
    )
  })
})
