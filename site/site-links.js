import { posix } from 'node:path'
import { originOf, placeOf } from './pages.js'

const ELSEWHERE = /^([a-z]+:|#|\/)/i

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
      if (target !== null && !ELSEWHERE.test(target)) token.attrSet(attribute, targetOn(place, target, files))
    }
  })
}

function targetOn(place, target, files) {
  const [path = '', section] = target.split('#')
  const file = posix.join(posix.dirname(originOf(place)), decodeURIComponent(path))
  const hash = section === undefined ? '' : `#${section}`
  // The front page of the repository is that of the site.
  const found = file === 'README.md' ? 'index.md' : placeOf(file)
  if (found === undefined || !/\.[a-z]+$/.test(found)) return `${files}/${file}${hash}`
  const there = posix.relative(posix.dirname(place), found)
  return (there.startsWith('.') ? there : `./${there}`) + hash
}
