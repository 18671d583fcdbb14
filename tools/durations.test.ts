import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const folder = fileURLToPath(new URL('../api/', import.meta.url))
const UNIT = /(Milliseconds|Seconds|Minutes|Hours|Days)$/
/** Words of names that mean a length of time. */
const WORDS = new Set(
  'age cooldown deadline delay duration interval jitter lag lease lifetime period quiet retention skew timeout ttl'.split(
    ' ',
  ),
)

interface Member {
  readonly name: string
  readonly type: string
}

const reports = readdirSync(folder).filter((file) => file.endsWith('.api.md'))

const members = reports.flatMap((file) => {
  const lines = readFileSync(`${folder}${file}`, 'utf8').split('\n')
  return lines.flatMap((line): readonly Member[] => {
    const [, name, type] = /^ +(?:readonly )?(\w+)\??: (.+);$/.exec(line) ?? []
    return name === undefined || type === undefined ? [] : [{ name, type }]
  })
})

const isNumber = ({ type }: Member) => /^number\b(?! *=>)/.test(type)
const hasDuration = ({ type }: Member) => /\bDuration\b/.test(type)

/** `maxRetryDelay` has the words max, retry and delay. */
function isTime({ name }: Member): boolean {
  const words = name.split(/(?=[A-Z])/).map((word) => word.toLowerCase())
  return words.some((word) => WORDS.has(word))
}

const namesOf = (found: readonly Member[]) => [...new Set(found.map(({ name }) => name))]

describe('a length of time in the public API', () => {
  it('is a Duration, or a number with its unit at the end of its name', () => {
    const times = members.filter((member) => isTime(member) && (isNumber(member) || hasDuration(member)))
    expect(namesOf(times).length).toBeGreaterThan(10)
    expect(namesOf(times.filter((member) => isNumber(member) && !UNIT.test(member.name)))).toEqual([])
  })

  it('has no unit in its name if it is a Duration, which brings its own', () => {
    expect(namesOf(members.filter((member) => hasDuration(member) && UNIT.test(member.name)))).toEqual([])
  })
})
