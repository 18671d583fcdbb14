import { describe, expect, it } from 'vitest'
import { LISTED_ELSEWHERE, navigation } from '../site/navigation.js'
import { originOf, placedPages, placeOf } from '../site/pages.js'
import { wordsOf } from '../site/search.js'
import { languageOf } from '../site/site-links.js'

const addressOf = (place: string) => `/${place.replace(/(^|\/)index\.md$/, '$1').replace(/\.md$/, '')}`

const places = placedPages()
/** The home page, and what TypeDoc writes. */
const GENERATED = ['/', '/ja/', '/reference/']
const linked = [...navigation.english, ...navigation.japanese].flatMap(({ items }) =>
  items.map(({ link }) => link),
)

describe('the navigation of the site', () => {
  it('leads to every page, unless another page lists it', () => {
    const unlisted = places.filter((place) => !LISTED_ELSEWHERE.some((folder) => place.startsWith(folder)))
    const missing = unlisted.map(addressOf).filter((address) => ![...linked, ...GENERATED].includes(address))
    expect(missing).toEqual([])
  })

  it('leads to pages only, and to each of them once', () => {
    const addresses = [...places.map(addressOf), ...GENERATED]
    expect(linked.filter((link) => !addresses.includes(link))).toEqual([])
    expect(new Set(linked).size).toBe(linked.length)
  })
})

it('a page of the site has one origin in the repository', () => {
  expect(placeOf('docs/sharding.md')).toBe('sharding.md')
  expect(placeOf('packages/isotherm/ERRORS.md')).toBe('errors.md')
  expect(placeOf('packages/isotherm/README.md')).toBeUndefined()
  for (const place of places) expect(placeOf(originOf(place))).toBe(place)
})

it('a link to a page in another language names that language, and its own, if it leads to the same page', () => {
  expect(languageOf('ja/sharding.md', 'adopting.md')).toEqual({})
  expect(languageOf('ja/sharding.md', '../../README.ja.md')).toEqual({})
  expect(languageOf('ja/sharding.md', '../queries.md#indexes')).toEqual({ hreflang: 'en' })
  expect(languageOf('ja/index.md', 'LICENSE')).toEqual({ hreflang: 'en' })
  expect(languageOf('ja/sharding.md', '../sharding.md')).toEqual({ hreflang: 'en', lang: 'en' })
  expect(languageOf('sharding.md', 'ja/sharding.md')).toEqual({ hreflang: 'ja', lang: 'ja' })
  expect(languageOf('ja/index.md', 'README.md')).toEqual({ hreflang: 'en', lang: 'en' })
})

it('the search finds Japanese words within a sentence, in either width of their letters', () => {
  const words = wordsOf('DynamoDB のシャード数を増やす')
  expect(words).toEqual(expect.arrayContaining(['dynamodb', 'シャード', '数', '増やす']))
  expect(words).not.toContain('を')
  expect(wordsOf('パーティションキー')).toEqual(expect.arrayContaining(['キー', 'パーティションキー']))
  expect(wordsOf('ＤｙｎａｍｏＤＢ のｼｬｰﾄﾞ数を増やす')).toEqual(words)
})

it('the search splits English texts at spaces and marks', () => {
  expect(wordsOf('A sharded `Query` of isotherm/counter')).toEqual([
    'a',
    'sharded',
    'query',
    'of',
    'isotherm',
    'counter',
  ])
})
