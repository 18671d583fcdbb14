import { randomInteger } from '@isotherm/runtime'
import type { Hit } from 'isotherm/search'
import type { Process } from '../world/process.js'
import { Violation } from '../world/violation.js'
import type { World } from '../world/world.js'
import { type Contact, TERMS, type Terms } from './contact.js'
import { requireExpected } from './expected-error.js'

/** What a search needs of the directory of a tenant. */
interface Searched {
  search(
    text: string,
    options: { match: 'prefix' | 'substring'; limit: number; cursor?: string | undefined },
  ): Promise<{
    readonly hits: readonly Hit<{ readonly id: string; readonly terms: string }, { terms: object }>[]
    readonly cursor: string | undefined
  }>
}

export interface SearchedContacts {
  readonly world: World
  readonly tenant: Searched
  readonly contacts: readonly Contact[]
  /** How far the index and replicas may be behind. */
  readonly staleMilliseconds: number
}

const MAX_PAGES = 200

/**
 * Searches all pages of a query.
 *
 * @throws Violation for a hit that does not match, and where a contact that has been as it is for long is not found once
 */
export async function searchContacts(
  process: Process,
  { world, tenant, contacts, staleMilliseconds }: SearchedContacts,
): Promise<void> {
  const { text, match } = drawnQuery(process)
  const limit = randomInteger(process.random, 1, 20)
  const begun = world.now
  const before = new Map(contacts.map((contact) => [contact, contact.known.sure]))
  const times = new Map<string, number>()
  let cursor: string | undefined
  try {
    for (let pages = 0; pages === 0 || cursor !== undefined; pages++) {
      if (pages === MAX_PAGES) throw new Violation('a reading ends', `"${text}" has over ${pages} pages`)
      const page = await tenant.search(text, { match, limit, cursor })
      for (const { item, highlights } of page.hits) {
        if (!matches(item.terms, text, match) || highlights.terms === undefined) {
          const seen = `${process.name} found ${item.id}, which is "${item.terms}", by "${text}" as ${match}`
          throw new Violation('a search finds what matches', seen, [item.id])
        }
        times.set(item.id, (times.get(item.id) ?? 0) + 1)
      }
      cursor = page.cursor
    }
  } catch (error) {
    if (error instanceof Violation) throw error
    return requireExpected(error)
  }
  for (const contact of contacts) {
    const sure = before.get(contact)
    const isSame = sure !== undefined && contact.known.sure?.since === sure.since
    if (!isSame || contact.isLeftOver || begun - sure.since < staleMilliseconds) continue
    const found = times.get(contact.id) ?? 0
    if (found === (matches(sure.state, text, match) ? 1 : 0)) continue
    const seen = `${process.name} found ${contact.name} ${found} times by "${text}" as ${match}, and it is "${sure.state}"`
    throw new Violation('a search finds what is there', seen, [contact.tenant, contact.id])
  }
}

function matches(terms: Terms, text: string, match: 'prefix' | 'substring'): boolean {
  return match === 'prefix' ? terms.startsWith(text) : terms.includes(text)
}

/** Of one letter up to two terms: some have grams, some are longer than all heads, and some are read from the listing. */
function drawnQuery({ random }: Process): {
  readonly text: string
  readonly match: 'prefix' | 'substring'
} {
  const drawn = () => TERMS[randomInteger(random, 0, TERMS.length - 1)] ?? 'ant'
  const text = `${drawn()} ${drawn()}`.slice(0, [1, 2, 3, 3, 5, 7][randomInteger(random, 0, 5)])
  const match = random.next() < 0.5 ? 'prefix' : 'substring'
  return { text: text.trim(), match }
}
