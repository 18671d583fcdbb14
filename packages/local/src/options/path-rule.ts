import type { Rule } from './rules.js'

/**
 * The path of a file or a directory, as Node takes it. A URL, and what a shell would replace, are refused: Node would create
 * a directory with that name in the current one.
 *
 * @param kind completes "the path of", such as `a directory`
 */
export function pathOf(kind: string): Rule {
  const wanted = `the path of ${kind}`
  return {
    text: wanted,
    fits: (value) => typeof value === 'string' && !isUrl(value) && !isHome(value),
    cure: (value) => {
      if (isUrl(value)) return `${wanted}; fileURLToPath() of node:url makes one of a URL`
      if (isHome(value))
        return `${wanted}; ~ means the home directory to a shell only, and homedir() of node:os names it`
      return undefined
    },
  }
}

function isUrl(value: unknown): boolean {
  return value instanceof URL || (typeof value === 'string' && /^file:/i.test(value))
}

function isHome(value: unknown): boolean {
  return typeof value === 'string' && /^~(?:$|[/\\])/.test(value)
}
