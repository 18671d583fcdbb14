import { describe, expect, it } from 'vitest'
import { visibleText } from './visible-text.js'

describe('the visible text of a value', () => {
  it.each([
    ['/files/plan.pdf', '/files/plan.pdf'],
    ['line one\nline two\r\n\tend', 'line one\\nline two\\r\\n\\tend'],
    ['a\u0000b\u0001', 'a\\u0000b\\u0001'],
    ['photo\u202egnp.exe', 'photo\\u202egnp.exe'],
    ['no\u200bbreak\ufeff', 'no\\u200bbreak\\ufeff'],
    [' ', '" "'],
    ['sale ', '"sale "'],
    ['', '""'],
    ['two words', 'two words'],
    ['שלום', 'שלום'],
    ['🏳️‍🌈', '🏳️‍🌈'],
    ['<img src=x>', '<img src=x>'],
  ])('of %j is %s', (value, text) => {
    expect(visibleText(value)).toBe(text)
  })
})
