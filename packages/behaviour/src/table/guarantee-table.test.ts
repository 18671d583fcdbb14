import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { GUARANTEES } from '../guarantees/all.js'
import { guaranteePage } from './guarantee-table.js'
import { HELD_ELSEWHERE } from './held-elsewhere.js'

const root = new URL('../../../../', import.meta.url)
const textOf = (path: string) => readFileSync(new URL(path, root), 'utf8')

describe('docs/guarantees.md', () => {
  it('lists the guarantees and their tests; `npm run guarantees` writes it', async () => {
    await expect(guaranteePage()).toMatchFileSnapshot('../../../../docs/guarantees.md')
  })

  it('names the files that contain the guarantees', () => {
    for (const { file, all } of GUARANTEES) {
      const text = textOf(`packages/behaviour/src/guarantees/${file}`)
      for (const { sentence } of all) {
        expect(text.includes(sentence) || text.includes(sentence.replaceAll("'", "\\'")), sentence).toBe(true)
      }
    }
  })

  it('names existing tests for guarantees outside this suite', () => {
    for (const { file, test } of Object.values(HELD_ELSEWHERE).flat()) expect(textOf(file)).toContain(test)
  })

  it('lists no guarantee twice', () => {
    const sentences = GUARANTEES.flatMap(({ all }) => all.map(({ sentence }) => sentence))
    expect(new Set(sentences).size).toBe(sentences.length)
  })
})
