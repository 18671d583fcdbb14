import { type Random, randomInteger } from '@isotherm/runtime'
import { happens, oneOf } from './draw.js'

/** Text inserted into JSON unchanged, well-formed or not. */
class Raw {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** A request's JSON, broken in one to three places: values replaced, members dropped, duplicated or renamed. */
export function brokenJson(random: Random, input: unknown): string {
  let broken = input
  for (let times = randomInteger(random, 1, 3); times > 0; times--) broken = brokenAt(random, broken)
  return print(broken)
}

function brokenAt(random: Random, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Raw || happens(random, 0.15))
    return junk(random)
  const names = Object.keys(value)
  const name = names[randomInteger(random, 0, names.length - 1)]
  if (name === undefined) return junk(random)
  const inner = (value as Record<string, unknown>)[name]
  if (Array.isArray(value)) {
    const at = Number(name)
    if (happens(random, 0.1)) return value.toSpliced(at, 1)
    if (happens(random, 0.1)) return [...value, ...value]
    return value.with(at, brokenAt(random, inner))
  }
  const { [name]: _, ...others } = value as Record<string, unknown>
  if (happens(random, 0.1)) return others
  if (happens(random, 0.1))
    return { ...others, [oneOf(random, [name.toLowerCase(), '__proto__ ', 'constructor', ''])]: inner }
  if (happens(random, 0.05)) return new Raw(`{${JSON.stringify(name)}:1,${print(value).slice(1)}`)
  return { ...others, [name]: brokenAt(random, inner) }
}

function print(value: unknown): string {
  if (value instanceof Raw) return value.text
  if (Array.isArray(value)) return `[${value.map(print).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  return `{${Object.entries(value)
    .map(([name, inner]) => `${JSON.stringify(name)}:${print(inner)}`)
    .join(',')}}`
}

function junk(random: Random): unknown {
  const length = 10 ** randomInteger(random, 0, 5)
  return oneOf<unknown>(random, [
    null,
    true,
    -1,
    0.5,
    1e308,
    '',
    'x'.repeat(length),
    '9'.repeat(Math.min(length, 200)),
    [],
    {},
    [[]],
    { S: null },
    { S: 'a', N: '1' },
    { N: 'NaN' },
    { N: '1e9999999999' },
    { B: '@' },
    { SS: [] },
    { NS: ['1', '1.0'] },
    { M: { '': { L: [null] } } },
    new Raw('1e999'),
    new Raw('-0'),
    new Raw('"\\ud800"'),
    new Raw('{"__proto__":{"S":"x"}}'),
    new Raw(`${'['.repeat(length)}${']'.repeat(length)}`),
    new Raw('{"L":['.repeat(Math.min(length, 1000)) + ']}'.repeat(Math.min(length, 1000))),
    new Raw(`${'{"M":{"a":'.repeat(40)}{"S":"b"}${'}}'.repeat(40)}`),
    new Raw('('),
    ' :p = :q AND '.repeat(Math.min(length, 1000)),
    '('.repeat(Math.min(length, 5000)),
    'NOT '.repeat(Math.min(length, 2000)),
    'a[99999999999]',
    `a${'[0]'.repeat(50)}`,
    'arn:aws:dynamodb:us-east-1:000000000000:table/things',
  ])
}
