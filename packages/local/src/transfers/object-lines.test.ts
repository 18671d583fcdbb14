import fc from 'fast-check'
import { expect, it } from 'vitest'
import { objectLines } from './object-lines.js'

async function linesOf(text: string, cuts: readonly number[], maxBytes?: number) {
  async function* pieces() {
    let from = 0
    for (const cut of [...cuts].sort((a, b) => a - b)) {
      const to = Math.max(from, Math.min(cut, text.length))
      yield Buffer.from(text.slice(from, to))
      from = to
    }
    yield Buffer.from(text.slice(from))
  }
  const lines: (string | undefined)[] = []
  for await (const some of objectLines(pieces(), maxBytes))
    lines.push(...some.map((line) => line?.toString()))
  return lines
}

it('finds the lines of any text in pieces of any size', async () => {
  const text = fc.array(fc.constantFrom('a', 'bc', '\n', '\r\n'), { maxLength: 20 })
  await fc.assert(
    fc.asyncProperty(text, fc.array(fc.nat(30), { maxLength: 6 }), async (parts, cuts) => {
      const whole = parts.join('')
      const expected = whole.split('\n')
      if (expected.at(-1) === '') expected.pop()
      expect(await linesOf(whole, cuts)).toEqual(expected)
    }),
  )
})

it('leaves out a line that is too long, and finds the next one', async () => {
  const text = `ab\n${'x'.repeat(50)}\ncd\n${'y'.repeat(11)}`
  for (const cuts of [[], [5], [10, 20, 30], [53, 54]]) {
    expect(await linesOf(text, cuts, 10)).toEqual(['ab', undefined, 'cd', undefined])
  }
})
