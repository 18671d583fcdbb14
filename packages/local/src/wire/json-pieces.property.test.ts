import fc from 'fast-check'
import { expect, inject, it } from 'vitest'
import { parseJsonBody } from './json-body.js'
import { parseInPieces } from './json-pieces.js'

const RUNS = inject('trials') === 'many' ? 2_000 : 150

/** The result of a parser, or that it refuses the body. */
function outcome(parse: () => unknown): unknown {
  try {
    return { parsed: parse() }
  } catch (error) {
    return { refused: (error as Error).name }
  }
}

function inPieces(body: Buffer, pieceBytes: number): unknown {
  const steps = parseInPieces(body, pieceBytes)
  let step = steps.next()
  while (step.done !== true) step = steps.next()
  return step.value
}

/** Values with the names that objects treat specially, and twice the same name in one structure. */
const names = fc.oneof(fc.constantFrom('__proto__', 'a', 'b', '', '"', '\\', 'é'), fc.string())
/** Texts with every form of escape, and characters of up to four bytes. */
const escaped = fc
  .array(fc.constantFrom('\\u20ac', '\\ud83d\\ude00', '\\\\', '\\"', '\\n', '🌡', '€', 'é', 'a'), {
    maxLength: 30,
  })
  .map((parts) => `"${parts.join('')}"`)
const { value } = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'medium' },
    fc.jsonValue().map((value) => JSON.stringify(value)),
    escaped,
    escaped.map((name) => `{${name}: 1}`),
    fc.array(tie('value'), { maxLength: 6 }).map((members) => `[${members.join(' , ')}]`),
    fc
      .array(fc.tuple(names, tie('value')), { maxLength: 6 })
      .map(
        (members) => `{${members.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',\n')}}`,
      ),
  ),
}))
const pieceBytes = fc.integer({ min: 1, max: 40 })

it('reads the same as the parser that takes a body at once', () => {
  fc.assert(
    fc.property(value, pieceBytes, (text, pieceBytes) => {
      const body = Buffer.from(` ${text}\n`)
      expect(inPieces(body, pieceBytes)).toEqual(parseJsonBody(body))
      expect(JSON.stringify(inPieces(body, pieceBytes))).toBe(JSON.stringify(parseJsonBody(body)))
    }),
    { numRuns: RUNS },
  )
})

it('refuses the same bodies', () => {
  const spoilt = fc.constantFrom(
    '',
    ',',
    ':',
    '[',
    ']',
    '{',
    '}',
    '"',
    '\\',
    ' ',
    '1',
    'x',
    '\u0000',
    '"a":',
    'null',
    '\\u',
    '\\u12',
  )
  fc.assert(
    fc.property(value, fc.nat(), fc.nat(3), spoilt, pieceBytes, (text, place, removed, added, pieceBytes) => {
      const at = place % (text.length + 1)
      const body = Buffer.from(text.slice(0, at) + added + text.slice(at + removed))
      expect(outcome(() => inPieces(body, pieceBytes))).toEqual(outcome(() => parseJsonBody(body)))
    }),
    { numRuns: RUNS },
  )
})

it('refuses a structure with more members than any item has, before it has read all of them', () => {
  const members = Array.from({ length: 130_000 }, (_, each) => `"${each.toString(36)}":{"NULL":true}`)
  const body = Buffer.from(`{"Item":{${members.join(',')},`)
  expect(() => inPieces(body, 64 * 1024)).toThrow('Item size has exceeded the maximum allowed size')
})

it('refuses bodies that are not UTF-8, or nested too deep', () => {
  const nested = (depth: number) => Buffer.from('['.repeat(depth) + ']'.repeat(depth))
  for (const body of [Buffer.from([0x22, 0xff, 0x22]), Buffer.alloc(0), nested(1001), nested(1000)]) {
    expect(outcome(() => inPieces(body, 100))).toEqual(outcome(() => parseJsonBody(body)))
  }
})

it('does not look through a long text again for each list and structure around it', () => {
  const text = JSON.stringify('"'.repeat(3_000_000))
  const nested = (depth: number) => Buffer.from(`${'{"L":['.repeat(depth)}${text}${']}'.repeat(depth)}`)
  const milliseconds = (body: Buffer) => {
    const { user, system } = process.cpuUsage()
    inPieces(body, 1024)
    const after = process.cpuUsage()
    return (after.user - user + after.system - system) / 1000
  }
  milliseconds(nested(1))
  // The fastest of three: other work on the machine slows each, and not by the same.
  const deep = Math.min(...Array.from({ length: 3 }, () => milliseconds(nested(400))))
  expect(deep).toBeLessThan(10 * milliseconds(nested(1)) + 200)
})
