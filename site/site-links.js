import { posix } from 'node:path'
import { originOf, placeOf } from './pages.js'

const ELSEWHERE = /^([a-z]+:|#|\/)/i
const JAPANESE = 'ja/'

/**
 * Pages link to each other, to pictures and to sources by their paths in the repository. On the site, a link to a page leads to its
 * place, and a link to any other file to the repository.
 *
 * @param {import('vitepress').MarkdownRenderer} md
 * @param {string} files the address of the repository's files
 */
export function siteLinks(md, files) {
  md.core.ruler.push('site-links', ({ env, tokens }) => {
    const place = env.relativePath
    // TypeDoc writes links that fit already.
    if (place.startsWith('reference/')) return
    for (const token of tokens.flatMap(({ children }) => children ?? [])) {
      const attribute = { link_open: 'href', image: 'src' }[token.type]
      const target = attribute === undefined ? null : token.attrGet(attribute)
      if (target === null || ELSEWHERE.test(target)) continue
      token.attrSet(attribute, targetOn(place, target, files))
      if (attribute !== 'href') continue
      for (const [name, value] of Object.entries(languageOf(place, target))) token.attrSet(name, value)
    }
  })
}

/**
 * @param {string} place of the page that has the link
 * @param {string} target as the page names it
 * @returns {{ hreflang?: string, lang?: string }} `hreflang` if the link leads to a page in the other language. `lang` as well if that page
 * is a translation of this one: the text of such a link is the name of the other language.
 */
export function languageOf(place, target) {
  const there = placeFrom(place, target).found ?? ''
  const [from, to] = [place, there].map((page) => (page.startsWith(JAPANESE) ? 'ja' : 'en'))
  if (from === to) return {}
  const [own, other] = [place, there].map((page) => page.replace(JAPANESE, ''))
  return own === other ? { hreflang: to, lang: to } : { hreflang: to }
}

function targetOn(place, target, files) {
  const { file, found, hash } = placeFrom(place, target)
  if (found === undefined || !/\.[a-z]+$/.test(found)) return `${files}/${file}${hash}`
  const there = posix.relative(posix.dirname(place), found)
  return (there.startsWith('.') ? there : `./${there}`) + hash
}

/** The file that a link names, its place on the site, if it has one, and the section. */
function placeFrom(place, target) {
  const [path = '', section] = target.split('#')
  const file = posix.join(posix.dirname(originOf(place)), decodeURIComponent(path))
  // The front page of the repository is that of the site.
  const found = file === 'README.md' ? 'index.md' : placeOf(file)
  return { file, found, hash: section === undefined ? '' : `#${section}` }
}
