import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sectionName } from './section-name.js'

const root = fileURLToPath(new URL('..', import.meta.url))

/** A link of a page to another page, to a section or to a file. */
export interface PageLink {
  readonly page: string
  readonly line: number
  readonly target: string
}

/** Folders with pages, beside the pages in the root. */
const FOLDERS = ['docs', 'packages', 'examples', 'scenarios', 'simulation', 'bench']
const OTHERS = new Set(['node_modules', 'dist', 'site'])

/** The pages that people read: their paths from the root of the project. */
export function linkedPages(): readonly string[] {
  const inRoot = readdirSync(root).filter((name) => name.endsWith('.md'))
  return [...inRoot, ...FOLDERS.flatMap(pagesIn)].sort()
}

function pagesIn(folder: string): readonly string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`
    if (entry.isDirectory()) return OTHERS.has(entry.name) ? [] : pagesIn(path)
    return entry.name.endsWith('.md') ? [path] : []
  })
}

/** @returns the links of a text that lead to files of this repository */
export function linksOf(page: string, text: string): readonly PageLink[] {
  const prose = withoutCode(text)
  const inline = prose.matchAll(/\]\(<?([^)\s>]+)>?(?: "[^"]*")?\)/g)
  const references = prose.matchAll(/^\[[^\]]+\]: (\S+)$/gm)
  return [...inline, ...references]
    .filter(([, target = '']) => !/^[a-z]+:/.test(target))
    .map(({ index, 1: target = '' }) => ({ page, line: prose.slice(0, index).split('\n').length, target }))
}

/** @returns why the link leads nowhere; nothing if it leads somewhere */
export function brokenLink({ page, target }: PageLink): string | undefined {
  const [path = '', section] = target.split('#')
  const file = path === '' ? join(root, page) : resolve(root, dirname(page), decodeURIComponent(path))
  if (relative(root, file).startsWith('..')) return 'is outside of the repository'
  if (!existsSync(file)) return 'does not exist'
  if (section === undefined || !file.endsWith('.md')) return undefined
  return sectionsOf(readFileSync(file, 'utf8')).has(section) ? undefined : 'has no such section'
}

/** The names by which links lead to the headings of a page, on the repository's host and on the site. */
export function sectionsOf(text: string): ReadonlySet<string> {
  const sections = new Set<string>()
  for (const [, title = ''] of withoutFences(text).matchAll(/^#{1,6} (.+)$/gm)) {
    const name = sectionName(title)
    let unique = name
    for (let copy = 1; sections.has(unique); copy++) unique = `${name}-${copy}`
    sections.add(unique)
  }
  for (const [, id = ''] of text.matchAll(/<a id="([^"]+)">/g)) sections.add(id)
  return sections
}

function withoutFences(text: string): string {
  return text.replaceAll(/^( *)(```|~~~).*?^\1\2/gms, (block) => block.replaceAll(/[^\n]/g, ''))
}

/** Code is blanked, so that lines keep their numbers. */
function withoutCode(text: string): string {
  return withoutFences(text).replaceAll(/`[^`\n]*`/g, '``')
}
