import type { StoredItem } from '../../read-items.js'

/** A link as it is stored in the item: the name of its target, and the version of that name. */
export interface StoredLink {
  readonly name: string
  readonly version: number
}

/** Links by kind, then by the id of the target. */
export type StoredLinks = Readonly<Record<string, Readonly<Record<string, StoredLink>>>>

/** Ids may be those of members that all objects have, such as `constructor`. */
export function linkTo(links: StoredLinks, kind: string, id: string): StoredLink | undefined {
  const targets = Object.hasOwn(links, kind) ? links[kind] : undefined
  return targets !== undefined && Object.hasOwn(targets, id) ? targets[id] : undefined
}

/** An item of a directory, without its search items. */
export interface BaseItem {
  readonly tenant: string
  readonly id: string
  readonly createdAt: number
  readonly version: string
  readonly fields: StoredItem
  readonly links: StoredLinks
  /** Attributes that this definition does not name: of a process with a newer one, or of another application. A change keeps them. */
  readonly others?: StoredItem
  /** The import that has begun to write it. It is not there for readers until the import has written its search items. */
  readonly importing?: string
}
