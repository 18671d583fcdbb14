import { describe, expect, it } from 'vitest'
import { LISTED_ELSEWHERE, navigation } from '../site/navigation.js'
import { originOf, placedPages, placeOf } from '../site/pages.js'

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
