import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { linksOf } from './page-links.js'
import { shapeOf, translatedTitles } from './page-shape.js'

const root = fileURLToPath(new URL('..', import.meta.url))
const textOf = (path: string) => readFileSync(join(root, path), 'utf8')

const PAGES = [
  { english: 'README.md', japanese: 'README.ja.md' },
  ...readdirSync(join(root, 'docs/ja')).map((name) => ({
    english: `docs/${name}`,
    japanese: `docs/ja/${name}`,
  })),
]

/** Whether a text is in Japanese, and not a page that was only copied. */
const JAPANESE = /[\p{Script=Hiragana}\p{Script=Katakana}]/u

/** The pages to which a page links, by their paths from the root of the project, without the sections. */
const linkedFrom = (page: string, text: string) =>
  linksOf(page, text).map(({ target }) => join(dirname(page), target.split('#')[0] ?? ''))

describe.each(PAGES)('$japanese', ({ english, japanese }) => {
  const [original, translation] = [textOf(english), textOf(japanese)]

  it('was translated from the sections that the English page has', () => {
    expect(translatedTitles(translation)).toEqual(shapeOf(original).titles)
    expect(shapeOf(translation).levels).toEqual(shapeOf(original).levels)
  })

  it('has the same code, commands and figures', () => {
    expect(shapeOf(translation).blocks).toEqual(shapeOf(original).blocks)
  })

  it('has the same tables', () => {
    expect(shapeOf(translation).tableRows).toEqual(shapeOf(original).tableRows)
  })

  it('is in Japanese, section by section', () => {
    const sections = translation.split(/^#{1,6} .+$/m).slice(1)
    const bare = sections.filter((section) => section.trim() !== '' && !JAPANESE.test(section))
    expect(bare.map((section) => shapeOf(section).blocks.length > 0 || section)).toEqual(bare.map(() => true))
  })

  it('and the English page lead to each other', () => {
    expect(translation).toMatch(/^\[English\]/m)
    expect(linkedFrom(japanese, translation).filter((page) => page === english)).toEqual([english])
    expect(linkedFrom(english, original)).toContain(japanese)
  })

  it('lists the pages that are in Japanese, and leads to an English page only where there is no other', () => {
    const linked = linkedFrom(japanese, translation)
    expect(PAGES.filter((page) => !linked.includes(page.japanese))).toEqual([])
    expect(PAGES.filter((page) => page.english !== english && linked.includes(page.english))).toEqual([])
  })
})

it('a page has drifted from its translation when code, a heading, a figure or a row differs', () => {
  const page = '# A\n\n## B\n\n```ts\na()\n```\n\n| x | y |\n|---|---|\n| 1 | 2 |\n'
  const shape = shapeOf(page)
  expect(shape).toEqual({ levels: [1, 2], titles: ['A', 'B'], blocks: ['```ts\na()\n```'], tableRows: [3] })
  expect(shapeOf(page.replace('a()', 'b()')).blocks).not.toEqual(shape.blocks)
  expect(shapeOf(page.replace('## B', '### B')).levels).not.toEqual(shape.levels)
  expect(shapeOf(page.replace('## B', '## C')).titles).not.toEqual(shape.titles)
  expect(shapeOf(`${page}| 3 | 4 |\n`).tableRows).not.toEqual(shape.tableRows)
  const figures = '<!-- figures: npm run figures -->\n\n1,070\n\n<!-- /figures -->\n'
  expect(shapeOf(figures.replace('1,070', '1,071')).blocks).not.toEqual(shapeOf(figures).blocks)
})
