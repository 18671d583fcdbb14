import { expect, it } from 'vitest'
import { comparePaths, type DocumentPath } from './document-path.js'

it('paths are in the order of their steps: indexes as numbers and before names, and a path before those below it', () => {
  const ordered: DocumentPath[] = [
    ['a'],
    ['a', 2],
    ['a', 2, 'x'],
    ['a', 10],
    ['a', 10, 0],
    ['a', '1'],
    ['a', 'b'],
    ['a', 'b', 'c', 'd'],
    ['b', 0],
  ]
  for (const [place, path] of ordered.entries()) {
    for (const [other, second] of ordered.entries()) {
      expect(Math.sign(comparePaths(path, second))).toBe(Math.sign(place - other))
    }
  }
})
