import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { IsothermError, type IsothermErrorCode } from 'isotherm'
import { describe, expect, it } from 'vitest'
import { brokenLink, linkedPages, linksOf, sectionsOf } from './page-links.js'

const root = fileURLToPath(new URL('..', import.meta.url))

function brokenIn(page: string, text: string): readonly string[] {
  return linksOf(page, text).flatMap((link) => {
    const reason = brokenLink(link)
    return reason === undefined ? [] : [`${link.page}:${link.line}: ${link.target} ${reason}`]
  })
}

describe('links between pages', () => {
  it('lead to files and sections that exist', () => {
    const pages = linkedPages()
    expect(pages).toContain('README.md')
    expect(pages).toContain('docs/sharding.md')
    expect(pages.flatMap((page) => brokenIn(page, readFileSync(join(root, page), 'utf8')))).toEqual([])
  })

  it('are found to be broken', () => {
    const text = [
      '# A page',
      '[no file](missing.md), [no section](sharding.md#missing), [outside](../../elsewhere.md)',
      '![no picture](missing.svg) and [a section](#a-page), [another](#b-page)',
      '`[in code](missing.md)`',
      '```',
      '[in a block](missing.md)',
      '```',
      '[elsewhere](https://example.com/missing)',
    ].join('\n')
    expect(brokenIn('docs/sharding.md', text)).toEqual([
      'docs/sharding.md:2: missing.md does not exist',
      'docs/sharding.md:2: sharding.md#missing has no such section',
      'docs/sharding.md:2: ../../elsewhere.md is outside of the repository',
      'docs/sharding.md:3: missing.svg does not exist',
      'docs/sharding.md:3: #a-page has no such section',
      'docs/sharding.md:3: #b-page has no such section',
    ])
  })

  it('name sections as the host of the repository does', () => {
    const text =
      '# Find hot keys: `isotherm hot`\n## key.too-long\n## Limits\n## Limits\n```\n# no heading\n```\n## 日本語の見出し'
    expect([...sectionsOf(text)]).toEqual([
      'find-hot-keys-isotherm-hot',
      'keytoo-long',
      'limits',
      'limits-1',
      '日本語の見出し',
    ])
  })

  it('lead from the help of each error to the section that explains it', () => {
    const text = readFileSync(join(root, 'packages/isotherm/ERRORS.md'), 'utf8')
    const codes = [...text.matchAll(/^## (\S+)$/gm)].map(([, code]) => code as IsothermErrorCode)
    expect(codes.length).toBeGreaterThan(50)
    for (const code of codes) {
      const { help } = new IsothermError(code, 'A message.', {} as never)
      // The file is in the published package, and the site has it as a page of the same sections.
      const [file, section = ''] = help.split('#')
      expect(file).toBe('isotherm/ERRORS.md')
      expect(sectionsOf(text), code).toContain(section)
    }
  })
})
