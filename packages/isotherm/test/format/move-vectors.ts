import { copyMark, readMoveName, readOrigins } from '../../src/protocol/moves/move-name.js'
import { combinations, type Section, section } from './vector-section.js'

const NAMES = [
  '1:0',
  '7:4294967295',
  '1000:12',
  '0:1',
  '07:1',
  '10000:1',
  '3:',
  '3:-1',
  ':5',
  '3:1:2',
  '',
  'x',
]
const MARKS = ['9:4:17', '9,12:4:17', '3,5,9:1:4294967295', '12,9:4:17', '', 'x:4:17']

export const moveSections: Readonly<Record<string, Section>> = {
  /** `isotherm_moving` of an item, and the shard that it moves to. `null`: no move writes it. */
  moving: section(
    NAMES.map((moving) => ({ moving })),
    ({ moving }) => ({ target: readMoveName(moving)?.target ?? null }),
  ),
  /** `isotherm_moved` of an item, and the shards that it was in before, the last one first. */
  moved: section(
    MARKS.map((moved) => ({ moved })),
    ({ moved }) => ({ origins: readOrigins(moved) }),
  ),
  /** `isotherm_moved` of the copy of a move out of `source`, for an item that had `before`. */
  copies: section(
    combinations<{ source: number; moving: string; before: string | null }>({
      source: [4, 9],
      moving: ['2:99'],
      before: [null, ...MARKS.slice(0, 4)],
    }),
    ({ source, moving, before }) => {
      const name = readMoveName(moving)
      if (name === undefined) throw new Error(`${moving} is no name of a move.`)
      return { moved: copyMark(source, name, before ?? undefined) }
    },
  ),
}
