import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { MarkedSection } from './marked-section.js'

let folder: string
let path: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'isotherm-section-'))
  path = join(folder, 'document.md')
})
afterEach(() => rmSync(folder, { recursive: true }))

describe('a section of a document that a command makes', () => {
  it('takes the place of what is between its markers, and of nothing else', () => {
    writeFileSync(path, 'a\n<!-- begin of the table -->\nold\n<!-- end of the table -->\nb\n')
    const section = new MarkedSection(path, 'table')
    for (const lines of [['one', '', 'two'], ['three']]) {
      section.write(lines)
      const text = `a\n<!-- begin of the table -->\n${lines.join('\n')}\n<!-- end of the table -->\nb\n`
      expect(readFileSync(path, 'utf8')).toBe(text)
    }
  })

  it('is looked for at once', () => {
    const missing = join(folder, 'nothing.md')
    expect(() => new MarkedSection(missing, 'table')).toThrow(
      `--write is '${missing}'; it must be a document that can be read (ENOENT).`,
    )
    for (const text of ['', '<!-- end of the table -->\n<!-- begin of the table -->\n']) {
      writeFileSync(path, text)
      expect(() => new MarkedSection(path, 'table')).toThrow(
        `--write is '${path}'; it must hold <!-- begin of the table --> and, behind it, <!-- end of the table -->.`,
      )
    }
  })
})
