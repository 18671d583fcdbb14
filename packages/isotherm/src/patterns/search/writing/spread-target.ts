import { writeConcurrently } from '../../../bounded/write-concurrently.js'
import { type BaseItem, linkTo, type StoredLinks } from '../model/base-item.js'
import type { DirectoryTarget } from '../model/directory-target.js'
import { searchType } from '../model/keys.js'
import { idAt, NEWEST, type Position } from '../model/position.js'
import type { LinkTarget } from '../model/target-item.js'
import { indexPage } from '../reading/index-page.js'
import { changeItem } from './change-item.js'
import { absenceCheck, readTarget, type TargetName } from './change-target.js'

/** Links that one operation looks at, and items that it changes at a time. */
const PAGE = 50
const AT_A_TIME = 8

export interface SpreadPage {
  /** The target as it is, if it is there. */
  readonly now: LinkTarget | undefined
  readonly changed: number
  /** Where the next page begins. `undefined` after the last one. */
  readonly next: Position | undefined
}

/** Brings the name of a target to a page of the items that are linked to it. Those that have it already are only counted. */
export async function spreadTarget(
  target: DirectoryTarget,
  of: TargetName,
  before: Position = NEWEST,
): Promise<SpreadPage> {
  const now = await readTarget(target, of)
  const type = searchType.links(of.tenant, of.kind, of.id)
  const { values, isLast } = await indexPage(target, type, { before }, PAGE)
  const links = values.map((value) => {
    const [position = '', version] = value.split('\t')
    return { position, version: Number(version) }
  })
  const old = links.filter(({ version }) => now === undefined || version < now.version)
  await writeConcurrently(old, AT_A_TIME, async ({ position }) => {
    if (now === undefined) await followTarget(target, of, idAt(position))
    else await changeItem(target, of.tenant, idAt(position), (item) => withTarget(item, now))
  })
  return { now, changed: old.length, next: isLast ? undefined : links.at(-1)?.position }
}

/**
 * Brings a link of an item to what its target is now. A target of which nothing is left says no version, and somebody may name it again and
 * link the item anew: so a link is taken away only while there is none.
 */
export async function followTarget(target: DirectoryTarget, of: TargetName, id: string): Promise<void> {
  await changeItem(target, of.tenant, id, async (item) => {
    const now = await readTarget(target, of)
    if (now !== undefined) return withTarget(item, now)
    if (item === undefined || linkTo(item.links, of.kind, of.id) === undefined) return undefined
    const { createdAt, fields, links } = item
    const after = { createdAt, fields, links: withoutLink(links, of.kind, of.id) }
    return { after, checks: [absenceCheck(target, of)] }
  })
}

/** The item with the present name of a target, or without it if that is gone. `undefined` if nothing is to be done. */
function withTarget(item: BaseItem | undefined, { kind, id, name, version, isGone }: LinkTarget) {
  const link = item && linkTo(item.links, kind, id)
  if (item === undefined || link === undefined || link.version >= version) return undefined
  const links = isGone ? withoutLink(item.links, kind, id) : withLink(item.links, kind, id, { name, version })
  return { after: { createdAt: item.createdAt, fields: item.fields, links } }
}

export function withLink(
  links: StoredLinks,
  kind: string,
  id: string,
  link: StoredLinks[string][string],
): StoredLinks {
  return { ...links, [kind]: { ...links[kind], [id]: link } }
}

export function withoutLink(links: StoredLinks, kind: string, id: string): StoredLinks {
  const { [id]: _gone, ...others } = links[kind] ?? {}
  const { [kind]: _emptied, ...kinds } = links
  return Object.keys(others).length === 0 ? kinds : { ...kinds, [kind]: others }
}
